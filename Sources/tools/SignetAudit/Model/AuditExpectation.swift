// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The expected result of a vector.
public enum AuditExpectation: Sendable, Hashable, CustomStringConvertible {
    /// It is accepted, with the stated output.
    case accept
    /// It is rejected in one of these ways.
    case reject(FailureClass)
    /// The publisher allows both and Signet has recorded no choice: listed as such, never counted
    /// as passed, and a report with one is not clean.
    case undecided

    /// The expectation as a phrase.
    public var description: String {
        switch self {
        case .accept: "accepted with the stated output"
        case .reject(let classes): "rejected (\(classes))"
        case .undecided: "a recorded decision: the publisher allows both"
        }
    }
}
