// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite(
    "A real OpenID provider on loopback: discovery, sign-in, code, ID token", .tags(.interop),
    .enabled(if: Python.isAvailable, "\(Python.absence)"), .timeLimit(.minutes(20)))
struct OpenIDProviderTests {
    @Test(
        "A whole authorization code flow works with each authentication and both algorithms",
        arguments: ["public", "basic", "post", "es256", "apple"])
    func signIn(_ clientID: String) async throws {
        let flow = try await SignInSteps(clientID: clientID, Self.authentication(clientID))
        let callback = try flow.callback(await flow.browse(flow.request()))
        let tokens = try await flow.exchange(callback.code)
        let idToken = try #require(tokens.idToken)
        #expect(try UnverifiedToken(idToken).algorithm == (clientID == "es256" ? "ES256" : "RS256"))
        // The access token is bound by at_hash, and that fails closed.
        #expect(tokens.accessToken != nil)
        let identity = try await flow.verifier().verify(
            idToken, nonce: .raw(flow.nonce.exposedText), accessToken: tokens.accessToken,
            maximumAuthenticationAge: .seconds(3_600))
        #expect(identity.subject == "alice")
        #expect(identity.issuer == flow.metadata.issuer)
        #expect(identity.name == "Alice")
        #expect(tokens.scopes == ["openid", "email", "profile"])
        #expect((tokens.expiresIn ?? 0) > 0)
    }

