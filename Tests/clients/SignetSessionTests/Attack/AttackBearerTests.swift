// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetSessionTesting
import SignetSignIn
import TestSupport
import Testing

/// Found by attacking: whose token a retry carries, and the cost of a lifetime.
@Suite("Attack: bearer", .timeLimit(.minutes(20)))
struct AttackBearerTests {
    /// An API whose first answer is a late 401.
    private struct LateTransport: IdentityTransport {
        let sent = Locked<[String]>([])
        let meanwhile: @Sendable () async throws -> Void

        func exchange(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            let count = sent.withLock { sent -> Int in
                sent.append(request.authorization ?? "")
                return sent.count
            }
            guard count == 1 else { return TransportResponse(status: 200, body: []) }
            do { try await meanwhile() } catch { throw TransportFailure(.unreachable, "") }
            return TransportResponse(status: 401, body: [])
        }
    }

    @Test("A long request is not sent again with another person's token")
    func manyTokensLater() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let transport = LateTransport {
            for _ in 0..<9 {
                try await manager.adopt(fixture.server.signIn("user-2"))
                _ = try await manager.accessToken()
            }
        }
        let origin = try EndpointURL("https://api.example")
        let client = try BearerClient(manager: manager, transport: transport, origins: [origin])
        let request = TransportRequest(
            url: origin, method: .post, body: .init([], contentType: ""), timeout: .seconds(3_600))
        await #expect(throws: APIError(.unauthorized, status: 401, "")) {
            try await client.send(request)
        }
        #expect(transport.sent.withLock { $0 } == ["Bearer access-user-1-1"])
    }

    @Test("A forgotten token is replaced by one of its own session only")
    func forgottenTokens() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let first = try await manager.accessToken()
        for _ in 0..<10 {
            _ = try await manager.afterUnauthorized(manager.accessToken())
        }
        let newest = try await manager.accessToken()
        #expect(newest != first)
        #expect(try await manager.afterUnauthorized(first) == newest)
        for _ in 0..<9 {
            try await manager.adopt(fixture.server.signIn("user-2"))
            _ = try await manager.accessToken()
        }
        #expect(try await manager.afterUnauthorized(first) == nil)
        #expect(try await manager.afterUnauthorized(newest) == nil)
    }

    @Test("A lifetime of zero loses no rotated token", arguments: ["0", "\"0\"", "-1", "1e99"])
    func lifetimes(_ text: String) async throws {
        let body = """
            {"access_token":"a2","refresh_token":"r2","token_type":"Bearer","expires_in":\(text)}
            """
        let transport = FakeTransport(
            .status(200, ["Content-Type": "application/json"], body: body))
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://id.example/token"), clientID: "app", authentication: .none,
            transport: transport)
        let grant = try await OAuthBackend(endpoint) { _ in "u" }.refresh(RefreshToken("r1"))
        #expect(grant.refreshToken == (try RefreshToken("r2")))
        #expect(grant.lifetime == .seconds(3600) && !grant.isLifetimeStated)
    }

    @Test(
        "A lifetime that the endpoint states is stated, and a JWT's own is used without one",
        arguments: [("a2", ",\"expires_in\":4", 4), (LifetimeTests.tenMinutes, "", 600)])
    func statedLifetime(_ token: String, _ member: String, _ seconds: Int) async throws {
        let body = "{\"access_token\":\"\(token)\",\"token_type\":\"Bearer\"\(member)}"
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://id.example/token"), clientID: "app", authentication: .none,
            transport: FakeTransport(
                .status(200, ["Content-Type": "application/json"], body: body)))
        let grant = try await OAuthBackend(endpoint) { _ in "u" }.refresh(RefreshToken("r1"))
        #expect(grant.lifetime == .seconds(seconds) && grant.isLifetimeStated == !member.isEmpty)
    }
}
