// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The expected result of a vector.
public enum AuditExpectation: Sendable, Hashable, CustomStringConvertible {
    /// The vector is accepted, with the stated output.
    case accept
    /// The vector is rejected in a way that the class contains.
    case reject(FailureClass)
    /// The publisher allows both outcomes and Signet has recorded no choice. Such a case is listed
    /// as undecided, never counted as passed, and its report is not clean.
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