    @Test("The ID token is refused for another nonce, access token, client or issuer")
    func otherIDTokens() async throws {
        let flow = try await SignInSteps()
        let tokens = try await flow.exchange(flow.code())
        let idToken = try #require(tokens.idToken)
        let accessToken = try #require(tokens.accessToken)
        let nonce = NonceExpectation.raw(flow.nonce.exposedText)
        let verifier = try flow.verifier()
        let other = try AuthorizationNonce()
        #expect(
            await code { try await verifier.verify(idToken, nonce: .raw(other.exposedText)) }
                == .nonceMismatch)
        #expect(await code { try await verifier.verify(idToken) } == .nonceMismatch)
        #expect(
            await code {
                try await verifier.verify(idToken, nonce: nonce, accessToken: accessToken + "x")
            }
                == .atHash)
        let client = try IDTokenVerifier(
            .openID(issuer: flow.metadata.issuer, clientIDs: ["basic"]),
            keys: .fetched(over: CurlTransport.curl),
            options: SignInSteps.options)
        #expect(await code { try await client.verify(idToken, nonce: nonce) } == .audienceMissing)
        let elliptic = try IDTokenVerifier(
            .openID(issuer: flow.metadata.issuer, clientIDs: ["public"], algorithms: [.es256]),
            keys: .fetched(over: CurlTransport.curl), options: SignInSteps.options)
        #expect(await code { try await elliptic.verify(idToken, nonce: nonce) } == .algMismatch)
        // Nor for the application's own session.
        let sessions = try SessionTokenIssuer(
            issuer: flow.metadata.issuer, audience: "public",
            keys: SessionKeyRing(SigningKey.generate(.rs256, keyID: "rsa-1")),
            lifetime: .seconds(3600),
            clock: .peers)
        #expect(throws: TokenError(.signatureInvalid, "")) { try sessions.verify(idToken) }
    }

    @Test("A code is redeemed once, by the client that began, with the right verifier")
    func codes() async throws {
        let flow = try await SignInSteps()
        let code = try await flow.code()
        // Another sign-in's verifier: PKCE makes a stolen code useless.
        let thief = try await SignInSteps()
        #expect(
            await SignInSteps.refusal { try await thief.exchange(code) }
                == Self.refused("invalid_grant"))
        _ = try await flow.exchange(code)
        #expect(
            await SignInSteps.refusal { try await flow.exchange(code) }
                == Self.refused("invalid_grant"))
        let madeUp = try AuthorizationCode("made-up")
        #expect(
            await SignInSteps.refusal { try await flow.exchange(madeUp) }
                == Self.refused("invalid_grant"))
        // Another client's code, and another redirect URI.
        let third = try await flow.code()
        let other = try await SignInSteps(clientID: "es256")
        #expect(
            await SignInSteps.refusal { try await other.exchange(third) }
                == Self.refused("invalid_grant"))
        let fourth = try await flow.code()
        let moved = await SignInSteps.refusal {
            try await flow.endpoint().exchange(
                fourth, redirectURI: OpenIDProvider.redirectURI + "/", pkce: .used(flow.pkce))
        }
        #expect(moved == Self.refused("invalid_grant"))
    }

    @Test(
        "A client with a wrong secret, or with none, is refused",
        arguments: ["basic", "post", "apple", "nobody"])
    func wrongClient(_ clientID: String) async throws {
        let wrong: ClientAuthentication =
            clientID == "basic" ? .clientSecretBasic("wrong") : .clientSecretPost("wrong")
        let flow = try await SignInSteps(clientID: clientID, wrong)
        let code = try AuthorizationCode("irrelevant")
        #expect(
            await SignInSteps.refusal { try await flow.exchange(code) }
                == Self.refused("invalid_client"))
        let open = try await SignInSteps(clientID: clientID)
        #expect(
            await SignInSteps.refusal { try await open.exchange(code) }
                == Self.refused("invalid_client"))
    }

    @Test("An expired Apple client secret, or one of another team or key, is refused")
    func appleSecrets() async throws {
        let provider = try await OpenIDProvider.shared
        let code = try AuthorizationCode("irrelevant")
        let long = TimeSource.fixed(secondsSince1970: 1_600_000_000)
        let secrets = [
            try AppleClientSecret.issue(
                teamID: "OTHER12345", clientID: "apple", key: provider.appleKey, clock: .peers),
            try AppleClientSecret.issue(
                teamID: OpenIDProvider.appleTeam, clientID: "banana", key: provider.appleKey,
                clock: .peers),
            try AppleClientSecret.issue(
                teamID: OpenIDProvider.appleTeam, clientID: "apple", key: provider.appleKey,
                clock: long),
            try AppleClientSecret.issue(
                teamID: OpenIDProvider.appleTeam, clientID: "apple",
                key: .generate(.es256, keyID: "APPLEKEY01"), clock: .peers),
        ]
        for secret in secrets {
            let flow = try await SignInSteps(clientID: "apple", .clientSecretPost(secret))
            let error = await SignInSteps.refusal { try await flow.exchange(code) }
            #expect(error == Self.refused("invalid_client"))
            #expect(
                error.map { "\($0) \($0.refusal?.errorDescription ?? "")".contains(secret) }
                    == false)
        }
    }

    @Test("A callback does not fit another sign-in")
    func otherCallbacks() async throws {
        let flow = try await SignInSteps()
        let url = try await flow.browse(flow.request())
        let other = try await SignInSteps()
        #expect(await SignInSteps.refusal { try other.callback(url) }?.code == .stateMismatch)
        let moved = url.replacing("callback?", with: "callback/?")
        #expect(await SignInSteps.refusal { try flow.callback(moved) }?.code == .redirectMismatch)
        let elsewhere = await SignInSteps.refusal {
            try AuthorizationCallback(
                url: url, redirectURI: OpenIDProvider.redirectURI, state: flow.state,
                issuer: "https://other.example")
        }
        #expect(elsewhere?.code == .issuerMismatch)
        let withoutIssuer = try #require(
            url.ranges(of: "&iss=").first.map { String(url[..<$0.lowerBound]) })
        #expect(
            await SignInSteps.refusal { try flow.callback(withoutIssuer) }?.code == .issuerMissing)
    }

    @Test("A denial by the user is reported")
    func denied() async throws {
        let flow = try await SignInSteps()
        let url = try await flow.browse(flow.request(additional: [("login_hint", "deny")]))
        let error = await SignInSteps.refusal { try flow.callback(url) }
        #expect(error == Self.refused("access_denied"))
        #expect(error?.refusal?.errorDescription?.isEmpty == false)
    }

    @Test("A refresh token gives new tokens once")
    func refresh() async throws {
        let flow = try await SignInSteps(clientID: "basic", Self.authentication("basic"))
        let first = try await flow.exchange(flow.code())
        let refreshToken = try #require(first.refreshToken)
        let second = try await flow.endpoint().refresh(refreshToken)
        #expect(second.accessToken != nil && second.accessToken != first.accessToken)
        #expect(second.refreshToken != nil && second.refreshToken != refreshToken)
        let replay = await SignInSteps.refusal { try await flow.endpoint().refresh(refreshToken) }
        #expect(replay == Self.refused("invalid_grant"))
    }

    @Test("An issuer name that the provider does not use is refused")
    func discovery() async throws {
        let provider = try await OpenIDProvider.shared
        let alias = provider.issuer.replacing("127.0.0.1", with: "localhost")
        await #expect(throws: KeySourceError(.issuerMismatch, "")) {
            try await ProviderMetadata.fetch(
                issuer: EndpointURL(alias), over: CurlTransport.curl,
                options: SignInSteps.options.keySet
            )
        }
    }

    static func authentication(_ clientID: String) async throws -> ClientAuthentication {
        switch clientID {
        case "basic": return .clientSecretBasic(OpenIDProvider.secrets["basic"] ?? "")
        case "post": return .clientSecretPost(OpenIDProvider.secrets["post"] ?? "")
        case "apple":
            let key = try await OpenIDProvider.shared.appleKey
            return .clientSecretPost(
                try AppleClientSecret.issue(
                    teamID: OpenIDProvider.appleTeam, clientID: "apple", key: key,
                    lifetime: .seconds(15_777_000), clock: .peers))
        default: return .none
        }
    }

    private static func refused(_ error: String) -> AuthorizationError {
        AuthorizationError(.refused, refusal: ProviderRefusal(error: error), "")
    }

    private func code<Value>(_ body: () async throws -> Value) async -> IdentityError.Code? {
        do {
            _ = try await body()
            return nil
        } catch let error as IdentityError {
            return error.code
        } catch {
            Issue.record("not an IdentityError: \(error)")
            return nil
        }
    }
}
