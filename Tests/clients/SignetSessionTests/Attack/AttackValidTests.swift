// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import SignetVault
import Testing

@Suite("Attack: tokens of an ended session, or of another person", .timeLimit(.minutes(20)))
struct AttackValidTests {
    @Test("A1 after a sign-out a temporary failure gives no old token")
    func failureAfterSignOut() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.hold()
        fixture.server.failCall(1, with: SessionError(.serverFailed, "x"))
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        let leaver = Task { await manager.signOut() }
        try await until { manager.state == .signedOut(.signedOutHere) }
        fixture.server.release()
        _ = await leaver.value
        #expect(await caller.value == "serverFailed")
        #expect(await manager.outcome() == "signedOut")
    }

    @Test("A2 after another person's sign-in a temporary failure gives no first person's token")
    func failureAfterSignIn() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.hold()
        fixture.server.failCall(1, with: SessionError(.serverFailed, "x"))
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        try await manager.adopt(fixture.server.signIn("user-2"))
        fixture.server.release()
        #expect(await caller.value != "access-user-1-1")
    }

    @Test("A3 a late write of an exchange does not replace a sign-in")
    func lateReplace() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3400))
        let gate = store.hold(.replace, after: true, passing: 1)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        let joiner = Task { try await manager.adopt(fixture.server.signIn("user-2")) }
        try await settle()
        gate.open()
        _ = await caller.value
        try await joiner.value
        try await settle()
        #expect(await manager.outcome() == "access-user-2-1")
    }

    @Test("A4 a late read of an exchange does not undo a sign-out")
    func lateRead() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store, tellsChanges: false)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3400))
        // Another process was faster.
        _ = try await fixture.manager().accessToken()
        let gate = store.hold(.entry, after: true)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        let leaver = Task { await manager.signOut() }
        try await until { manager.state == .signedOut(.signedOutHere) }
        gate.open()
        #expect(await leaver.value.isComplete)
        _ = await caller.value
        #expect(manager.state == .signedOut(.signedOutHere))
        #expect(await manager.outcome() == "signedOut")
    }

    @Test("A5 of two concurrent sign-ins, memory and store hold the same one")
    func twoSignIns() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try fixture.manager(over: store)
        await manager.start()
        let gate = store.hold(.put, after: true)
        let grant = try fixture.server.signIn("user-1")
        let first = Task { try await manager.adopt(grant) }
        try await until { gate.isReached }
        try await settle()
        let second = Task { try await manager.adopt(fixture.server.signIn("user-2")) }
        try await settle()
        gate.open()
        _ = await first.result
        try await second.value
        try await settle()
        #expect(
            await manager.outcome() == (try await fixture.manager().accessToken().exposedText))
    }

    @Test("A6 a late reply of a sign-in does not undo the sign-out after it")
    func lateSignIn() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        let gate = store.hold(.put, after: true)
        let grant = try fixture.server.signIn("user-2")
        let first = Task { try await manager.adopt(grant) }
        try await until { gate.isReached }
        try await settle()
        let leaver = Task { await manager.signOut() }
        try await settle()
        gate.open()
        #expect(await leaver.value.isComplete)
        _ = await first.result
        try await settle()
        #expect(try await fixture.store.entry(ManagerFixture.item) == nil)
        #expect(await manager.outcome() == "signedOut")
    }

    @Test("A7 a session signed out during the write does not come back")
    func signOutDuringWrite() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let store = GatedStore(faulty)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3400))
        let gate = store.hold(.replace, after: true, passing: 1)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        faulty.failCalls(on: ManagerFixture.item, with: .unavailable, times: 1, onlyWrites: true)
        let leaver = Task { await manager.signOut() }
        try await settle()
        gate.open()
        #expect(await leaver.value.storeError?.code == .unavailable)
        #expect(manager.state == .signedOut(.signedOutHere))
        _ = await caller.value
        #expect(await manager.outcome() == "signedOut")
        #expect(manager.state == .signedOut(.signedOutHere))
    }

    @Test("A8 a session signed out here does not come back through another process's refresh")
    func signedOutAndRefreshed() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        let other = try fixture.manager()
        await other.start()
        try await settle()
        faulty.failCalls(on: ManagerFixture.item, with: .unavailable, times: 1, onlyWrites: true)
        await manager.signOut()
        fixture.clock.advance(by: .seconds(3400))
        // With the token, or too late for it: what it could not remove then, it removes now.
        _ = await other.outcome()
        try await settle()
        #expect(await manager.outcome() == "signedOut")
    }

    @Test("A9 after a 401 for one person no token of another is used")
    func unauthorizedAndOther() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let used = try await manager.accessToken()
        try await manager.adopt(fixture.server.signIn("user-2"))
        let next = try? await manager.afterUnauthorized(used)
        #expect(next?.exposedText == nil)
    }

    @Test("A10 an exchange that answers for another person is not accepted")
    func otherPersonsAnswer() async throws {
        let fixture = ManagerFixture()
        let mixing = FixedServer { _ throws(SessionError) in
            try SessionGrant(
                accessToken: AccessToken("of-user-2"), refreshToken: RefreshToken("r2"),
                lifetime: .seconds(3600), userID: "user-2")
        }
        let manager = try SessionManager(
            store: fixture.store, service: "api.example", backend: mixing,
            clock: fixture.clock.source)
        try await manager.adopt(fixture.server.signIn("user-1"))
        fixture.clock.advance(by: .seconds(3700))
        _ = await manager.outcome()
        if case .signedIn(let user) = manager.state {
            #expect(user.id == "user-1", "\(user.id) with the profile \(user.profile ?? "")")
        }
        #expect(await manager.outcome() != "of-user-2")
    }

    @Test("A11 a token that was saved late is exchanged again once expired")
    func unsavedExpired() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3590))
        faulty.failCall(2, with: .unavailable, onlyWrites: true)
        _ = await manager.outcome()
        fixture.clock.advance(by: .seconds(7200))
        #expect(await manager.outcome() == "access-user-1-3")
    }

    @Test("A12 a conflict with the same session gives no expired token")
    func conflict() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        // The same value again, at another revision: a migration, a change of its details.
        let value = try #require(try await fixture.store.get(ManagerFixture.item))
        try await fixture.store.set(value, for: ManagerFixture.item)
        try await settle()
        fixture.server.release()
        #expect(await caller.value != "access-user-1-1", "it expired 100 s ago")
    }

    @Test("A13 a manager that was never started notices a sign-out elsewhere")
    func neverStarted() async throws {
        let fixture = ManagerFixture()
        _ = try await fixture.signedIn()
        let (mine, other) = (try fixture.manager(), try fixture.manager())
        #expect(await mine.outcome() == "access-user-1-1")
        await other.signOut()
        try await settle()
        #expect(await mine.outcome() == "signedOut")
    }

    @Test("A14 a store that locks during the write leaves no token in memory")
    func lockDuringWrite() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3400))
        let gate = store.hold(.replace, after: true, passing: 1)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        try await store.lock()
        gate.open()
        _ = await caller.value
        try await until { manager.state == .locked }
        try await settle()
        #expect(manager.state == .locked)
        #expect(await manager.outcome() == "locked")
    }

    @Test("A15 a sign-in that the store calls cancelled is reported as it ended")
    func adoptAfterwards() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: GatedStore(faulty, tellsChanges: false))
        faulty.failCalls(
            on: ManagerFixture.item, with: .timedOut, moment: .after, times: 1, onlyWrites: true)
        try? await manager.adopt(fixture.server.signIn("user-2"))
        try await settle()
        #expect(
            await manager.outcome() == (try await fixture.manager().accessToken().exposedText))
    }
}

/// A server that answers each exchange with what it is told.
final class FixedServer: SessionBackend {
    private let answer: @Sendable (RefreshToken) throws(SessionError) -> SessionGrant
    private let count = Locked(0)
    private let told = Locked<[String]>([])
    var exchanges: Int { count.withLock { $0 } }

    init(_ answer: @escaping @Sendable (RefreshToken) throws(SessionError) -> SessionGrant) {
        self.answer = answer
    }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        count.withLock { $0 += 1 }
        return try answer(token)
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {}
}
