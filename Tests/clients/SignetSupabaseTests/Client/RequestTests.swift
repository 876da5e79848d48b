// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

/// What is sent, byte for byte.
struct RequestTests {
    /// S0-5, S0-8, S2-19.
    @Test("A request has its address, key, API version and token")
    func hasItsFields() async throws {
        let transport = FakeTransport(body: Fixture.user)
        let auth = try Fixture.auth(
            transport, fields: [TransportRequest.Field(name: "x-app-version", value: "unknown")])
        _ = try await auth.user(Fixture.token)
        let request = try #require(transport.requests.all.first)
        #expect(request.method == .get)
        #expect(request.url.text == "https://abcdefgh.supabase.co/auth/v1/user")
        #expect(request.value(of: "apikey") == Fixture.key)
        #expect(request.value(of: "x-supabase-api-version") == "2024-01-01")
        #expect(request.value(of: "x-app-version") == "unknown")
        #expect(request.authorization == "Bearer " + Fixture.accessToken)
        #expect(request.body == nil)
    }

    /// S0-17, S0-52.
    @Test("A code is requested by phone or e-mail, without a token")
    func sendsACode() async throws {
        let transport = FakeTransport(body: "{}")
        let auth = try Fixture.auth(transport)
        try await auth.sendCode(to: Fixture.phone)
        try await auth.sendCode(
            to: Fixture.email, createsUser: false, metadata: ["name": "Ann"], captcha: "human")
        let sent = transport.requests.all
        #expect(
            sent.map(\.text) == [
                #"{"channel":"sms","create_user":true,"phone":"+14155551234"}"#,
                #"{"create_user":false,"data":{"name":"Ann"},"email":"ann@company.example","#
                    + #""gotrue_meta_security":{"captcha_token":"human"}}"#,
            ])
        #expect(sent.allSatisfy { $0.body?.contentType == "application/json" })
        #expect(sent.allSatisfy { $0.authorization == nil && $0.method == .post })
    }

    /// S0-18.
    @Test("A code is verified with the address that it was sent to")
    func verifiesTheCodeOfTheSameAddress() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let grant = try await Fixture.auth(transport).verify(
            Fixture.code, sentTo: Fixture.phone)
        #expect(
            transport.requests.all.map(\.text) == [
                #"{"phone":"+14155551234","token":"012345","type":"sms"}"#
            ])
        // S0-1: the provider's user id.
        #expect(grant.userID == Fixture.userID)
        #expect(grant.accessToken.exposedText == Fixture.accessToken)
        #expect(grant.refreshToken?.exposedText == Fixture.refreshToken)
        #expect(grant.lifetime == .seconds(3600))
        #expect(grant.profile == Fixture.user)
    }

    @Test("A link's hash is verified, and a malformed one is not sent")
    func verifiesTheHashOfALink() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        for purpose in [SupabaseDestination.Purpose.signIn, .recovery] {
            let grant = try await auth.verify(tokenHash: "pkce_0a1b", purpose: purpose)
            #expect(grant.userID == Fixture.userID)
        }
        #expect(
            transport.requests.all.map(\.text) == [
                #"{"token_hash":"pkce_0a1b","type":"email"}"#,
                #"{"token_hash":"pkce_0a1b","type":"recovery"}"#,
            ])
        for text in ["", "a b", "ä", "a\n", String(repeating: "a", count: 257)] {
            let error = await failure { () async throws(SupabaseError) in
                _ = try await auth.verify(tokenHash: text)
            }
            #expect(error?.code == .invalidInput)
        }
        #expect(transport.requests.all.count == 2)
    }

    /// S0-56, S1-29.
    @Test("An ID token signs in with its nonce")
    func signsInWithAnIDToken() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        let nonce = try AuthorizationNonce("n-0S6_WzA2Mjn-0S6_WzA2Mj")
        _ = try await auth.signIn(idToken: "aaa.bbb.ccc", provider: .apple, nonce: nonce)
        #expect(
            transport.requests.all.map(\.text) == [
                #"{"id_token":"aaa.bbb.ccc","nonce":"n-0S6_WzA2Mjn-0S6_WzA2Mj","#
                    + #""provider":"apple"}"#
            ])
        #expect(transport.requests.all.first?.url.query == "grant_type=id_token")
        // What the provider gets instead, as sha256sum computes it.
        #expect(
            try nonce.sha256Hex()
                == "8dcd2fd1b50d8f063672b5604f778ff8613574e4e0f1d8b80a0b113ba0e6c147")
    }

    /// S2-12.
    @Test("Nothing is sent without an ID token")
    func saysThatThereIsNoIDToken() async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.signIn(idToken: "", provider: .google)
        }
        #expect(error?.code == .missingIDToken)
        #expect(error?.userMessage == "Failed to get ID token from Google")
        #expect(transport.count == 0)
    }

    @Test("Input that cannot be sent is refused before any request")
    func refusesWhatCannotBeSent() async throws {
        let transport = FakeTransport(body: "{}")
        let auth = try Fixture.auth(transport)
        let (phone, email) = (try Fixture.phone, try Fixture.email)
        let codes = [
            await failure { () async throws(SupabaseError) in
                _ = try await auth.signIn(idToken: "a.b.c", provider: "a&b")
            },
            await failure { () async throws(SupabaseError) in
                _ = try auth.authorization(
                    provider: "", redirectTo: "app://callback", schemes: ["app"])
            },
            await failure { () async throws(SupabaseError) in
                try await auth.resend(to: phone, purpose: .recovery)
            },
            await failure { () async throws(SupabaseError) in
                try await auth.resend(to: email, purpose: .signIn)
            },
            await failure { () async throws(SupabaseError) in
                _ = try auth.authorization(
                    provider: .google, redirectTo: "app://callback", schemes: ["app"],
                    additional: [("redirect_to", "https://evil.example")])
            },
        ].map { $0?.code }
        #expect(codes == [SupabaseError.Code?](repeating: .invalidInput, count: 5))
        #expect(transport.count == 0)
    }

    /// A project in a compose file.
    @Test("Unencrypted http is used in a private network that is named as such")
    func goesToAPrivateNetworkThatIsNamedSo() async throws {
        let transport = FakeTransport(body: Fixture.user)
        let url = try EndpointURL(unencryptedInPrivateNetwork: "http://kong:8000")
        let auth = try SupabaseAuth(
            SupabaseProject(url: url), publishableKey: Fixture.key, transport: transport)
        try await auth.signOut(Fixture.token, scope: .this)
        #expect(
            transport.requests.all.first?.url.text == "http://kong:8000/auth/v1/logout?scope=local")
        #expect(
            try auth.authorization(
                provider: .google, redirectTo: "app://callback", schemes: ["app"]
            ).url.hasPrefix(
                "http://kong:8000/auth/v1/authorize?"))
        let key = SecretKey(copying: GoTrueServer.secret.utf8)
        _ = try SupabaseTokenVerifier(
            SupabaseProject(url: url), legacySecret: HMACKey(secret: key, algorithm: .hs256),
            options: .still)
    }
}
