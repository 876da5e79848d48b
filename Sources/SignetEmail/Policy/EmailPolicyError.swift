// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with the configuration of a policy: found when the program starts, never caused by an address.
public struct EmailPolicyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable, machine-readable reason. More may be added in a minor version.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The text of the code, which does not change between versions.
        public let rawValue: String

        /// A code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No domain is allowed at all.
        public static let noDomains = Code(rawValue: "noDomains")
        /// A rule has an '@'.
        public static let atSign = Code(rawValue: "atSign")
        /// A rule has a '*', or a dot in front.
        public static let wildcard = Code(rawValue: "wildcard")
        /// A rule has a character outside ASCII.
        public static let nonASCII = Code(rawValue: "nonASCII")
        /// A rule has one label only.
        public static let singleLabel = Code(rawValue: "singleLabel")
        /// A rule is no domain, in another way.
        public static let invalidDomain = Code(rawValue: "invalidDomain")
        /// Anybody can get a name below the domain.
        public static let publicSuffix = Code(rawValue: "publicSuffix")
        /// Anybody can get an address there.
        public static let consumerDomain = Code(rawValue: "consumerDomain")
        /// Anybody can get an address there for a moment.
        public static let disposableDomain = Code(rawValue: "disposableDomain")
        /// Its addresses stand for others, which nobody knows.
        public static let relayDomain = Code(rawValue: "relayDomain")
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
    public static func == (a: EmailPolicyError, b: EmailPolicyError) -> Bool { a.code == b.code }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// The code and the sentence.
    public var description: String { "\(code.rawValue): \(message)" }
}
