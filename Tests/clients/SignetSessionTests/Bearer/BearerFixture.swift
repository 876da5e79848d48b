// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCurl
import SignetIdentity
import SignetSession
import TestSupport
import Testing

/// An API over real HTTP, a signed-in person, and a client.
struct BearerFixture {
    let api: KeyServer
    let managers: ManagerFixture
    let manager: SessionManager
    let client: BearerClient

    init(
        lifetime: Duration = .seconds(3600), transport: some IdentityTransport = .curl,
        maximumSentByteCount: Int = BearerClient.defaultMaximumSentByteCount
    ) async throws {
        api = try await KeyServer()
        managers = ManagerFixture(lifetime: lifetime)
        manager = try await managers.signedIn()
        client = try BearerClient(
            manager: manager, transport: transport, origins: [EndpointURL(api.url("/ignored"))],
            maximumSentByteCount: maximumSentByteCount)
    }

    /// The header fields of the person's access tokens, by number.
    static func fields(_ numbers: some Sequence<Int>, of user: String = "user-1") -> [String] {
        numbers.map { "Bearer access-\(user)-\($0)" }
    }

    /// An answer to these tokens, and 401 to all others.
    func set(
        _ path: String, status: Int = 200, body: String = "{}", accepting numbers: [Int]
    ) async throws {
        try await api.set(
            path,
            Behaviour(body) {
                $0.status = status
                $0.accepting = Self.fields(numbers)
            })
    }

    func request(
        _ path: String, method: TransportRequest.Method = .get, body: [UInt8]? = nil,
        maximumBodyByteCount: Int = 524_288
    ) throws -> TransportRequest {
        TransportRequest(
            url: try EndpointURL(api.url(path)), method: method,
            body: body.map { TransportRequest.Body($0, contentType: "application/json") },
            maximumBodyByteCount: maximumBodyByteCount, timeout: .seconds(3_600))
    }

    /// The error of a request; nil for an answer.
    func failure(_ request: TransportRequest) async -> APIError? {
        do throws(APIError) {
            try await client.send(request)
            return nil
        } catch {
            return error
        }
    }
}
