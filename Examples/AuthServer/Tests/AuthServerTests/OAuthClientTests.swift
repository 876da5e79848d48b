// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetAccounts
import SignetCurl
import SignetIdentity
import SignetSession
import SignetSignIn
import SignetVaultTesting
import Testing

/// Signet's own client of OAuth ends its session on `invalid_grant`, and on nothing else that
/// these servers answer.
@Suite("Signet's OAuth client against these servers")
struct OAuthClientTests {
    /// The server's own route takes JSON, so the client's form is sent as that: whole, or damaged
    /// on the way.
    private struct JSONRoute: IdentityTransport {
        let client: WebClient
        var type = "application/json"
        var damage: @Sendable (String) -> String = { $0 }

        func exchange(
            _ request: TransportRequest
        ) async throws(TransportFailure) -> TransportResponse {
            let form = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
            let token = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }
            let value = token.map { String($0.dropFirst("refresh_token=".count)) } ?? ""
            do {
                let answer = try await client.send(
                    "POST", "/v1/auth/refresh", headers: [("Content-Type", type)],
                    body: .whole(damage(#"{"refresh_token":"\#(value)"}"#)))
                let contentType = answer.header("content-type") ?? ""
                return TransportResponse(
                    status: answer.status,
                    fields: [.init(name: "Content-Type", value: contentType)],
                    body: Array(answer.body.utf8))
            } catch {
                throw TransportFailure(.unreachable, "The request failed.")
            }
        }
    }

    /// What is left of a client's session after an exchange.
    private static func state(
        after refreshToken: String, _ clientID: String = "app", at url: String,
        over transport: some IdentityTransport
    ) async throws -> SessionState {
        let endpoint = try TokenEndpoint(
            url: EndpointURL(url), clientID: clientID, authentication: .none,
            transport: transport, timeout: .seconds(60))
        var options = SessionOptions()
        options.refreshesAhead = false
        options.requestTimeout = .seconds(60)
        let manager = try SessionManager(
            store: InMemoryStore(), service: "test",
            backend: OAuthBackend(endpoint) { _ in "user" }, options: options)
        try await manager.adopt(
            SessionGrant(
                accessToken: AccessToken("spent"), refreshToken: RefreshToken(refreshToken),
                lifetime: .seconds(600), userID: "user"))
        _ = try? await manager.afterUnauthorized(AccessToken("spent"))
        return manager.state
    }

    @Test("Only invalid_grant of the server ends a session")
    func onlyInvalidGrantOfTheServerEndsASession() async throws {
        try await World.with { world in
            let address = "http://127.0.0.1:\(world.client.port)/v1/auth/refresh"
            func isSignedIn(_ token: String, _ route: JSONRoute) async throws -> Bool {
                let state = try await Self.state(after: token, at: address, over: route)
                if case .signedIn = state { return true }
                #expect(state == .signedOut(.endedByServer))
                return false
            }
            let whole = JSONRoute(client: world.client)
            let tokens = try await world.tokens()
            // A proxy that cuts the body, a member under another name or of another type, another
            // media type, and a body that is too long.
            let damaged = [
                JSONRoute(client: world.client) { String($0.prefix(17)) },
                JSONRoute(client: world.client) { _ in "" },
                JSONRoute(client: world.client) { _ in #"{"refreshToken":"a"}"# },
                JSONRoute(client: world.client) { _ in #"{"refresh_token":7}"# },
                JSONRoute(client: world.client) { _ in #"{"refresh_token":null}"# },
                JSONRoute(client: world.client, type: "text/plain"),
                JSONRoute(client: world.client) { _ in String(repeating: " ", count: 30_000) },
            ]
            for route in damaged { #expect(try await isSignedIn(tokens.refresh, route)) }
            world.database.failure = .unavailable
            #expect(try await isSignedIn(tokens.refresh, whole))
            world.database.failure = .corrupt
            #expect(try await isSignedIn(tokens.refresh, whole))
            world.database.failure = nil
            #expect(try await isSignedIn(tokens.refresh, whole))

            _ = try await world.client.post(
                "/v1/auth/sign-out", json: "{}", token: tokens.access)
            #expect(try await !isSignedIn(tokens.refresh, whole))
            #expect(try await !isSignedIn("srt_nonsense", whole))
        }
    }

    /// Its token endpoint speaks RFC 6749, so the client asks it as it is.
    @Test("Only invalid_grant of the issuer ends a session")
    func onlyInvalidGrantOfTheIssuerEndsASession() async throws {
        try await World.with { world in
            let port = try #require(URL(string: world.issuer.issuer)?.port)
            let ended = try await Self.state(
                after: "unknown.1", "dev-client", at: world.issuer.issuer + "/token",
                over: World.transport)
            #expect(ended == .signedOut(.endedByServer))
            for form in [
                "grant_type=refresh_token&client_id=dev-client", "grant_type=refresh_token", "",
                "grant_type=authorization_code&client_id=dev-client",
                "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=dev-client",
            ] {
                let answer = try await WebClient(port: port).send(
                    "POST", "/token",
                    headers: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: .whole(form))
                #expect(answer.status == 400)
                #expect(answer.body.contains(#""error":"invalid_request""#), "\(answer.body)")
            }
        }
    }
}
