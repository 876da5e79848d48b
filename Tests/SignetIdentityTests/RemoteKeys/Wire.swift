// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAsyncHTTPClient
import SignetCurl
import SignetIdentity
import TestSupport
import Testing

/// A transport that the same checks run over.
struct Wire: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let transport: any IdentityTransport
    /// What a server may send to it.
    let answers: [HostileAnswer]

    /// Whether a gzip answer is read and counted as it unfolds; otherwise it is refused.
    let undoesGzip: Bool

    /// The time for an exchange that is not about time: longer than any test, whose own limit ends
    /// a hang.
    let patience = Duration.seconds(3_600)

    init(
        _ name: String, _ transport: some IdentityTransport,
        _ answers: [HostileAnswer] = HostileAnswer.all,
        undoesGzip: Bool = true
    ) {
        (testDescription, self.transport, self.undoesGzip) = (name, transport, undoesGzip)
        self.answers = answers + (undoesGzip ? HostileAnswer.gzipUndone : HostileAnswer.gzipRefused)
    }

    /// The transports that must pass everything: libcurl's, and AsyncHTTPClient's when its trait is
    /// on (`make test-async-http-client`).
    static let all: [Wire] = {
        var all = [
            Wire(
                "curl", .curl,
                HostileAnswer.all + HostileAnswer.statusesBelow100 + HostileAnswer.strict,
                undoesGzip: false)
        ]
        #if AsyncHTTPClient
            all.append(Wire("AsyncHTTPClient", .asyncHTTPClient))
        #endif
        return all
    }()

    func get(
        _ url: String, authorization: String? = nil, maximumBodyByteCount: Int = 524_288,
        timeout: Duration? = nil
    ) async throws -> TransportResponse {
        try await transport.exchange(
            TransportRequest(
                url: EndpointURL(url), authorization: authorization,
                maximumBodyByteCount: maximumBodyByteCount,
                timeout: timeout ?? patience))
    }

    /// The code of the failure; nil when there was an answer.
    func failure(
        _ url: String, maximumBodyByteCount: Int = 524_288, timeout: Duration? = nil
    ) async throws -> TransportFailure.Code? {
        do {
            _ = try await get(url, maximumBodyByteCount: maximumBodyByteCount, timeout: timeout)
            return nil
        } catch let error as TransportFailure {
            return error.code
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips, with a message, if there is no Python 3.
    static var needsPython: Self {
        .enabled(if: KeyServer.isAvailable, Comment(rawValue: KeyServer.absence))
    }
}
