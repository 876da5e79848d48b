// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Why an operation of SignetCrypto failed.
///
/// It never carries key material, plaintext or libcrypto's own text. Two errors are equal when
/// their codes are.
public typealias CryptographyError = CodedError<CryptographyErrorDomain>

/// The domain of ``CryptographyError``.
public enum CryptographyErrorDomain: ErrorDomain {}

extension CryptographyError.Code {
    /// The sealed data is not authentic: a wrong key, wrong associated data, or a changed or
    /// missing byte. The error deliberately does not say which.
    public static var authenticationFailure: Self { Self(rawValue: "authenticationFailure") }
    /// The bytes or numbers are not a key that Signet accepts.
    public static var invalidKey: Self { Self(rawValue: "invalidKey") }
    /// The key has the wrong length for the algorithm.
    public static var invalidKeySize: Self { Self(rawValue: "invalidKeySize") }
    /// The nonce has the wrong length for the algorithm.
    public static var invalidNonceSize: Self { Self(rawValue: "invalidNonceSize") }
    /// A parameter is outside its documented range.
    public static var invalidParameter: Self { Self(rawValue: "invalidParameter") }
    /// The input is longer than the algorithm allows.
    public static var tooLarge: Self { Self(rawValue: "tooLarge") }
    /// The loaded libcrypto does not offer the algorithm.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// libcrypto failed unexpectedly: out of memory, or no randomness.
    public static var libraryFailure: Self { Self(rawValue: "libraryFailure") }
}

extension CryptographyError {
    @inline(never)
    static var notAuthentic: CryptographyError {
        CryptographyError(
            .authenticationFailure,
            "The sealed data could not be opened: it was changed, or the key or the associated data is wrong."
        )
    }

    /// The error for a failure of libcrypto.
    ///
    /// - Parameters:
    ///   - code: what it means that libcrypto refused the input.
    ///   - message: the sentence for that; nil names libcrypto's operation.
    @inline(never)
    static func from(
        _ failure: OpenSSLFailure, refused code: Code, message: ErrorMessage? = nil
    ) -> CryptographyError {
        switch failure.kind {
        case .authentication:
            return .notAuthentic
        case .unavailable:
            return CryptographyError(
                .unsupported,
                "The loaded libcrypto does not offer this algorithm (\(shown: failure.operation)).")
        case .invalidLength:
            // A part of a key that is too long makes the key invalid, like every fault in it.
            return CryptographyError(
                code == .invalidKey ? .invalidKey : .invalidParameter,
                message ?? "A length is out of range (\(shown: failure.operation)).")
        case .noMemory:
            return CryptographyError(
                .libraryFailure, "libcrypto had no memory (\(shown: failure.operation)).")
        case .refused:
            return CryptographyError(
                code, message ?? "libcrypto refused the operation (\(shown: failure.operation)).")
        }
    }
}

/// Runs `body` and turns a failure of libcrypto into this module's error.
@inline(__always)
func translatingErrors<R: ~Copyable>(
    refused code: CryptographyError.Code, message: @autoclosure () -> ErrorMessage? = nil,
    _ body: () throws(OpenSSLFailure) -> R
) throws(CryptographyError) -> R {
    do {
        return try body()
    } catch {
        throw CryptographyError.from(error, refused: code, message: message())
    }
}
