// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there was no complete answer. It carries no body, no query and no secret.
public struct TransportFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No name, no route, no listener, or the connection broke.
        public static let unreachable = Code(rawValue: "unreachable")
        /// Not answered in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The server's certificate was not trusted, or TLS failed otherwise.
        public static let notTrusted = Code(rawValue: "notTrusted")
        /// The body is longer than the request allows.
        public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
        /// What came is no HTTP answer.
        public static let invalidResponse = Code(rawValue: "invalidResponse")
        /// The caller gave up.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The stable reason.
    public let code: Code
    /// A sentence for a person who operates the server.
    public let message: String

    /// A failure with a code and a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Compares codes, not sentences.
    public static func == (a: TransportFailure, b: TransportFailure) -> Bool { a.code == b.code }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
