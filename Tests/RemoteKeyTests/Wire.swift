// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import KeyServer
import SignetAsyncHTTPClient
import SignetIdentity
import SignetURLSession
import Testing

/// A transport that the same list of checks runs over.
struct Wire: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let transport: any IdentityTransport

    /// AsyncHTTPClient is among them when its trait is on (`make test-async-http-client`).
    static let all: [Wire] = {
        var all = [Wire(testDescription: "URLSession", transport: .urlSession)]
        #if AsyncHTTPClient
            all.append(Wire(testDescription: "AsyncHTTPClient", transport: .asyncHTTPClient))
        #endif
        return all
    }()

    func get(
        _ url: String, authorization: String? = nil, maximumBodyByteCount: Int = 524_288,
        timeout: Duration = .seconds(20)
    ) async throws -> TransportResponse {
        try await transport.exchange(
            TransportRequest(
                url: EndpointURL(url), authorization: authorization,
                maximumBodyByteCount: maximumBodyByteCount,
                timeout: timeout))
    }

    /// The code of the failure; nil when there was an answer.
    func failure(
        _ url: String, maximumBodyByteCount: Int = 524_288, timeout: Duration = .seconds(20)
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
    /// Skips, saying so, where there is no Python 3.
    static var needsPython: Self { .enabled(if: KeyServer.isAvailable, Comment(rawValue: KeyServer.absence)) }
}
