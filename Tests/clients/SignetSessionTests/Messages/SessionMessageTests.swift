// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import TestSupport
import Testing

/// Hostile text at every place where a client's session takes text, and what the error then says.
@Suite("The messages of sessions about hostile input")
struct SessionMessageTests {
    static let sites: [HostileSite] = [
        HostileSite("an access token") { _ = try AccessToken($0.text) },
        HostileSite("a user") { text in
            let user = String(repeating: text.text, count: 1 + 256 / text.bytes.count)
            _ = try SessionGrant(
                accessToken: AccessToken("a"), refreshToken: nil, lifetime: .seconds(60),
                userID: user)
        },
        HostileSite("a time") { _ = try Timestamp($0.text) },
        HostileSite("a server's refusal") { text in
            try await refresh(
                400, "{\"error\":\(text.json),\"error_description\":\(text.json)}")
        },
        HostileSite("a server's answer") { try await refresh(200, $0.text) },
        HostileSite("a server's type of token") {
            try await refresh(200, "{\"access_token\":\"a\",\"token_type\":\($0.json)}")
        },
        HostileSite("why a user is not known") { text in
            struct Failure: Error, CustomStringConvertible {
                let description: String
            }
            try await refresh(200, "{\"access_token\":\"a\",\"token_type\":\"Bearer\"}") { _ in
                throw Failure(description: text.text)
            }
        },
        HostileSite("a stored session") { text in
            let store = InMemoryStore()
            try await store.set(SecretValue(bytes: text.bytes), for: ManagerFixture.item)
            _ = try await ManagerFixture(store).manager().accessToken()
        },
        HostileSite("a user in a stored session") { text in
            let store = InMemoryStore()
            let stored = StoredText.session(userID: String(text.json.dropFirst().dropLast()))
            try await store.set(SecretValue(bytes: Array(stored.utf8)), for: ManagerFixture.item)
            _ = try await ManagerFixture(store).manager().accessToken()
        },
        HostileSite("an answer of an API") { try await call(.body($0.text)) },
        HostileSite("a refusal of an API") {
            try await call(.status(400, ["WWW-Authenticate": $0.text], body: $0.text))
        },
        HostileSite("a challenge of an API") {
            try await call(
                .status(
                    401,
                    [
                        "WWW-Authenticate":
                            "Bearer error=\"insufficient_user_authentication\", acr_values=\"\($0.text)\""
                    ]))
        },
    ]

    @Test("A message is short, on one line, and repeats no secret", arguments: sites)
    func hostile(_ site: HostileSite) async { await site.check() }

    private static func refresh(
        _ status: Int, _ body: String,
        user: @escaping @Sendable (TokenEndpointResponse) throws -> String = { _ in "u" }
    ) async throws {
        let transport = FakeTransport { _ in
            .status(status, ["Content-Type": "application/json"], body: body)
        }
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: "client",
            authentication: .none, transport: transport, timeout: .seconds(60))
        _ = try await OAuthBackend(endpoint, user: user).refresh(RefreshToken("r"))
    }

    private static func call(_ answer: FakeTransport.Answer) async throws {
        let fixture = ManagerFixture()
        let client = try BearerClient(
            manager: await fixture.signedIn(), transport: FakeTransport(answer),
            origins: [EndpointURL("https://api.example")])
        let request = TransportRequest(
            url: try EndpointURL("https://api.example/a"), method: .get,
            maximumBodyByteCount: 524_288, timeout: .seconds(60))
        _ = try await client.decode([String: Int].self, from: request)
    }
}
