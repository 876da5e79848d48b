// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why an issuer's keys could not be had. It carries nothing of what the server sent.
public struct KeySourceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No complete answer: see the transport's code in the message.
        public static let unreachable = Code(rawValue: "unreachable")
        /// Not answered in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// Answered with another status than 200.
        public static let status = Code(rawValue: "status")
        /// Redirected to another host, to http, or too often.
        public static let redirect = Code(rawValue: "redirect")
        /// The answer is longer than the limit, or holds more keys.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The answer is no JWK set, no map of certificates, or no provider metadata.
        public static let invalidDocument = Code(rawValue: "invalidDocument")
        /// The provider's metadata name another issuer.
        public static let issuerMismatch = Code(rawValue: "issuerMismatch")
        /// The answer holds no key that can be used.
        public static let noUsableKeys = Code(rawValue: "noUsableKeys")
        /// A refresh has failed a moment ago; the next one is tried after a pause.
        public static let coolingDown = Code(rawValue: "coolingDown")
        /// A token's `kid` is in none of the keys in hand, and no fetch for such a key is allowed
        /// yet.
        public static let keyHeldBack = Code(rawValue: "keyHeldBack")
        /// The caller's task was cancelled while it waited.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person who operates the server.
    public let message: String
    /// After how many seconds the next fetch is allowed (`coolingDown`, `keyHeldBack`); nil where
    /// that is not known, or not to be told.
    public let retryAfterSeconds: Int?

    /// An error with a code and a sentence.
    public init(_ code: Code, retryAfterSeconds: Int? = nil, _ message: String) {
        self.code = code
        self.message = message
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// Compares codes, not sentences.
    public static func == (a: KeySourceError, b: KeySourceError) -> Bool { a.code == b.code }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
