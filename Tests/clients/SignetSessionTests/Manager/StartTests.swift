// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetSessionTesting
import Testing

@Suite("SessionManager: start and state", .timeLimit(.minutes(20)))
struct StartTests {
    @Test("The four answers of a store are distinguished")
    func fourAnswers() async throws {
        let fixture = ManagerFixture()
        #expect(try await fixture.manager().start() == .signedOut(.noSession))

        _ = try await fixture.signedIn()
        let next = try fixture.manager()
        #expect(next.state == .checking)
        #expect(await next.start().isSignedIn)

        try await fixture.store.lock()
        #expect(try await fixture.manager().start() == .locked)

        let faulty = FaultyStore(fixture.store)
        faulty.failCalls(with: .unavailable)
        let answer = try await fixture.manager(over: faulty).start()
        #expect(answer == .unavailable(StoreError(.unavailable, "")))
    }

    @Test(
        "A damaged entry is unavailable with the store's code, and kept",
        arguments: [
            "", "{}", "null", "{\"version\":1}", StoredText.session(version: 2),
            StoredText.session(id: "[1]"), StoredText.session(accessToken: ""),
            StoredText.session(userID: ""), StoredText.session(obtained: "1e999"),
            StoredText.session(lifetime: "-1"),
        ])
    func damaged(_ text: String) async throws {
        let fixture = ManagerFixture()
        let value = SecretValue(bytes: text.utf8, type: .json)
        try await fixture.store.set(value, for: ManagerFixture.item)
        let manager = try fixture.manager()
        #expect(await manager.start() == .unavailable(StoreError(.corrupt, "")))
        #expect(await manager.tokenFailure() == .unavailable)
        #expect(try await fixture.store.get(ManagerFixture.item) == value)
    }

    @Test("The undamaged entry is a session")
    func undamaged() async throws {
        let fixture = ManagerFixture()
        let value = SecretValue(bytes: StoredText.session().utf8, type: .json)
        try await fixture.store.set(value, for: ManagerFixture.item)
        #expect(try await fixture.manager().start().isSignedIn)
    }

    @Test("A session outlives its manager, with its user and profile")
    func persists() async throws {
        let fixture = ManagerFixture()
        _ = try await fixture.signedIn()
        guard case .signedIn(let user) = try await fixture.manager().start() else {
            Issue.record("not signed in")
            return
        }
        #expect(user.id == "user-1" && user.profile == "{\"name\":\"secret name of user-1\"}")
    }

    @Test("Several people and managers do not mix")
    func accounts() async throws {
        let fixture = ManagerFixture()
        let (one, two) = (try fixture.manager(account: "one"), try fixture.manager(account: "two"))
        try await one.adopt(fixture.server.signIn("user-1"))
        try await two.adopt(fixture.server.signIn("user-2"))
        #expect(try await one.accessToken().exposedText == "access-user-1-1")
        #expect(try await two.accessToken().exposedText == "access-user-2-1")
        await one.signOut()
        #expect(one.state == .signedOut(.signedOutHere) && two.state.isSignedIn)
    }

    @Test("A lock hides the session, and an unlock restores it without a call")
    func locking() async throws {
        let store = InMemoryStore()
        let fixture = ManagerFixture(store)
        let manager = try await fixture.signedIn()
        try await store.lock()
        try await until { manager.state == .locked }
        #expect(await manager.tokenFailure() == .locked)
        store.unlock()
        try await until { manager.state.isSignedIn }
        #expect(try await manager.accessToken().exposedText == "access-user-1-1")
    }

    @Test("Changes by another manager are noticed: sign-in, exchange, sign-out")
    func others() async throws {
        let fixture = ManagerFixture()
        let (mine, other) = (try fixture.manager(), try fixture.manager())
        await mine.start()
        try await other.adopt(fixture.server.signIn("user-1"))
        try await until { mine.state.isSignedIn }
        fixture.clock.advance(by: .seconds(3500))
        #expect(try await other.accessToken().exposedText == "access-user-1-2")
        try await until { try await mine.accessToken().exposedText == "access-user-1-2" }
        #expect(fixture.server.exchangeCount == 1)
        await other.signOut()
        try await until { mine.state == .signedOut(.removedElsewhere) }
    }

    @Test("Each listener gets the state first, then every event in order")
    func events() async throws {
        let fixture = ManagerFixture()
        let manager = try fixture.manager()
        let listeners = (0..<20).map { _ in manager.events() }
        await manager.start()
        try await manager.adopt(fixture.server.signIn("user-1"))
        let late = manager.events()
        fixture.clock.advance(by: .seconds(3500))
        _ = try await manager.accessToken()
        await manager.signOut()
        let user = SessionState.signedIn(try await Self.user(fixture))
        let expected: [SessionEvent] = [
            .state(.checking), .state(.signedOut(.noSession)), .state(user), .refreshed,
            .state(.signedOut(.signedOutHere)),
        ]
        for listener in listeners { #expect(await Self.take(5, from: listener) == expected) }
        #expect(await Self.take(3, from: late) == Array(expected[2...]))
    }

    private static func user(_ fixture: ManagerFixture) async throws -> SessionUser {
        let manager = try fixture.manager(account: "another")
        try await manager.adopt(fixture.server.signIn("user-1"))
        guard case .signedIn(let user) = manager.state else { throw CancellationError() }
        return user
    }

    static func take(_ count: Int, from stream: AsyncStream<SessionEvent>) async -> [SessionEvent] {
        var events = [SessionEvent]()
        for await event in stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test("Nothing secret is printed from tokens, grants, users, events, errors or the manager")
    func redaction() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let grant = try fixture.server.signIn("user-1")
        let faulty = FaultyStore(fixture.store)
        faulty.failCalls(with: .unavailable)
        let stranger = try fixture.manager(over: faulty)
        await stranger.start()
        var shown = ""
        for value: Any in [
            grant, grant.accessToken, grant.refreshToken as Any, manager, manager.state,
            SessionEvent.state(manager.state), stranger.state, SessionError(.refused, "m"),
        ] {
            dump(value, to: &shown)
            print(value, String(reflecting: value), to: &shown)
        }
        for secret in ["access-", "refresh-", "user-1", "secret name"] {
            #expect(!shown.contains(secret), "\(secret) in \(shown)")
        }
    }

    @Test("Tokens and grants beyond the limits are refused and not quoted")
    func limits() throws {
        for text in ["", "two words", "tab\t", "é", String(repeating: "a", count: 16_385)] {
            do throws(SessionError) {
                _ = try AccessToken(text)
                Issue.record("taken: \(text.prefix(20))")
            } catch {
                #expect(error.code == .invalidToken && !"\(error)".contains("words"))
            }
        }
        let token = try AccessToken("a")
        for (lifetime, user, profile) in [
            (Duration.zero, "u", ""), (.seconds(31_622_401), "u", ""), (.seconds(60), "", ""),
            (.seconds(60), String(repeating: "u", count: 256), ""),
            (.seconds(60), "u", String(repeating: "p", count: 65_537)),
        ] {
            #expect(throws: SessionError(.invalidGrant, "")) {
                try SessionGrant(
                    accessToken: token, refreshToken: nil, lifetime: lifetime, userID: user,
                    profile: profile)
            }
        }
    }
}
