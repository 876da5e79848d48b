// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One published vector, ready to run.
public struct AuditCase: Sendable, Identifiable, CustomStringConvertible {
    /// What a case does when it is run.
    typealias Body = @Sendable () -> AuditObservation

    /// The suite that it belongs to.
    public let suite: String
    /// Its id in the suite, as published.
    public let localID: String
    /// The document that published it.
    public let source: String
    /// The algorithm that it exercises.
    public let algorithm: String
    /// What it must do.
    public let expectation: AuditExpectation
    /// Why the expectation is not the publisher's label; nil when it is.
    public internal(set) var override: String?
    /// Whether it needs more than a second or 256 MiB.
    public internal(set) var isSlow = false

    let body: Body

    /// The name by which a person finds the vector: `suite#id`.
    public var id: String { "\(suite)#\(localID)" }

    /// The same as ``id``: what a test prints for the case.
    public var description: String { id }

    /// Runs the vector against the libcrypto that is loaded.
    public func run() -> AuditOutcome {
        AuditOutcome(vector: self, observation: body())
    }
}
