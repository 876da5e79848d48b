// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The outcome of one vector.
public struct AuditOutcome: Sendable, CustomStringConvertible {
    /// The vector.
    public let vector: AuditCase
    /// The result that was observed, for comparison with the expectation.
    public let observation: AuditObservation

    /// Whether the vector's expectation is met.
    public var passed: Bool { observation.meets(vector.expectation) }

    /// One line: the vector, what was expected and what happened.
    public var description: String {
        let reason = vector.override.map { " [override: \($0)]" } ?? ""
        return "\(vector): expected \(vector.expectation)\(reason); \(observation)"
    }
}
