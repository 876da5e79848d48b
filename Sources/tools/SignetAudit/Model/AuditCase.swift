// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A published vector, ready to run.
public struct AuditCase: Sendable, Identifiable, CustomStringConvertible {
    /// The work of a case: it runs the vector and says what happened.
    package typealias Body = @Sendable () -> AuditObservation

    /// The case's suite.
    public let suite: String
    /// Its id in the suite, as published.
    public package(set) var localID: String
    /// The document that published it.
    public let source: String
    /// The algorithm that it exercises.
    public let algorithm: String
    /// The expected result.
    public package(set) var expectation: AuditExpectation
    /// Why the expectation differs from the publisher's label; nil if it does not.
    public internal(set) var override: String?
    /// Whether it needs more than a second or 256 MiB.
    public internal(set) var isSlow = false
    /// Its need of something that a FIPS provider may lack: known from the vector, not guessed from
    /// an error.
    package var need: FIPSOmission?

    package var body: Body

    /// The name that identifies the vector for people: `suite#id`.
    public var id: String { "\(suite)#\(localID)" }

    /// The same as ``id``: what a test prints for the case.
    public var description: String { id }

    /// Runs the vector against the loaded libcrypto.
    public func run() -> AuditOutcome {
        AuditOutcome(vector: self, observation: body())
    }
}
