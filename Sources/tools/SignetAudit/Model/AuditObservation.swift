// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The result of a vector.
public enum AuditObservation: Sendable, Hashable, CustomStringConvertible {
    /// The library accepted the input, and the output was as stated.
    case accepted
    /// The output differs from the vector's; the text says how, without any secret.
    case differed(String)
    /// The library rejected the input, in a way that the interface documents.
    case rejected(FailureClass, String)
    /// An error that no input should cause.
    case failed(String)

    /// The observation as a phrase.
    public var description: String {
        switch self {
        case .accepted: "accepted with the stated output"
        case .differed(let what): "differed: \(what)"
        case .rejected(let kind, let why): "rejected (\(kind)): \(why)"
        case .failed(let why): "failed unexpectedly: \(why)"
        }
    }

    /// Whether libcrypto did not do the work: it lacks the algorithm or refused the call. A wrong
    /// output and an acceptance are something else.
    var isAbsence: Bool {
        switch self {
        case .rejected(.algorithm, _), .failed: true
        case .accepted, .differed, .rejected: false
        }
    }

    /// Whether this is the expected result.
    public func meets(_ expectation: AuditExpectation) -> Bool {
        switch (self, expectation) {
        case (.accepted, .accept): true
        case (.rejected(let kind, _), .reject(let classes)): classes.contains(kind)
        default: false
        }
    }
}
