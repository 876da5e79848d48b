// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A published vector, ready to run.
public struct AuditCase: Sendable, Identifiable, CustomStringConvertible {
    /// The work of a case: it runs the vector and says what happened.
    package typealias Body = @Sendable () -> AuditObservation

    /// The case's suite.
    public let suite: String
    /// Its id in the suite, as published.
    public let localID: String
    /// The document that published it.
    public let source: String
    /// The algorithm that it exercises.
    public let algorithm: String
    /// The expected result.
    public let expectation: AuditExpectation
    /// Why the expectation differs from the publisher's label; nil if it does not.
    public let override: String?
    /// Whether it needs more than a second or 256 MiB.
    public let isSlow: Bool
    /// What it needs of that which a FIPS provider may lack: known from the vector, not guessed from
    /// an error.
    package let need: FIPSOmission?

    let body: Body

    /// Makes a case.
    package init(
        suite: String, localID: String, source: String, algorithm: String,
        expectation: AuditExpectation, override: String? = nil, isSlow: Bool = false,
        need: FIPSOmission? = nil, body: @escaping Body
    ) {
        self.suite = suite
        self.localID = localID
        self.source = source
        self.algorithm = algorithm
        self.expectation = expectation
        self.override = override
        self.isSlow = isSlow
        self.need = need
        self.body = body
    }

    /// The name that identifies the vector for people: `suite#id`.
    public var id: String { "\(suite)#\(localID)" }

    /// The same as ``id``: what a test prints for the case.
    public var description: String { id }

    /// Runs the vector against the loaded libcrypto.
    public func run() -> AuditOutcome {
        AuditOutcome(vector: self, observation: body())
    }
}
