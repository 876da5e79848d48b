// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import Hummingbird
    import HummingbirdTesting
    import SignetAccounts
    import SignetBase
    import SignetHummingbirdAccounts
    import SignetIdentity
    import SignetJOSE
    import SignetSession
    import SignetSignIn
    import SignetVaultTesting
    import TestSupport
    import Testing

    @Suite("Signet's own client against the token endpoint")
    struct ClientLifeTests {
        @Test("The client finds everything by the issuer, and lives 30 days")
        func month() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let transport = RouterTransport(client: client)
                let metadata = try await ProviderMetadata.fetch(
                    authorizationServer: EndpointURL(AccountFixture.issuer), over: transport,
                    options: .still)
                let endpoint = try TokenEndpoint(
                    provider: metadata, clientID: "app", authentication: .none,
                    transport: transport, timeout: .seconds(60))
                var options = SessionOptions()
                options.refreshesAhead = false
                options.requestTimeout = .seconds(60)
                let manager = try SessionManager(
                    store: InMemoryStore(), service: "test",
                    backend: OAuthBackend(endpoint, revocation: metadata.revocationEndpoint) { _ in
                        "ada"
                    }, options: options, clock: fixture.clock.source)
                let first = try await client.signIn("app")
                try await manager.adopt(
                    SessionGrant(
                        accessToken: AccessToken(first.accessToken),
                        refreshToken: RefreshToken(first.refreshToken), lifetime: .seconds(3_600),
                        userID: "ada"))
                var seen: Set<String> = []
                for hour in 0..<30 * 24 {
                    let token = try await manager.accessToken().exposedText
                    seen.insert(token)
                    let me = try await client.get("/api/me", token: token)
                    try #require(me.status == .ok, "hour \(hour)")
                    // The keys change in between, as they do every 30 days.
                    if hour == 400 {
                        let issuer = fixture.sessions.issuer
                        let ring = try issuer.keys.rotated(to: .generate(.es256), earlierUntil: nil)
                        try fixture.sessions.use(issuer.using(ring))
                    }
                    try await fixture.pass(.seconds(3_600))
                }
                #expect(seen.count == 30 * 24)

                try await fixture.interrupted {
                    _ = try? await manager.accessToken()
                    #expect(manager.state.isSignedIn)
                }
                try await fixture.pass(.seconds(120))
                let last = try await manager.accessToken().exposedText
                #expect(await manager.signOut().isComplete)
                #expect(try await client.get("/api/me", token: last).status == .unauthorized)
            }
        }

        @Test("A session that ended at the server ends at the client")
        func ended() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let endpoint = try TokenEndpoint(
                    url: EndpointURL(AccountFixture.issuer + "/oauth/token"), clientID: "app",
                    authentication: .none, transport: RouterTransport(client: client),
                    timeout: .seconds(60))
                let backend = OAuthBackend(endpoint) { _ in "ada" }
                let tokens = try await client.signIn("app")
                _ = try await client.post(
                    "/oauth/sign-out?scope=all", fields: .bearer(tokens.accessToken))
                await #expect(throws: SessionError(.refused, "")) {
                    try await backend.refresh(RefreshToken(tokens.refreshToken))
                }
            }
        }

        @Test("A wrong client_id at the server ends no session at the client")
        func wrongClient() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let tokens = try await client.signIn("another")
                let endpoint = try TokenEndpoint(
                    url: EndpointURL(AccountFixture.issuer + "/oauth/token"), clientID: "app",
                    authentication: .none, transport: RouterTransport(client: client),
                    timeout: .seconds(60))
                let backend = OAuthBackend(endpoint) { _ in "ada" }
                await #expect(throws: SessionError(.serverFailed, "")) {
                    try await backend.refresh(RefreshToken(tokens.refreshToken))
                }
                let answer = try await client.refresh(tokens.refreshToken, client: "another")
                #expect(answer.status == .ok)
            }
        }

        @Test("The metadata are at the well-known name of the issuer")
        func metadata() async throws {
            let issuers = [
                "https://api.example", "https://api.example/", "https://api.example/accounts",
                "http://127.0.0.1:8080", "https://api.example/a/b/",
            ]
            for issuer in issuers {
                let fixture = try await AccountFixture(issuer: issuer)
                try await fixture.application().test(.router) { client in
                    let url = try EndpointURL(issuer)
                    let metadata = try await ProviderMetadata.fetch(
                        authorizationServer: url, over: RouterTransport(client: client),
                        options: .still)
                    #expect(metadata.issuer == issuer)
                    #expect(metadata.tokenEndpoint?.path == "/oauth/token")
                    #expect(metadata.tokenEndpoint?.hasSameOrigin(as: url) == true)
                    #expect(metadata.userInfoEndpoint?.path == "/oauth/userinfo")
                    #expect(metadata.jwksURI.path == "/.well-known/jwks.json")
                    #expect(metadata.tokenEndpointAuthMethods == ["none"])
                }
            }
            for issuer in ["api", "http://api.example", "https://api.example/?a=b"] {
                let fixture = try await AccountFixture(issuer: issuer)
                #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
                    try fixture.application()
                }
            }
        }

        @Test("The document has the members of RFC 8414, and the published keys verify a token")
        func documents() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let document = try await client.get("/.well-known/oauth-authorization-server").text
                for member in [
                    #""grant_types_supported":["refresh_token"]"#,
                    #""response_types_supported":[]"#,
                    #""token_endpoint_auth_methods_supported":["none"]"#,
                    #""revocation_endpoint":"https://api.example/oauth/revoke""#,
                ] { #expect(document.contains(member), "\(document)") }
                let token = try await client.signIn().accessToken
                let published = try await client.get("/.well-known/jwks.json")
                let verifier = try TokenVerifier(
                    keys: KeySet(jwks: Array(published.body.readableBytesView)),
                    policy: TokenPolicy(
                        issuer: AccountFixture.issuer, audience: ["session"],
                        clock: fixture.clock.source))
                #expect(try verifier.verify(token).keyID != nil)
            }
        }
    }
#endif
