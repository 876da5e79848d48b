// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a base64url text was refused. Two errors are equal when their codes are.
public struct JOSEEncodingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with the text: stable, to be matched on; more codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String

        /// Makes a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A character is outside the alphabet: padding, `+`, `/` and white space among them.
        public static let invalidCharacter = Code(rawValue: "invalidCharacter")
        /// No sequence of whole bytes has a text of this length.
        public static let invalidLength = Code(rawValue: "invalidLength")
        /// The last character carries bits that no byte uses (RFC 4648, section 3.5).
        public static let nonZeroTrailingBits = Code(rawValue: "nonZeroTrailingBits")
    }

    /// What is wrong with the text.
    public let code: Code

    /// Makes an error with a code.
    public init(code: Code) { self.code = code }

    /// A sentence for a person. It never holds any part of the text, which may be a key.
    public var description: String {
        switch code {
        case .invalidCharacter:
            "The text has a character outside the base64url alphabet (padding and white space are refused)."
        case .invalidLength: "No sequence of bytes has a base64url text of this length: is it cut?"
        case .nonZeroTrailingBits: "The last base64url character carries bits that no byte uses."
        default: "The base64url text is invalid (\(code.rawValue))."
        }
    }
}
