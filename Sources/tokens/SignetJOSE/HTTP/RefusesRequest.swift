// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An error with a known HTTP answer: ``HTTPRefusal/init(_:)`` gives it. An error without such an
/// answer is the server's fault, a 500.
///
/// For an error of your own that a client has caused. An error in a domain (`CodedError`) gets its
/// answer by ``RefusingDomain``. The answer tells the client nothing but a status: which check
/// refused is for the log.
public protocol RefusesRequest: Error {
    /// The answer to the request that failed with it.
    var httpRefusal: HTTPRefusal { get }
}

/// An error domain of your own in which every error has a known HTTP answer.
public protocol RefusingDomain: ErrorDomain {
    /// The answer to the request that failed with it.
    static func httpRefusal(of error: CodedError<Self>) -> HTTPRefusal
}

extension CodedError: RefusesRequest where Domain: RefusingDomain {
    /// The answer that the domain gives.
    public var httpRefusal: HTTPRefusal { Domain.httpRefusal(of: self) }
}

extension TokenErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: TokenError) -> HTTPRefusal {
        switch error.code {
        case .invalidPolicy, .signingFailed, .unsupportedType, .libraryFailure: .internalError
        default: .invalidToken
        }
    }
}

extension JSONErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: JSONError) -> HTTPRefusal {
        switch error.code {
        case .tooLarge: .contentTooLarge
        case .unsupportedType: .internalError
        default: .badRequest
        }
    }
}

extension JOSEEncodingErrorDomain: RefusingDomain {
    /// The answer to the request that failed with it.
    public static func httpRefusal(of error: JOSEEncodingError) -> HTTPRefusal { .badRequest }
}
