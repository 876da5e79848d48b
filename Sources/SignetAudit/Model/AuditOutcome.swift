// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What became of one vector.
public struct AuditOutcome: Sendable, CustomStringConvertible {
    /// The name of the vector: `suite#id`.
    public let name: String
    /// What it should have done.
    public let expectation: AuditExpectation
    /// What it did.
    public let observation: AuditObservation
    /// Why the expectation is not the publisher's label; nil when it is.
    public let override: String?

    /// Whether it did what it should.
    public var passed: Bool { observation.meets(expectation) }

    /// One line: the vector, what was expected and what happened.
    public var description: String {
        let reason = override.map { " [override: \($0)]" } ?? ""
        return "\(name): expected \(expectation)\(reason); \(observation)"
    }
}
