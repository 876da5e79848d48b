// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetLogin
import TestSupport
import Testing

@Suite("An account of this machine")
struct LocalAccountTests {
    @Test("A person who signed in on another device is known to the next program")
    func remembered() async throws {
        let fixture = try AccountFixture()
        #expect(try await fixture.account().failure() == .signedOut)
        #expect(try fixture.files() == [], "reading makes nothing")
        let prompts = Recorder<String>()
        let user = try await fixture.account().signIn(.device { prompts.append("\($0)") })
        #expect(user.id == "user-1" && user.name == "ada@company.example")
        #expect(
            prompts.all == [
                "On any device go to https://idp.example/activate and enter the code WDJB-MJHT"
            ])
        let next = try fixture.account()
        #expect(try await next.user().issuer == StubIssuer.issuer)
        #expect(try await next.token().exposedText == "at-1")
        #expect("\(user) \(next)".contains("ada") == false)
        #expect(await failure { try await next.signIn() } == .signedIn)
        #expect(fixture.issuer.sessionCount == 1, "it was refused before anything was asked")
    }

    @Test("A program starts while the provider is down, and goes on when it is back")
    func providerDown() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        fixture.issuer.state.withLock { $0.isDown = true }
        let account = try fixture.account()
        #expect(try await account.user().id == "user-1")
        #expect(try await account.token().exposedText == "at-1")
        fixture.clock.advance(by: StubIssuer.lifetime)
        #expect(await failure { try await account.token() } == .init(rawValue: "unreachable"))
        #expect(await account.failure() == nil, "the session stays")
        fixture.issuer.state.withLock { $0.isDown = false }
        fixture.clock.advance(by: .seconds(60))
        #expect(try await account.token().exposedText == "at-2")
        #expect(try await fixture.account().token().exposedText == "at-2", "it was stored")
    }

    @Test("A client calls an API with fresh tokens")
    func client() async throws {
        struct Profile: Decodable, Sendable { let name: String }
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        let api = try EndpointURL("https://idp.example/me")
        let client = try await account.client(for: [api])
        fixture.clock.advance(by: StubIssuer.lifetime)
        let profile = try await client.decode(Profile.self, from: TransportRequest(url: api))
        #expect(profile.name == "Ada" && fixture.issuer.state.withLock { $0.tokenCount } == 2)
        #expect(await failure { try await account.client(for: []) } == .init("invalidOption"))
    }

    @Test("A sign-out ends the session here and at the server")
    func signOut() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        #expect(try await account.signOut() == nil)
        #expect(fixture.issuer.sessionCount == 0)
        #expect(await account.failure() == .signedOut)
        #expect(await failure { try await account.signOut() } == .signedOut)
        #expect(try await fixture.account().failure() == .signedOut)
        try await account.signIn()
        fixture.issuer.state.withLock { $0.isDown = true }
        #expect(try await account.signOut()?.code == .unreachable)
        #expect(await account.failure() == .signedOut, "it ended here all the same")
        #expect(fixture.notices.all.count == 1)
    }

    @Test("Several accounts are kept side by side")
    func several() async throws {
        let fixture = try AccountFixture()
        try await fixture.account().signIn()
        let program = try fixture.program()
        let work = program.account("my work", at: AccountFixture.server)
        #expect(await work.failure() == .signedOut)
        try await work.signIn()
        #expect(try await program.names() == ["default", "my work"])
        try await work.signOut()
        #expect(try await fixture.account().user().id == "user-1")
        #expect(try await program.names().count == 2, "the account is still known")
    }

    @Test("Names that are equal as text and differ in their bytes are two accounts")
    func equalNames() async throws {
        let fixture = try AccountFixture()
        let program = try fixture.program()
        for name in ["caf\u{e9}", "cafe\u{301}"] {
            try await program.account(name, at: AccountFixture.server).signIn()
        }
        #expect(try await program.names().map(\.utf8.count) == [6, 5])
    }

    @Test("A sign-in that is cancelled leaves nothing in the vault")
    func cancelled() async throws {
        let fixture = try AccountFixture()
        let issuer = fixture.issuer
        let asked = Gate()
        let goesOn = Gate()
        let transport = FakeTransport { request in
            do throws(TransportFailure) {
                let response = try await issuer.exchange(request)
                if request.url.path == "/device" {
                    asked.open()
                    await goesOn.pass()
                }
                return .success(response)
            } catch {
                return .failure(error)
            }
        }
        let program = try fixture.program(over: transport)
        let account = program.account(at: AccountFixture.server)
        let task = Task { try await account.signIn() }
        await asked.pass()
        task.cancel()
        goesOn.open()
        #expect(await failure { try await task.value } != nil)
        let open = await program.look().open
        #expect(try await open.first?.store.allItems().count == 0)
    }

    @Test("A sign-in that the person declines leaves nothing")
    func declined() async throws {
        let fixture = try AccountFixture()
        fixture.issuer.state.withLock { $0.declines = true }
        let program = try fixture.program()
        let account = program.account(at: AccountFixture.server)
        #expect(await failure { try await account.signIn() } == .init("refused"))
        #expect(await account.failure() == .signedOut)
        #expect(try await program.names() == [])
    }

    @Test("Only a person of an allowed domain is kept; the server ends the session of others")
    func staff() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        let others = try BusinessEmailPolicy(
            allowing: EmailDomainRule.rules(fromList: "other.example"))
        let refused = await failure { try await account.signIn(.device { _ in }, allowing: others) }
        #expect(refused == .unauthorizedDomain && fixture.issuer.sessionCount == 0)
        #expect(await account.failure() == .signedOut)
        let own = try BusinessEmailPolicy(
            allowing: EmailDomainRule.rules(fromList: "company.example"))
        try await account.signIn(.device { _ in }, allowing: own)
        #expect(await account.failure() == nil)
    }

    @Test(
        "What a server has given for a sign-in that fails is revoked",
        arguments: [["refresh_token"], ["id_token"], ["access_token"]])
    func failedIsRevoked(leftOut: Set<String>) async throws {
        let fixture = try AccountFixture()
        fixture.issuer.state.withLock { $0.leavesOut = leftOut }
        let account = try fixture.account()
        let others = try BusinessEmailPolicy(
            allowing: EmailDomainRule.rules(fromList: "other.example"))
        // Only the first one is let in by the server and refused here.
        let refused = leftOut.contains("refresh_token")
        let code = await failure {
            try await account.signIn(.device { _ in }, allowing: refused ? others : nil)
        }
        #expect(code != nil && (code == .unauthorizedDomain) == refused)
        #expect(fixture.issuer.requests("/revoke") == 1 && fixture.issuer.sessionCount == 0)
    }

    @Test("A token endpoint that has moved is found, and kept")
    func moved() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        let read = fixture.issuer.requests("/.well-known/openid-configuration")
        fixture.issuer.state.withLock { $0.tokenPath = "/new" }
        for number in 2...4 {
            fixture.clock.advance(by: StubIssuer.lifetime)
            // The last time by another program.
            let next = number < 4 ? account : try fixture.account()
            #expect(try await next.token().exposedText == "at-\(number)")
        }
        // The device flow's own polls went to the old one.
        #expect(fixture.issuer.requests("/token") == 2 && fixture.issuer.requests("/new") == 3)
        #expect(fixture.issuer.requests("/.well-known/openid-configuration") == read + 1)
    }

    @Test("A client goes on after sign-ins that were refused, and after the next one")
    func clientGoesOn() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        let api = try EndpointURL("https://idp.example/me")
        let client = try await account.client(for: [api])
        #expect(await failure { try await account.signIn() } == .signedIn)
        try await client.send(TransportRequest(url: api))
        try await account.signOut()
        let others = try BusinessEmailPolicy(
            allowing: EmailDomainRule.rules(fromList: "other.example"))
        let refused = await failure { try await account.signIn(.device { _ in }, allowing: others) }
        #expect(refused == .unauthorizedDomain)
        fixture.clock.advance(by: .seconds(1))
        try await account.signIn()
        for _ in 0..<2 {
            try await client.send(TransportRequest(url: api))
            fixture.clock.advance(by: StubIssuer.lifetime)
        }
        #expect(fixture.issuer.state.withLock { $0.tokenCount } == 4)
    }

    @Test("A drain waits until a sign-in is stored that was given tokens, and nothing comes after")
    func drainedSignIn() async throws {
        let fixture = try AccountFixture()
        let issuer = fixture.issuer
        let given = Gate()
        let goesOn = Gate()
        let transport = FakeTransport { request in
            do throws(TransportFailure) {
                let response = try await issuer.exchange(request)
                if request.url.path == "/token" {
                    given.open()
                    await goesOn.pass()
                }
                return .success(response)
            } catch {
                return .failure(error)
            }
        }
        let program = try fixture.program(over: transport)
        let account = program.account(at: AccountFixture.server)
        async let user = account.signIn()
        await given.pass()
        let isOver = Locked(false)
        let drain = Task {
            await program.drain()
            isOver.withLock { $0 = true }
        }
        // Time enough for a drain that does not wait.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(!isOver.withLock { $0 })
        goesOn.open()
        await drain.value
        #expect(try await fixture.account().failure() == nil, "it is stored by then")
        #expect(try await user.id == "user-1")
        // The manager of the sign-in was made after the drain had begun.
        fixture.clock.advance(by: StubIssuer.lifetime)
        #expect(await failure { try await account.token() } == .init("drained"))
        let count = issuer.state.withLock { $0.tokenCount }
        let other = program.account("other", at: AccountFixture.server)
        #expect(await failure { try await other.signIn() } != nil)
        #expect(issuer.state.withLock { $0.tokenCount } == count, "no token was asked for")
    }

    @Test("A name of no or too many bytes, or with control characters, is refused")
    func names() async throws {
        let fixture = try AccountFixture()
        for name in ["", String(repeating: "x", count: 65), "a\u{1b}[2J", "a\n"] {
            let account = try fixture.account(name)
            #expect(await account.failure() == .invalidName)
            #expect(await failure { try await account.signIn() } == .invalidName)
            #expect(await failure { try await account.token() } == .invalidName)
            #expect(await failure { try await account.signOut() } == .invalidName)
            #expect(await failure { try await account.forget() } == .invalidName)
        }
        #expect(try fixture.files() == [] && fixture.issuer.requests("/token") == 0)
        let longest = try fixture.account(String(repeating: "x", count: 64))
        #expect(await longest.failure() == .signedOut)
    }

    @Test("An account is forgotten, whole or damaged; the others stay")
    func forget() async throws {
        let fixture = try AccountFixture()
        let program = try fixture.program()
        let whole = program.account("whole", at: AccountFixture.server)
        let damaged = program.account("damaged", at: AccountFixture.server)
        for account in [whole, damaged, program.account("third", at: AccountFixture.server)] {
            try await account.signIn()
        }
        let open = await program.look().open
        let vault = try #require(open.first)
        let key = ItemKey(service: "signet login", account: "damaged")
        try await vault.store.set(SecretValue(bytes: [1, 2]), for: key)
        #expect(await damaged.failure() == .corrupt)
        #expect(await failure { try await damaged.signIn() } == .corrupt)
        #expect(try await damaged.forget() == nil)
        #expect(await damaged.failure() == .signedOut)
        #expect(fixture.issuer.sessionCount == 3, "its server was not told")
        #expect(try await whole.forget() == nil)
        #expect(fixture.issuer.sessionCount == 2)
        #expect(try await program.names() == ["third"])
        #expect(try await whole.forget() == nil, "there is nothing any more")
        try await damaged.signIn()
        #expect(await damaged.failure() == nil)
    }

    @Test("Settings that name no possible server are damage, and are forgotten")
    func impossibleServer() async throws {
        let fixture = try AccountFixture()
        let program = try fixture.program()
        try await program.account("whole", at: AccountFixture.server).signIn()
        let open = await program.look().open
        let vault = try #require(open.first)
        let servers = [
            #""openID":{"issuer":"https://idp.example","algorithms":["ES256"],"clientID":"notes","#
                + #""scopes":["openid"],"tokenEndpoint":"no address","subject":"user-1"}"#,
            #""supabase":{"url":"https://ref.supabase.co","key":"sb_secret_x"}"#,
            #""deletionURL":"https://idp.example/""#,
        ]
        for server in servers {
            let account = program.account("damaged", at: AccountFixture.server)
            let settings = #"{"version":1,"user":"ada","# + server + "}"
            try await vault.store.set(
                SecretValue(bytes: Array(settings.utf8), type: .json),
                for: ItemKey(service: "signet login", account: "damaged"))
            #expect(await account.failure() == .corrupt)
            #expect(await failure { try await account.signIn() } == .corrupt)
            #expect(await failure { try await account.signOut() } == .corrupt)
            #expect(try await program.names() == ["damaged", "whole"])
            #expect(try await account.forget() == nil)
            #expect(await account.failure() == .signedOut)
        }
        #expect(try await program.names() == ["whole"])
    }

    @Test("A drained account exchanges no token any more")
    func drained() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.account()
        try await account.signIn()
        await account.drain()
        fixture.clock.advance(by: StubIssuer.lifetime)
        #expect(await failure { try await account.token() } == .init("drained"))
        #expect(try await fixture.account().token().exposedText == "at-2")
    }
}

extension LoginError.Code {
    fileprivate init(_ text: String) { self.init(rawValue: text) }
}
