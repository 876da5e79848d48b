// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The origin of a report: which Signet, which machine, which libcrypto, which call.
///
/// It repeats what the system says of itself at the time of the audit, and proves nothing against
/// an attacker who controls the machine. What cannot be determined is "unknown".
public struct AuditEvidence: Sendable, Hashable {
    /// A statement about the origin: a name and a value.
    public struct Fact: Sendable, Hashable {
        /// Its name in JSON.
        public let key: String
        /// Its name for people.
        public let label: String
        /// The stated value.
        public let value: String

        init(_ key: String, label: String, value: String?) {
            self.key = key
            self.label = label
            self.value = value ?? "unknown"
        }
    }

    /// Statements about one thing.
    public struct Section: Sendable, Hashable {
        /// Its name in JSON.
        public let key: String
        /// Its name for people.
        public let title: String
        /// The statements.
        public let facts: [Fact]
    }

    /// The statements, in the order in which they are shown.
    public let sections: [Section]

    /// The value of a fact by the names of its section and its own; nil if there is none.
    public func value(section: String, fact: String) -> String? {
        sections.first { $0.key == section }?.facts.first { $0.key == fact }?.value
    }
}
