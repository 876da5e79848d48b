// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a base64url text was refused. Two errors are equal when their codes are.
public typealias JOSEEncodingError = CodedError<JOSEEncodingErrorDomain>

/// The domain of ``JOSEEncodingError``.
public enum JOSEEncodingErrorDomain: ErrorDomain {
    /// The sentence.
    public static func description(of error: JOSEEncodingError) -> String { error.message }
}

extension JOSEEncodingError.Code {
    /// A character is outside the alphabet: padding, `+`, `/` and white space among them.
    public static var invalidCharacter: Self { Self(rawValue: "invalidCharacter") }
    /// No byte string has an encoding of this length.
    public static var invalidLength: Self { Self(rawValue: "invalidLength") }
    /// The last character carries bits that no byte uses (RFC 4648, section 3.5).
    public static var nonZeroTrailingBits: Self { Self(rawValue: "nonZeroTrailingBits") }
}

extension JOSEEncodingError {
    /// Makes an error with a code. Its message holds no part of the text, which may be a key.
    public init(code: Code) {
        let message: ErrorMessage =
            switch code {
            case .invalidCharacter:
                "The text has a character outside the base64url alphabet "
                    + "(padding and white space are refused)."
            case .invalidLength:
                "No byte string has a base64url text of this length. It may be truncated."
            case .nonZeroTrailingBits:
                "The last base64url character carries bits that no byte uses."
            default: "The base64url text is invalid (\(code))."
            }
        self.init(code, message)
    }
}
