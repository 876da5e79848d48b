// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// What comes after a sign-in, at Authlib's own endpoints.
@Suite(
    "A real OpenID provider: private_key_jwt, introspection, revocation, userinfo, logout",
    .tags(.interop), .enabled(if: Python.isAvailable, "\(Python.absence)"),
    .timeLimit(.minutes(20)))
struct AfterSignInTests {
    let provider: OpenIDProvider
    let metadata: ProviderMetadata

    init() async throws {
        provider = try await OpenIDProvider()
        metadata = try await ProviderMetadata.fetch(
            issuer: EndpointURL(provider.issuer), over: CurlTransport.curl,
            options: SignInSteps.options.keySet)
    }

    func steps(
        _ clientID: String, _ authentication: ClientAuthentication
    ) async throws -> SignInSteps {
        try await SignInSteps(
            issuer: provider.issuer, clientID: clientID, authentication, algorithm: .rs256)
    }

    func key(audience: String? = nil, signing key: SigningKey? = nil) -> ClientAuthentication {
        .privateKeyJWT(key ?? provider.clientKey, audience: audience ?? provider.issuer)
    }

    func introspection(
        _ clientID: String = "basic", _ authentication: ClientAuthentication? = nil,
        audience: String = "key", issuer: String? = nil
    ) throws -> TokenIntrospection {
        try TokenIntrospection(
            AccessTokenProfile(issuer: issuer ?? provider.issuer, audience: .anyOf([audience])),
            at: #require(metadata.introspectionEndpoint), clientID: clientID,
            authentication: authentication
                ?? .clientSecretBasic(OpenIDProvider.secrets["basic"] ?? ""),
            transport: CurlTransport.curl, timeout: SignInSteps.timeout,
            options: SignInSteps.options)
    }

    @Test("A client with a key signs in, refreshes, introspects and revokes")
    func privateKey() async throws {
        let flow = try await steps("key", key())
        let tokens = try await flow.exchange(flow.code())
        _ = try await flow.verifier().verify(
            #require(tokens.idToken), nonce: .raw(flow.nonce.exposedText))
        let endpoint = try flow.endpoint()
        let next = try await endpoint.refresh(#require(tokens.refreshToken))
        let access = try #require(next.accessToken)
        for introspection in [try introspection(), try introspection("key", key())] {
            let token = try await introspection.verify(access, scopes: ["openid"])
            #expect(token.principal == .user("alice") && token.clientID == "key")
            #expect(token.audience == ["key"] && token.issuer == provider.issuer)
        }
        // Active as well, but not for presenting to an API.
        let refresh = try #require(next.refreshToken)
        #expect(
            await reason { () async throws(IdentityError) in
                try await introspect(refresh)
            } == IdentityError(.typeMismatch, claim: "token_type", ""))
        try await endpoint.revoke(
            accessToken: access, at: #require(metadata.revocationEndpoint))
        #expect(
            await reason { () async throws(IdentityError) in try await introspect(access) }?.code
                == .inactive)
    }

    private func introspect(_ token: String) async throws(IdentityError) -> VerifiedAccessToken {
        guard let introspection = try? introspection() else {
            throw IdentityError(.introspectionFailed, "not made")
        }
        return try await introspection.verify(token)
    }

    @Test("Another key, audience or client name is invalid_client")
    func wrongKeys() async throws {
        let other = try SigningKey.generate(.es256, keyID: "client-1")
        for authentication in [
            key(signing: other), key(audience: "https://elsewhere.example"),
            key(audience: provider.issuer + "/token"),
        ] {
            let flow = try await steps("key", authentication)
            let code = try await flow.code()
            let refusal = await SignInSteps.refusal { try await flow.exchange(code) }
            #expect(refusal?.refusal?.error == "invalid_client", "\(refusal as Any)")
            let introspection = try introspection("key", authentication)
            let error = await reason { () async throws(IdentityError) in
                try await introspection.verify("token")
            }
            #expect(error?.code == .introspectionFailed)
            #expect(error.map { HTTPRefusal($0).status } == 500)
        }
    }

    @Test("Unknown tokens, other audiences or issuers, and missing scopes are refused")
    func introspected() async throws {
        let flow = try await steps("key", key())
        let access = try #require(try await flow.exchange(flow.code()).accessToken)
        let cases: [(TokenIntrospection, String, [String], IdentityError.Code)] = [
            (try introspection(), access + "x", [], .inactive),
            (try introspection(audience: "other"), access, [], .audienceMissing),
            (try introspection(issuer: "https://idp.example"), access, [], .issuer),
            (try introspection(), access, ["openid", "mail"], .insufficientScope),
        ]
        for (introspection, token, scopes, code) in cases {
            let error = await reason { () async throws(IdentityError) in
                try await introspection.verify(token, scopes: scopes)
            }
            #expect(error?.code == code)
        }
        let last = try introspection()
        provider.stop()
        let error = await reason { () async throws(IdentityError) in try await last.verify(access) }
        #expect(error?.code == .introspectionUnavailable)
        #expect(error.map { HTTPRefusal($0).status } == 503)
    }

    private func signIn(
        _ decryption: IDTokenVerifier.Decryption = .notOffered
    ) throws -> SignIn {
        var rules = try IdentityProvider.openID(issuer: provider.issuer, clientIDs: ["key"])
        rules.codeFlow?.scopes = ["openid"]
        return try SignIn(
            rules, authentication: key(), redirectURI: OpenIDProvider.redirectURI,
            keeping: .store(MemorySignInStore(clock: .peers)), transport: .curl,
            decryption: decryption, options: SignInSteps.options)
    }

    @Test("Userinfo is accepted for this user only, and in the expected form only")
    func userInfo() async throws {
        let signIn = try signIn()
        let begun = try await signIn.begin()
        let place = try await OpenIDProvider.visit(begun.url)
        let finished = try await signIn.finish(url: place, ticket: begun.ticket)
        let info = try await signIn.userInfo(of: finished)
        #expect(info.subject == "alice" && info.name == "Alice of userinfo")
        #expect(info.email.address == "alice@app.example")
        #expect(info.email.evidence == .verifiedAddress)
        let refusals: [(String, UserInfoEndpoint.Form, String)] = [
            ("other", .json, "subjectMismatch"), ("other", .signed, "formMismatch"),
            ("signed", .json, "formMismatch"), ("signed", .encrypted, "contradiction"),
        ]
        for (form, expected, code) in refusals {
            try await provider.answerUserInfo(form)
            let error = await #expect(throws: SignInError.self) {
                try await signIn.userInfo(of: finished, expecting: expected)
            }
            #expect(error?.code.rawValue == code)
        }
        let signed = try await signIn.userInfo(of: finished, expecting: .signed)
        #expect(signed.subject == "alice" && signed.name == "Alice of userinfo")
        let endpoint = try UserInfoEndpoint(
            url: #require(metadata.userInfoEndpoint), verifier: signIn.verifier,
            transport: CurlTransport.curl, timeout: SignInSteps.timeout)
        let error = await SignInSteps.refusal {
            try await endpoint.userInfo(of: finished.identity, accessToken: "none-of-its-own")
        }
        #expect(error?.code == .refused && error?.refusal?.error == "invalid_token")
    }

