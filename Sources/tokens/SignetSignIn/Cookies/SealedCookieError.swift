// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

/// Why a sealed cookie was not made or not opened. It carries nothing of the cookie.
public typealias SealedCookieError = CodedError<SealedCookieErrorDomain>

/// The domain of ``SealedCookieError``.
public enum SealedCookieErrorDomain: ErrorDomain {}

extension SealedCookieError.Code {
    /// Not a cookie that one of these keys sealed for this name and purpose: changed, cut off, made
    /// up, or another cookie's. The error deliberately does not say which.
    public static var notAuthentic: Self { Self(rawValue: "notAuthentic") }
    /// The cookie is this server's, and its lifetime is over.
    public static var expired: Self { Self(rawValue: "expired") }
    /// The request has several cookies of the name, which no browser sends.
    public static var repeated: Self { Self(rawValue: "repeated") }
    /// The contents to seal do not fit into a cookie: the program's fault.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// libcrypto has no randomness or no memory, or lacks AES-256-GCM.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension SealedCookieErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: SealedCookieError) -> HTTPRefusal {
        switch error.code {
        case .tooLarge, .libraryFailure: .internalError
        default: .badRequest
        }
    }
}
