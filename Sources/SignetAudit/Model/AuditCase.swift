// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One published vector, ready to run.
public struct AuditCase: Sendable, Identifiable, CustomStringConvertible {
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
    public let override: String?
    /// Whether it needs more than a second or 256 MiB.
    public let isSlow: Bool

    private let body: @Sendable () -> AuditObservation

    init(
        suite: String, localID: String, source: String, algorithm: String,
        expectation: AuditExpectation,
        override: String? = nil, isSlow: Bool = false,
        body: @escaping @Sendable () -> AuditObservation
    ) {
        self.suite = suite
        self.localID = localID
        self.source = source
        self.algorithm = algorithm
        self.expectation = expectation
        self.override = override
        self.isSlow = isSlow
        self.body = body
    }

    /// The name by which a person finds the vector: `suite#id`.
    public var id: String { "\(suite)#\(localID)" }

    /// The same as ``id``: what a test prints for the case.
    public var description: String { id }

    /// Runs the vector against the libcrypto that is loaded.
    public func run() -> AuditOutcome {
        AuditOutcome(name: id, expectation: expectation, observation: body(), override: override)
    }
}
