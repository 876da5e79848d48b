// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration of a program: found when it starts, never caused by a token.
public struct IdentityConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Not an https URL, nor http on this machine, or not a URL in the strict form that is read here.
        public static let invalidURL = Code(rawValue: "invalidURL")
        /// A client identifier, issuer, tenant or project is empty or impossible, or a list holds none.
        public static let invalidIdentifier = Code(rawValue: "invalidIdentifier")
        /// A number or a duration outside the range that its documentation gives.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// Two parts of the configuration contradict each other.
        public static let contradiction = Code(rawValue: "contradiction")
        /// A secret is too short, not in the encoding that was named, or a published key.
        public static let invalidSecret = Code(rawValue: "invalidSecret")
    }

    /// The stable reason.
    public let code: Code
    /// A sentence that says what to change.
    public let message: String

    /// An error with a code and a sentence.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Compares codes, not sentences.
    public static func == (a: IdentityConfigurationError, b: IdentityConfigurationError) -> Bool {
        a.code == b.code
    }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
