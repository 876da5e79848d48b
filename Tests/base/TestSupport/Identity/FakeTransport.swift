// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
package import SignetIdentity

/// Answers without a network, as a test says, and records requests.
package final class FakeTransport: IdentityTransport {
    package typealias Answer = Result<TransportResponse, TransportFailure>

    package let requests = Recorder<TransportRequest>()
    private let handler: Locked<@Sendable (TransportRequest) async -> Answer>

    package init(_ handler: @escaping @Sendable (TransportRequest) async -> Answer) {
        self.handler = Locked(handler)
    }

    /// The same answer for ever.
    package convenience init(_ answer: Answer) { self.init { _ in answer } }

    package convenience init(body: String) { self.init(.body(body)) }

    package var count: Int { requests.all.count }

    /// Changes the answers from now on.
    package func set(_ answer: Answer) { set { _ in answer } }

    package func set(_ handler: @escaping @Sendable (TransportRequest) async -> Answer) {
        self.handler.withLock { $0 = handler }
    }

    package func exchange(_ request: TransportRequest) async throws(TransportFailure)
        -> TransportResponse
    {
        requests.append(request)
        let handler = handler.withLock { $0 }
        let answer = await handler(request)
        return try answer.get()
    }
}

extension Result<TransportResponse, TransportFailure> {
    package static func body(_ text: String, _ fields: [String: String] = [:]) -> Self {
        .success(
            TransportResponse(
                status: 200, fields: fields.map { .init(name: $0.key, value: $0.value) },
                body: Array(text.utf8)))
    }

    package static func status(_ status: Int, _ fields: [String: String] = [:], body: String = "")
        -> Self
    {
        .success(
            TransportResponse(
                status: status, fields: fields.map { .init(name: $0.key, value: $0.value) },
                body: Array(body.utf8)))
    }

    package static func redirect(_ location: String, status: Int = 302) -> Self {
        .status(status, ["Location": location])
    }
}