    @Test("Authlib's signed userinfo, which joserfc has encrypted to this client, is read")
    func encryptedUserInfo() async throws {
        let keys = try DecryptionKeySet(current: .generate(.ecdhESA256KW, keyID: "enc-1"))
        let other = try DecryptionKeySet(current: .generate(.ecdhESA256KW, keyID: "enc-1"))
        let signIn = try signIn(.offered(keys))
        let begun = try await signIn.begin()
        let place = try await OpenIDProvider.visit(begun.url)
        let finished = try await signIn.finish(url: place, ticket: begun.ticket)
        try await provider.answerUserInfo("encrypted", encryptedTo: keys.publicJSON())
        let info = try await signIn.userInfo(of: finished, expecting: .encrypted)
        #expect(info.subject == "alice" && info.name == "Alice of userinfo")
        let refusals: [(DecryptionKeySet, UserInfoEndpoint.Form, String)] = [
            (keys, .signed, "formMismatch"), (other, .encrypted, "invalidResponse"),
        ]
        for (keys, expected, code) in refusals {
            try await provider.answerUserInfo("encrypted", encryptedTo: keys.publicJSON())
            let error = await #expect(throws: SignInError.self) {
                try await signIn.userInfo(of: finished, expecting: expected)
            }
            #expect(error?.code.rawValue == code)
        }
    }

    @Test("A sign-out at the provider returns the browser with the state")
    func logout() async throws {
        let signIn = try signIn()
        let begun = try await signIn.begin()
        let place = try await OpenIDProvider.visit(begun.url)
        let finished = try await signIn.finish(url: place, ticket: begun.ticket)
        let request = try await signIn.logoutRequest(
            idToken: finished.identity.idTokenHint, returningTo: OpenIDProvider.redirectURI)
        let back = try await OpenIDProvider.visit(request.url)
        let state = try #require(request.state)
        let query = try WholeSignIn.query(back)
        try LogoutRequest.checkReturn(query: query, state: state)
        #expect(throws: AuthorizationError(.stateMismatch, "")) {
            try LogoutRequest.checkReturn(query: query, state: AuthorizationState())
        }
    }

    @Test("joserfc's logout token ends sessions once, and is no ID token")
    func backChannel() async throws {
        let rules = try IdentityProvider.openID(issuer: provider.issuer, clientIDs: ["key"])
        let logouts = try BackChannelLogout(
            rules, keys: .fetched(over: CurlTransport.curl),
            replays: MemoryLogoutReplayStore(clock: .peers),
            options: SignInSteps.options)
        let token = try await provider.logoutToken(for: "key")
        let ended = Recorder<VerifiedLogout>()
        for (form, status) in [(token, 200), (token, 400)] {
            let answer = await logouts.receive(form: "logout_token=" + form) { ended.append($0) }
            #expect(answer.status == status && answer.cacheControl == "no-store")
        }
        let logout = try #require(ended.all.first)
        #expect(ended.all.count == 1 && logout.sessionID == "session-1")
        #expect(logout.identityKey?.subject == "alice")
        #expect(logout.identityKey?.issuer == provider.issuer)
        let other = try await provider.logoutToken(for: "basic")
        let refused = await logouts.receive(other) { ended.append($0) }
        #expect((refused.error as? IdentityError)?.code == .audienceMissing)
        let verifier = try IDTokenVerifier(
            rules, keys: .fetched(over: CurlTransport.curl), options: SignInSteps.options)
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(token)
        }
        #expect(error?.code == .typeMismatch)
    }
}
