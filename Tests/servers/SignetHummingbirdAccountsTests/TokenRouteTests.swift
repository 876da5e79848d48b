// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import SignetAccounts
    import SignetCrypto
    import SignetHummingbirdAccounts
    import SignetIdentity
    import SignetJOSE
    import Testing

    @Suite("Hummingbird: the token endpoint and the ends of a session")
    struct TokenRouteTests {
        @Test("A form and JSON get the next tokens, and no cache keeps them")
        func refresh() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let first = try await client.signIn()
                let answer = try await client.refresh(first.refreshToken, client: "app")
                #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
                let second = try answer.json(as: Tokens.self)
                #expect(second.tokenType == "Bearer" && second.expiresIn == 3_600)
                let third = try await client.post(
                    "/oauth/token",
                    #"{"grant_type":"refresh_token","refresh_token":"\#(second.refreshToken)"}"#
                ).json(as: Tokens.self)
                #expect(third.refreshToken != second.refreshToken)
                #expect(try await client.get("/api/me", token: third.accessToken).status == .ok)
            }
        }

        @Test("A damaged request is invalid_request, and never ends the client's session")
        func damaged() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let token = try await client.signIn().refreshToken
                let grant = "grant_type=refresh_token"
                let form = "application/x-www-form-urlencoded"
                let rows: [(body: String, type: String, status: Int)] = [
                    ("", form, 415), ("\(grant)", form, 400), ("refresh_token=\(token)", form, 400),
                    ("\(grant)&refresh_token=", form, 400),
                    ("\(grant)&\(grant)&refresh_token=\(token)", form, 400),
                    ("\(grant)&refresh_token=\(token)&refresh_token=\(token)", form, 400),
                    ("\(grant)&refresh_token=%zz", form, 400),
                    ("\(grant)&refresh_token=\u{e9}", form, 400),
                    ("\(grant)&refresh_token=\(token)", "text/plain", 415),
                    (#"{"grant_type":"refresh_token"}"#, "application/json", 400),
                    (#"{"grant_type":"refresh_token","refresh_token":7}"#, "application/json", 400),
                    (#"{"grant_type":"refresh_token","ref"#, "application/json", 400),
                    (String(repeating: "a", count: 30_000), form, 413),
                ]
                for row in rows {
                    let answer = try await client.post("/oauth/token", row.body, type: row.type)
                    #expect(answer.status.code == row.status, "\(row.body.prefix(60))")
                    #expect(answer.oauthError == "invalid_request", "\(row.body.prefix(60))")
                    #expect(answer.headers[.cacheControl] == "no-store")
                }
                let inQuery = try await client.post(
                    "/oauth/token?refresh_token=\(token)", form: [("grant_type", "refresh_token")])
                #expect(inQuery.status == .badRequest && inQuery.oauthError == "invalid_request")
                #expect(try await client.refresh(token).status == .ok)
            }
        }

        @Test("The errors have the names of RFC 6749")
        func errors() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let token = try await client.signIn().refreshToken
                let unknown = try await client.refresh("srt_nonsense")
                #expect(unknown.status == .badRequest && unknown.oauthError == "invalid_grant")
                for grant in [
                    "password", "authorization_code", "client_credentials", "REFRESH_TOKEN",
                ] {
                    let answer = try await client.post(
                        "/oauth/token", form: [("grant_type", grant), ("refresh_token", token)])
                    #expect(answer.status == .badRequest)
                    #expect(answer.oauthError == "unsupported_grant_type")
                }
                let form = [("grant_type", "refresh_token"), ("refresh_token", token)]
                let credentials: HTTPFields = [.authorization: "BASIC YXBwOnNlY3JldA=="]
                for answer in [
                    try await client.post("/oauth/token", form: form, fields: credentials),
                    try await client.post(
                        "/oauth/token", form: form + [("client_secret", "secret")]),
                    try await client.post(
                        "/oauth/token", form: form + [("client_assertion", "e30.e30.")]),
                    try await client.post(
                        "/oauth/revoke", form: [("token", token), ("client_secret", "secret")]),
                ] {
                    #expect(answer.status == .unauthorized && answer.oauthError == "invalid_client")
                    #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
                }
                // A public client may send an empty secret, and an app its old access token.
                let empty = try await client.post(
                    "/oauth/token", form: form + [("client_secret", "")], fields: .bearer("old"))
                #expect(empty.status == .ok)
            }
        }

        @Test("A session of a client is refreshed and revoked by that client alone")
        func clients() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let first = try await client.signIn("app")
                for other in [nil, "other", "APP", "app "] as [String?] {
                    for answer in [
                        try await client.refresh(first.refreshToken, client: other),
                        try await client.revoke(first.refreshToken, client: other),
                        try await client.revoke(first.accessToken, client: other),
                    ] {
                        // A client drops its session on invalid_grant, and this one goes on.
                        #expect(answer.status == (other == nil ? .badRequest : .unauthorized))
                        #expect(
                            answer.oauthError
                                == (other == nil ? "invalid_request" : "invalid_client"))
                    }
                }
                let second = try await client.refresh(first.refreshToken, client: "app")
                    .json(as: Tokens.self)
                let third = try await client.refresh(second.refreshToken, client: "app")
                    .json(as: Tokens.self)
                // A spent token in another client's hands does not end the session either.
                try await fixture.pass(.seconds(60))
                let spent = try await client.refresh(first.refreshToken, client: "other")
                #expect(spent.oauthError == "invalid_client")
                #expect(try await client.refresh(third.refreshToken, client: "app").status == .ok)
                #expect(try await client.revoke(third.accessToken, client: "app").status == .ok)
                #expect(
                    try await client.get("/api/me", token: third.accessToken).status
                        == .unauthorized)
            }
        }

        @Test("Either token ends its session, and an unknown one is 200")
        func revocation() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                for isRefresh in [true, false] {
                    let tokens = try await client.signIn()
                    let other = try await client.signIn()
                    let text = isRefresh ? tokens.refreshToken : tokens.accessToken
                    for unknown in ["srt_nonsense", "nonsense", tokens.accessToken + "x"] {
                        #expect(try await client.revoke(unknown).status == .ok)
                    }
                    #expect(
                        try await client.get("/api/me", token: tokens.accessToken).status == .ok)
                    let answer = try await client.revoke(text)
                    #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
                    #expect(try await client.revoke(text).status == .ok)
                    let ended = try await client.refresh(tokens.refreshToken)
                    #expect(ended.oauthError == "invalid_grant")
                    let me = try await client.get("/api/me", token: tokens.accessToken)
                    #expect(me.status == .unauthorized)
                    #expect(try await client.refresh(other.refreshToken).status == .ok)
                }
                let missing = try await client.post("/oauth/revoke", form: [("tokens", "a")])
                #expect(missing.oauthError == "invalid_request")
                #expect(missing.text.contains("The member token is missing."))
            }
        }

        @Test("An access token that cannot be verified yet is no revoked one: 503, and later 200")
        func revocationAhead() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let tokens = try await client.signIn()
                let issuer = fixture.sessions.issuer
                let other = try issuer.keys.rotated(to: .generate(.es256), earlierUntil: nil)
                // Of an instance that exchanged its key before this one read it.
                let session = try issuer.verify(tokens.accessToken)
                let ahead = try issuer.using(other).issue(
                    subject: session.subject, sessionID: session.sessionID
                ).token
                let early = try await client.revoke(ahead)
                #expect(early.status == .serviceUnavailable)
                #expect(early.oauthError == "temporarily_unavailable")
                #expect(early.headers[.retryAfter] == "60")
                let out = try await client.post("/oauth/sign-out", fields: .bearer(ahead))
                #expect(out.status == .unauthorized)
                #expect(try await client.get("/api/me", token: tokens.accessToken).status == .ok)
                // Of other issuers, of no key, and expired ones: unknown tokens.
                let foreign = try SessionTokenIssuer(
                    issuer: "https://evil.example", audience: "session", keys: other,
                    lifetime: .seconds(3600), clock: fixture.clock.source)
                let foreignToken = try foreign.issue(subject: "a").token
                #expect(try await client.revoke(foreignToken).status == .ok)
                let old = try issuer.using(
                    SessionKeyRing(SigningKey.generate(.es256))
                ).issue(subject: session.subject, sessionID: session.sessionID).token
                // Of a key that was replaced, not of one that is new.
                try await fixture.pass(.seconds(301))
                #expect(try await client.revoke(old).status == .ok)
                try fixture.sessions.use(issuer.using(other))
                #expect(try await client.revoke(ahead).status == .ok)
                #expect(
                    try await client.get("/api/me", token: tokens.accessToken).status
                        == .unauthorized)
                try await fixture.pass(.seconds(3_631))
                #expect(try await client.revoke(old).status == .ok)
            }
        }

        @Test("An access token of a clock that is ahead is not revoked with a 200")
        func revocationOfLater() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let tokens = try await client.signIn()
                let session = try fixture.sessions.issuer.verify(tokens.accessToken)
                fixture.clock.advance(by: .seconds(40))
                let later = try fixture.sessions.issuer.issue(
                    subject: session.subject, sessionID: session.sessionID
                ).token
                fixture.clock.advance(by: .seconds(-40))
                #expect(try await client.revoke(later).status == .serviceUnavailable)
                #expect(try await client.get("/api/me", token: tokens.accessToken).status == .ok)
                fixture.clock.advance(by: .seconds(40))
                #expect(try await client.revoke(later).status == .ok)
                #expect(
                    try await client.get("/api/me", token: tokens.accessToken).status
                        == .unauthorized)
            }
        }

        @Test("A banned user's access token, refresh and sign-in are refused at once")
        func banned() async throws {
            let fixture = try await AccountFixture()
            let secret = try AccountSecret(SecretKey.generate())
            let support = AccountSupport(
                fixture.sessions, factors: SecondFactors(fixture.database, secret: secret))
            try await fixture.application().test(.router) { client in
                let tokens = try await client.signIn()
                #expect(try await client.get("/api/me", token: tokens.accessToken).status == .ok)
                let user = try fixture.sessions.issuer.verify(tokens.accessToken).subject
                try await support.ban(
                    user, until: AccountSupport.endless, by: "kim", reason: "a test")
                #expect(
                    try await client.get("/api/me", token: tokens.accessToken).status
                        == .unauthorized)
                let refreshed = try await client.refresh(tokens.refreshToken)
                #expect(refreshed.status == .badRequest)
                #expect(refreshed.oauthError == "invalid_grant")
                let again = try await client.post(
                    "/sign-in", #"{"email":"ada@company.example"}"#)
                #expect(again.status == .badRequest)
                try await support.liftBan(of: user, by: "kim", reason: "a test")
                _ = try await client.signIn()
            }
        }

        @Test("The person signs out everywhere: sessions of every client end")
        func signOutOfClients() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                func isAlive(_ tokens: Tokens) async throws -> Bool {
                    try await client.get("/api/me", token: tokens.accessToken).status == .ok
                }
                let phone = try await client.signIn("phone")
                let web = try await client.signIn("web")
                let any = try await client.signIn()
                for (scope, keepsPhone) in [("others", true), ("all", false)] {
                    let answer = try await client.post(
                        "/oauth/sign-out?scope=\(scope)", fields: .bearer(phone.accessToken))
                    #expect(answer.status == .noContent)
                    #expect(try await isAlive(phone) == keepsPhone)
                    for ended in [web, any] { #expect(try await !isAlive(ended)) }
                }
            }
        }

        @Test("A router that has the key set passes it by, and a route twice is an error, no trap")
        func mounting() async throws {
            let fixture = try await AccountFixture()
            let cutOff = try SessionCutOff(fixture.sessions, clock: fixture.clock.source)
            func add(
                to router: Router<AccountFixture.Guest>, at path: RouterPath = "oauth",
                keySetIsMounted: Bool = false
            ) throws {
                try router.addTokens(
                    of: fixture.sessions, people: fixture.people, checking: cutOff, at: path,
                    keySetIsMounted: keySetIsMounted)
            }
            let router = Router(context: AccountFixture.Guest.self)
            router.addKeySet(of: RotatingSessionIssuer(fixture.sessions.issuer))
            #expect(throws: IdentityConfigurationError(.contradiction, "")) { try add(to: router) }
            try add(to: router, keySetIsMounted: true)
            for path in ["oauth", "other"] as [RouterPath] {
                #expect(throws: IdentityConfigurationError(.contradiction, "")) {
                    try add(to: router, at: path, keySetIsMounted: true)
                }
            }
            try await Application(router: router).test(.router) { client in
                let keys = try await client.get("/.well-known/jwks.json")
                #expect(try keys.text == fixture.sessions.issuer.keys.jwksJSON())
                let metadata = try await client.get("/.well-known/oauth-authorization-server")
                #expect(metadata.text.contains("https://api.example/.well-known/jwks.json"))
            }
            let one = Router(context: AccountFixture.Guest.self)
            one.post("oauth/revoke") { _, _ in "" }
            #expect(throws: IdentityConfigurationError(.contradiction, "")) { try add(to: one) }
        }

        @Test("A sign-out ends this session, all, or all others")
        func signOut() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                func isAlive(_ tokens: Tokens) async throws -> Bool {
                    try await client.get("/api/me", token: tokens.accessToken).status == .ok
                }
                func signOut(_ tokens: Tokens, _ query: String) async throws -> Int {
                    try await client.post(
                        "/oauth/sign-out\(query)", fields: .bearer(tokens.accessToken)
                    ).status.code
                }
                let stranger = try await client.signIn(email: "grace@company.example")
                let one = try await client.signIn("app")
                let two = try await client.signIn()
                let three = try await client.signIn()
                for query in ["?scope=everywhere", "?scop=all", "?scope=this&scope=all"] {
                    #expect(try await signOut(one, query) == 400)
                }
                let form = try await client.post(
                    "/oauth/sign-out", form: [("scope", "all")], fields: .bearer(one.accessToken))
                #expect(form.status == .badRequest)
                #expect(try await signOut(one, "") == 204)
                #expect(try await !isAlive(one))
                #expect(try await signOut(one, "") == 401)
                #expect(try await signOut(two, "?scope=others") == 204)
                #expect(try await !isAlive(three))
                #expect(try await isAlive(two))
                #expect(try await signOut(two, "?scope=all") == 204)
                #expect(try await !isAlive(two))
                #expect(try await isAlive(stranger))
                #expect(try await client.post("/oauth/sign-out").status == .unauthorized)
            }
        }

        @Test("While the database cannot be written to the answer is 503, and the token stays good")
        func outage() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let token = try await client.signIn().refreshToken
                await fixture.database.close()
                for answer in [try await client.refresh(token), try await client.revoke(token)] {
                    #expect(answer.status == .serviceUnavailable)
                    #expect(answer.oauthError == "temporarily_unavailable")
                }
            }
        }

        @Test("Userinfo names the user of an access token, and nobody after the end")
        func userInfo() async throws {
            let fixture = try await AccountFixture()
            try await fixture.application().test(.router) { client in
                let tokens = try await client.signIn()
                let answer = try await client.get("/oauth/userinfo", token: tokens.accessToken)
                #expect(answer.headers[.cacheControl] == "no-store")
                let subject = try await client.get("/api/me", token: tokens.accessToken).text
                #expect(
                    answer.text.hasPrefix(
                        #"{"email":"ada@company.example","email_verified":true,"sub":"\#(subject)","#
                    ))
                let posted = try await client.post(
                    "/oauth/userinfo", fields: .bearer(tokens.accessToken))
                #expect(posted.text == answer.text)
                _ = try await client.revoke(tokens.refreshToken)
                let ended = try await client.get("/oauth/userinfo", token: tokens.accessToken)
                #expect(ended.status == .unauthorized && ended.oauthError == "invalid_token")
                let guest = try await client.get("/oauth/userinfo")
                #expect(guest.headers[.wwwAuthenticate] == "Bearer")
            }
        }
    }
#endif
