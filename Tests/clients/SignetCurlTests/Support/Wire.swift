// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import TestSupport
import Testing

/// A transport over libcurl that a test asks.
struct Wire: Sendable {
    let transport: any IdentityTransport

    /// The time for an exchange that is not about time: longer than any test, whose own limit ends
    /// a hang.
    let longTimeout = Duration.seconds(3_600)

    init(_ transport: some IdentityTransport) { self.transport = transport }

    /// The one that programs share.
    static let curl = Wire(.curl)

    func get(
        _ url: String, authorization: String? = nil, maximumBodyByteCount: Int = 524_288,
        timeout: Duration? = nil
    ) async throws -> TransportResponse {
        try await transport.exchange(
            TransportRequest(
                url: EndpointURL(url), authorization: authorization,
                maximumBodyByteCount: maximumBodyByteCount,
                timeout: timeout ?? longTimeout))
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
