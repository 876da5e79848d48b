// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTesting
import Testing

/// The server that other tests here use, and that programs use in theirs.
@Suite("A server of sessions in memory", .timeLimit(.minutes(20)))
struct SessionServerTests {
    private static let address = "ada@example.org"
    private let clock = ManualClock()

    private func failure(_ call: () async throws(SessionError) -> Void) async -> SessionError.Code?
    {
        do throws(SessionError) {
            try await call()
            return nil
        } catch {
            return error.code
        }
    }

    private func refusal(
        of token: RefreshToken?, at server: InMemorySessionServer
    ) async throws -> SessionError.Code? {
        let token = try #require(token)
        return await failure { () async throws(SessionError) in _ = try await server.refresh(token)
        }
    }

    @Test("A code works once, for 600 s, for its address, until the next one is sent")
    func codes() async throws {
        let server = InMemorySessionServer(clock: clock.source)
        #expect(server.code(sentTo: Self.address) == nil)
        func attempt(_ code: String, _ address: String = Self.address) async -> SessionError.Code? {
            await failure { () async throws(SessionError) in
                _ = try await server.signIn(withCode: code, sentTo: address)
            }
        }
        try await server.sendCode(to: Self.address)
        let first = try #require(server.code(sentTo: Self.address))
        #expect(first.utf8.count == 6 && first.utf8.allSatisfy { (48...57).contains($0) })
        try await server.sendCode(to: "bob@example.org")
        #expect(await attempt(first, "bob@example.org") == .refused)
        #expect(await attempt("000000") == .refused)
        try await server.sendCode(to: Self.address)
        let second = try #require(server.code(sentTo: Self.address))
        #expect(await attempt(first) == .refused)
        #expect(await attempt(second) == nil)
        #expect(await attempt(second) == .refused)
        try await server.sendCode(to: Self.address)
        let third = try #require(server.code(sentTo: Self.address))
        clock.advance(by: .seconds(600))
        #expect(server.code(sentTo: Self.address) == nil)
        #expect(await attempt(third) == .refused)
        try await server.sendCode(to: Self.address)
        let fourth = try #require(server.code(sentTo: Self.address))
        let grant = try await server.signIn(withCode: fourth, sentTo: Self.address)
        #expect(grant.userID == Self.address && server.user(of: grant.accessToken) == Self.address)
    }

