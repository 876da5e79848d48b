// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// A token endpoint that answers with what it was sent, or with text that is expensive to search.
@Suite("Hostile refusals of a token endpoint")
struct HostileRefusalTests {
    private static func refusal(
        _ authentication: ClientAuthentication = .none, code: String = "the-code-value",
        _ description: @escaping @Sendable (TransportRequest) -> String
    ) async throws -> AuthorizationError {
        let transport = FakeTransport { request in
            .status(
                400, ["Content-Type": "application/json"],
                body: #"{"error":"x","error_description":"\#(description(request))"}"#)
        }
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: "client",
            authentication: authentication,
            transport: transport, timeout: .seconds(60))
        return try await #require(throws: AuthorizationError.self) {
            _ = try await endpoint.exchange(
                AuthorizationCode(code), redirectURI: SignInFixture.redirectURI,
                pkce: .used(SignInFixture.pkce()))
        }
    }

    @Test("The client secret is never repeated, in base64 and percent-encoding either")
    func echoedSecret() async throws {
        let basic = try await Self.refusal(.clientSecretBasic("s/cret value")) {
            $0.authorization ?? ""
        }
        #expect(basic.refusal?.error == "x" && basic.refusal?.errorDescription == nil)
        let post = try await Self.refusal(.clientSecretPost("s/cret value")) { _ in
            "client_secret=s%2Fcret%20value"
        }
        #expect(post.refusal?.errorDescription == nil)
        let other = try await Self.refusal(.clientSecretPost("s/cret value")) { _ in
            "no such client"
        }
        #expect(other.refusal?.errorDescription == "no such client")
    }

    /// The code compared at every place of the description, and not only where it is shown, would
    /// cost hundreds of times as much.
    @Test("A description that almost holds the code many times costs next to nothing")
    func longDescription() async throws {
        let code = String(repeating: "a", count: 4_095) + "b"
        let description = String(repeating: "a", count: 130_000)
        let error = try await Self.refusal(code: code) { _ in description }
        #expect(error.refusal?.errorDescription == String(repeating: "a", count: 256))
        let time = ThreadClock.measure {
            let refusal = ProviderRefusal(
                error: ReceivedText("x"), description: ReceivedText(description), secrets: [code])
            #expect(refusal == error.refusal)
        }
        #expect(time < .seconds(10))
    }

    @Test("A secret that is cut by the length limit is removed as well")
    func secretAtTheCut() async throws {
        let code = String(repeating: "c", count: 600)
        let error = try await Self.refusal(code: code) { _ in
            String(repeating: "é", count: 255) + code
        }
        #expect(error.refusal?.errorDescription == nil)
        let behind = try await Self.refusal(code: code) { _ in
            String(repeating: "é", count: 256) + code
        }
        #expect(behind.refusal?.errorDescription == String(repeating: "?", count: 256))
    }

    @Test("A part that holds what looks like another secret is left out, and usual ones stay")
    func otherSecrets() async throws {
        for secret in [
            HostileText.token, "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
            "1//0gFq3nVdXbUuQGkPn0JZ5rTt8HhLwA1sExvF3FpQ2mYlQ9C3y",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            let refusal = ProviderRefusal(error: secret, errorDescription: "Not known: \(secret)")
            #expect(refusal.error == "?" && refusal.errorDescription == nil, "\(secret)")
        }
        for text in [
            "AADSTS70008: The provided authorization code or refresh token has expired. "
                + "Trace ID: 9188040d-6c67-4c5b-b112-36a304b66dad Timestamp: 2026-11-26 20:00:00Z",
            "The redirect URI 'https://app.example/signed-in' is not registered.",
            "Unknown or invalid refresh token.",
            "Token is not active (kid " + "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs)",
        ] {
            let refusal = ProviderRefusal(error: "invalid_grant", errorDescription: text)
            #expect(refusal.errorDescription == text && refusal.registeredError != nil)
        }
    }

    @Test("Printing a request or an answer shows no secret")
    func printing() async throws {
        let transport = FakeTransport(.status(200, ["X": "field-value"], body: "token-value"))
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: "client",
            authentication: .clientSecretBasic("secret-value"), transport: transport,
            timeout: .seconds(60))
        _ = try? await endpoint.exchange(
            AuthorizationCode("code-value"), redirectURI: SignInFixture.redirectURI,
            pkce: .used(SignInFixture.pkce()))
        let request = try #require(transport.requests.all.first)
        let response = try await transport.exchange(request)
        let authorization = try #require(request.authorization)
        for value in [request, request.body as Any, request.sentFields, response] as [Any] {
            let text = SignInSecretsAreNotPrinted.rendered(value)
            // As text, and as the numbers of the octets.
            for secret in [
                authorization, "code-value", "token-value", "field-value", SignInFixture.verifier,
            ] {
                #expect(!text.contains(secret))
                #expect(!text.contains(secret.utf8.map { "\($0)" }.joined(separator: ", ")))
            }
            #expect(!text.contains("- \(UInt8(ascii: "c"))\n"))
        }
    }
}
