// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// No token, code, verifier, state, nonce, key or client secret in a description, a dump or a mirror.
@Suite("Printing of sign-in and session secrets")
struct SignInSecretsAreNotPrinted {
    static func rendered(_ value: Any) -> String {
        var text = "\(value)\n" + String(reflecting: value) + "\n"
        dump(value, to: &text)
        for child in Mirror(reflecting: value).children {
            text += "\(child.value)\n" + String(reflecting: child.value)
        }
        return text
    }

    @Test("A sign-in prints no secret")
    func signIn() async throws {
        let state = try SignInFixture.state()
        let nonce = try SignInFixture.nonce()
        let pkce = try SignInFixture.pkce()
        let secret = "client-secret-value"
        let request = try AuthorizationRequest(
            endpoint: EndpointURL("https://accounts.example/authorize"), clientID: "client",
            redirectURI: SignInFixture.redirectURI, state: state, nonce: .used(nonce),
            pkce: .used(pkce))
        let callback = try AuthorizationCallback(
            query: "code=the-code-value&state=\(SignInFixture.stateText)&user=some-user-value",
            state: state,
            issuer: SignInFixture.issuer)
        let authentication = ClientAuthentication.clientSecretBasic(secret)
        let answer =
            #"{"access_token":"access-value","token_type":"Bearer","id_token":"id-value","refresh_token":"refresh-value"}"#
        let endpoint = try TokenEndpoint(
            url: EndpointURL("https://accounts.example/token"), clientID: "client",
            authentication: authentication,
            transport: TokenEndpointTests.Recorder(200, answer), timeout: .seconds(60))
        let response = try await endpoint.exchange(
            callback.code, redirectURI: SignInFixture.redirectURI, pkce: .used(pkce))
        let values: [Any] = [
            state, nonce, pkce, request, callback, callback.code, authentication, endpoint,
            response,
            [state], (endpoint, response), Optional(pkce) as Any,
            PKCE.Use.used(pkce), AuthorizationNonce.Use.used(nonce),
        ]
        let secrets = [
            SignInFixture.stateText, SignInFixture.nonceText, SignInFixture.verifier, secret,
            "the-code-value",
            "some-user-value", "access-value", "id-value", "refresh-value",
        ]
        for value in values {
            let text = Self.rendered(value)
            for secret in secrets {
                #expect(!text.contains(secret), "\(type(of: value)) shows \(secret)")
            }
        }
    }

    @Test("A session prints no secret", arguments: SessionFixture.Kind.allCases)
    func session(_ kind: SessionFixture.Kind) throws {
        let ring = try SessionFixture.rotated(SessionFixture.ring(kind), kind, "k2")
        let issuer = try SessionFixture.issuer(ring)
        let issued = try issuer.issue(subject: "u")
        let bearer = try BearerToken(authorization: ["Bearer " + issued.token])
        let presented = try PresentedToken(
            authorization: [], cookies: ["s=" + issued.token], cookieName: "s")
        let document = try ring.exportPrivateJSON().exposedText()
        var secrets = [String(issued.token.suffix(30)), String(issued.token.prefix(60))]
        for name in ["d", "k", "p"] {
            secrets += document.split(separator: "\"\(name)\":\"").dropFirst().map {
                String($0.prefix(20))
            }
        }
        #expect(secrets.count > 2)
        for value in [ring, issuer, issued, bearer, presented, try issuer.verify(bearer)] as [Any] {
            let text = Self.rendered(value)
            for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
        }
    }
}