    @Test("A refresh token is exchanged once; the rule says what a second time does")
    func reuse() async throws {
        for rule in InMemorySessionServer.ReuseRule.allCases {
            let server = InMemorySessionServer(reuse: rule, clock: clock.source)
            let first = try server.signIn("user-1")
            let second = try await server.refresh(try #require(first.refreshToken))
            #expect(second.accessToken.exposedText == "access-user-1-2")
            let again = try await refusal(of: first.refreshToken, at: server)
            #expect(again == (rule == .endsSession ? .refused : nil))
            #expect(server.user(of: second.accessToken) == (again == nil ? "user-1" : nil))
            #expect(server.exchangeCount == 2 && server.refusalCount == (again == nil ? 0 : 1))
            guard rule == .repeatsAnswer else { continue }
            _ = try await server.refresh(try #require(second.refreshToken))
            #expect(try await refusal(of: first.refreshToken, at: server) == .refused)
            #expect(try await refusal(of: second.refreshToken, at: server) == .refused)
        }
    }

    @Test("An access token is known until it expires or its session ends, and an unknown one never")
    func accessTokens() async throws {
        let server = InMemorySessionServer(lifetime: .seconds(60), clock: clock.source)
        let grant = try server.signIn("user-1")
        let other = try server.signIn("user-2")
        clock.advance(by: .seconds(59))
        #expect(server.user(of: grant.accessToken) == "user-1")
        server.endSessions(of: "user-2")
        #expect(server.user(of: other.accessToken) == nil)
        clock.advance(by: .seconds(1))
        #expect(server.user(of: grant.accessToken) == nil)
        #expect(server.user(of: try AccessToken("access-user-1-9")) == nil)
        #expect(try await refusal(of: RefreshToken("refresh-user-1-9"), at: server) == .refused)
    }

    @Test("A user's identifier may have any characters, and no two users share a token")
    func users() throws {
        let server = InMemorySessionServer(clock: clock.source)
        let names = ["Ada Lovelace", "Ada.Lovelace", "J\u{fc}rg", "J..rg", "a-1", "a"]
        var tokens: Set<String> = []
        for name in names + names {
            let grant = try server.signIn(name)
            #expect(tokens.insert(grant.accessToken.exposedText).inserted)
            #expect(server.user(of: grant.accessToken) == name)
        }
    }

    @Test("A held exchange ends when its task is cancelled, and the server has done its work")
    func held() async throws {
        let server = InMemorySessionServer(reuse: .repeatsAnswer, clock: clock.source)
        let grant = try server.signIn("user-1")
        let token = try #require(grant.refreshToken)
        server.hold()
        let call = Task { try await server.refresh(token) }
        try await until { server.waitingCount == 1 }
        call.cancel()
        await #expect(throws: SessionError(.cancelled, "")) { try await call.value }
        #expect(server.waitingCount == 0)
        server.release()
        clock.advance(by: .seconds(3000))
        let repeated = try await server.refresh(token)
        #expect(repeated.accessToken.exposedText == "access-user-1-2")
        // The lifetime that it states is the token's.
        clock.advance(by: .seconds(3599))
        #expect(server.user(of: repeated.accessToken) == "user-1")
    }

    @Test("A sign-out ends what its scope says", arguments: SignOutScope.allCases)
    func scopes(_ scope: SignOutScope) async throws {
        let server = InMemorySessionServer(clock: clock.source)
        let store = InMemoryStore(clock: clock.source)
        let manager = try SessionManager(
            store: store, service: "api.example", backend: server, clock: clock.source)
        let here = try server.signIn("user-1")
        let elsewhere = try server.signIn("user-1")
        let someone = try server.signIn("user-2")
        try await manager.adopt(here)
        await manager.signOut(scope)
        #expect(server.signOuts == [scope])
        #expect((server.user(of: here.accessToken) == nil) == (scope != .others))
        #expect((server.user(of: elsewhere.accessToken) == nil) == (scope != .this))
        #expect(server.user(of: someone.accessToken) == "user-2")
    }

    @Test("A call fails before its work or after it, by its number, and all do until they recover")
    func faults() async throws {
        let server = InMemorySessionServer(clock: clock.source)
        let down = SessionError(.unreachable, "x")
        func send() async -> SessionError.Code? {
            await failure { () async throws(SessionError) in
                try await server.sendCode(to: Self.address)
            }
        }
        server.failCall(2, with: down)
        server.failCall(1, with: SessionError(.timedOut, "x"), moment: .after)
        #expect(await send() == .timedOut)
        #expect(server.code(sentTo: Self.address) != nil)
        let code = server.code(sentTo: Self.address)
        #expect(await send() == .unreachable)
        #expect(server.code(sentTo: Self.address) == code)
        server.failCalls(with: down)
        #expect(await send() == .unreachable)
        #expect(await send() == .unreachable)
        server.recover()
        #expect(await send() == nil)
    }

    @Test("A lost answer costs the session where a server forgives nothing, and nothing elsewhere")
    func lostAnswer() async throws {
        for rule in InMemorySessionServer.ReuseRule.allCases {
            let server = InMemorySessionServer(reuse: rule, clock: clock.source)
            let manager = try SessionManager(
                store: InMemoryStore(clock: clock.source), service: "api.example", backend: server,
                clock: clock.source)
            try await manager.adopt(server.signIn("user-1"))
            clock.advance(by: .seconds(3600))
            server.failCall(1, with: SessionError(.unreachable, "x"), moment: .after)
            #expect(await manager.tokenFailure() == .unreachable)
            clock.advance(by: .seconds(60))
            #expect(await manager.tokenFailure() == (rule == .endsSession ? .refused : nil))
        }
    }
}
