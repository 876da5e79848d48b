// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why a request presented no token that could be verified. It carries nothing of what the request held.
public struct BearerTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The request presents no token.
        public static let missing = Code(rawValue: "missing")
        /// There are several `Authorization` fields, or several cookies of the session's name.
        public static let repeated = Code(rawValue: "repeated")
        /// `Authorization` has another scheme than Bearer.
        public static let otherScheme = Code(rawValue: "otherScheme")
        /// It is not one space and the characters of a token, or the cookie is not.
        public static let malformed = Code(rawValue: "malformed")
        /// Longer than the limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// `Authorization` and the cookie hold different tokens: who is it?
        public static let conflict = Code(rawValue: "conflict")
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person who operates the server.
    public let message: String

    /// An error with a code and a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Compares codes, not sentences.
    public static func == (a: BearerTokenError, b: BearerTokenError) -> Bool { a.code == b.code }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
