// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetSessionTesting
import SignetVault
import Testing

@Suite("Attack: crashes, losses, and sessions that are turned away", .timeLimit(.minutes(20)))
struct AttackLossTests {
    @Test("B1 an entry with a time in the distant past does not crash")
    func crash() async throws {
        await #expect(processExitsWith: .success) {
            let fixture = ManagerFixture()
            let text = StoredText.session(obtained: "-1e300")
            try await fixture.store.set(
                SecretValue(bytes: text.utf8, type: .json), for: ManagerFixture.item)
            let manager = try fixture.manager(refreshesAhead: true)
            let state = await manager.start()
            // The trap may be in the concurrent task.
            try await Task.sleep(for: .seconds(1))
            switch state {
            case .unavailable(let error) where error.code == .corrupt: break
            case .unavailable: exit(4)
            case .signedIn: break
            case .signedOut: exit(6)
            case .checking: exit(7)
            case .locked: exit(8)
            }
        }
    }

    @Test("C1 a sign-in that overlaps an earlier sign-out stays in the store")
    func signInDuringSignOut() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        let gate = store.hold(.replace, after: false)
        let leaver = Task { await manager.signOut() }
        try await until { gate.isReached }
        let joiner = Task { try await manager.adopt(fixture.server.signIn("user-2")) }
        gate.open()
        _ = await leaver.value
        try await joiner.value
        try await settle()
        #expect(try await fixture.store.entry(ManagerFixture.item) != nil)
        #expect(await manager.outcome() == "access-user-2-1")
    }

    @Test("C2 a late sign-out reply does not hide a newer sign-in")
    func lateSignOut() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        let gate = store.hold(.replace, after: true)
        let leaver = Task { await manager.signOut() }
        try await until { gate.isReached }
        try await settle()
        let joiner = Task { try await manager.adopt(fixture.server.signIn("user-2")) }
        try await settle()
        gate.open()
        _ = await leaver.value
        try await joiner.value
        try await settle()
        #expect(manager.state.isSignedIn)
    }

    @Test("C3 a sign-out removes its own session, not another person's unseen one")
    func signOutOfAnother() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn(
            over: GatedStore(fixture.store, tellsChanges: false))
        let other = try fixture.manager()
        try await other.adopt(fixture.server.signIn("user-2"))
        await manager.signOut()
        #expect(try await fixture.store.entry(ManagerFixture.item) != nil)
    }

    @Test("C4 a sign-out during an exchange revokes the newest tokens")
    func signOutTokens() async throws {
        let fixture = ManagerFixture()
        let server = ListeningServer()
        let faulty = FaultyStore(fixture.store)
        let manager = try SessionManager(
            store: faulty, service: "api.example", backend: server, clock: fixture.clock.source)
        try await manager.adopt(fixture.server.signIn("user-1"))
        fixture.clock.advance(by: .seconds(3700))
        // The first write says that the exchange has begun.
        faulty.failCalls(from: 2, with: .unavailable, onlyWrites: true)
        #expect(await manager.outcome() == "unavailable")
        faulty.recover()
        #expect(await manager.signOut().isComplete)
        #expect(server.refreshTokens == ["refresh-new"])
    }

    @Test("C5 a session too large for the store does not stay unusable")
    func tooLarge() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3700))
        // Once, for the one value.
        faulty.failCalls(from: 2, with: .tooLarge, onlyWrites: true)
        #expect(await manager.outcome() == "unavailable")
        for _ in 0..<20 {
            fixture.clock.advance(by: .seconds(3600))
            _ = await manager.outcome()
        }
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("D1 a sign-in elsewhere works after a sign-out that the store failed to save")
    func leavingStays() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        try await settle()
        faulty.failCalls(on: ManagerFixture.item, with: .unavailable, times: 1, onlyWrites: true)
        await manager.signOut()
        try await fixture.manager().adopt(fixture.server.signIn("user-2"))
        try await until { manager.state.isSignedIn }
        fixture.clock.advance(by: .seconds(3400))
        #expect(await manager.outcome() == "access-user-2-2")
        fixture.clock.advance(by: .seconds(3400))
        #expect(await manager.outcome() != "signedOut")
    }

    @Test("D2 so it does after a refusal that the store saved and reported as failed")
    func leavingStaysAfterRefusal() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.endSessions(of: "user-1")
        faulty.failCall(2, with: .timedOut, moment: .after, onlyWrites: true)
        #expect(await manager.outcome() == "refused")
        try await fixture.manager().adopt(fixture.server.signIn("user-2"))
        try await until { manager.state.isSignedIn }
        fixture.clock.advance(by: .seconds(3400))
        #expect(await manager.outcome() == "access-user-2-2")
    }

    @Test("D3 a cancelled caller does not sign another out")
    func cancelledNeighbour() async throws {
        let fixture = ManagerFixture()
        _ = try await fixture.signedIn()
        let faulty = FaultyStore(fixture.store)
        let store = GatedStore(faulty)
        let manager = try fixture.manager(over: store)
        let gate = store.hold(.entry, after: true)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        faulty.failCall(1, with: .cancelled)
        let neighbour = Task { await manager.outcome() }
        try await settle()
        gate.open()
        #expect(await caller.value == "access-user-1-1")
        #expect(await neighbour.value == "access-user-1-1")
    }

    @Test("D4 the keeper survives one failed read")
    func keeperAfterRead() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(refreshesAhead: true, over: faulty)
        try await until { fixture.clock.sleeperCount == 1 }
        faulty.failCall(2, with: .busy)  // 1 is the lock, 2 the read.
        try await step(fixture) { fixture.server.exchangeCount == 1 }
        #expect(fixture.server.exchangeCount == 1, "\(manager.state)")
    }

    @Test("D5 the keeper survives a malformed answer", arguments: ["grant", "token"])
    func keeperAfterAnswer(_ kind: String) async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn(refreshesAhead: true)
        try await until { fixture.clock.sleeperCount == 1 }
        fixture.server.failCall(
            1, with: SessionError(kind == "grant" ? .invalidGrant : .invalidToken, "x"))
        try await step(fixture) { fixture.server.exchangeCount == 2 }
        #expect(fixture.server.exchangeCount == 2)
        _ = manager
    }

    @Test("D6 after a malformed answer the good token is used, and the next try waits")
    func badAnswer() async throws {
        let fixture = ManagerFixture()
        let bad = FixedServer { _ throws(SessionError) in
            throw SessionError(.invalidGrant, "A token's lifetime is 1 s to a year.")
        }
        let manager = try SessionManager(
            store: fixture.store, service: "api.example", backend: bad, clock: fixture.clock.source)
        try await manager.adopt(fixture.server.signIn("user-1"))
        fixture.clock.advance(by: .seconds(3400))
        for _ in 0..<10 { #expect(await manager.outcome() == "access-user-1-1") }
        #expect(bad.exchanges == 1)
    }

    @Test(
        "D7 the keeper survives a write that the store calls locked or cancelled",
        arguments: [StoreError.Code.locked, .cancelled])
    func keeperAfterWrite(_ code: StoreError.Code) async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(refreshesAhead: true, over: faulty)
        try await until { fixture.clock.sleeperCount == 1 }
        faulty.failCalls(on: ManagerFixture.item, with: code, times: 1, onlyWrites: true)
        try await step(fixture) {
            let kept = try await fixture.store.get(ManagerFixture.item)?.withExposedBytes { span in
                String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
            }
            return kept?.contains("access-user-1-2") == true
        }
        _ = manager
    }

    @Test("D8 a store that fails while a conflict is checked does not mean signed out")
    func conflictAndFailure() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: GatedStore(faulty, tellsChanges: false))
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        try await fixture.manager().adopt(fixture.server.signIn("user-2"))
        faulty.failCall(2, with: .busy)  // 1 is the write, 2 the read.
        fixture.server.release()
        #expect(await caller.value != "signedOut")
    }

    @Test("D9 one failed read does not discard a good token")
    func oneBusyRead() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        faulty.failCalls(with: .busy)
        await manager.start()
        #expect(await manager.outcome() == "access-user-1-1")
    }

    @Test("D10 a refusal of the first session does not reach the second's caller")
    func refusalOfAnother() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.endSessions(of: "user-1")
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        try await manager.adopt(fixture.server.signIn("user-2"))
        let used = try await manager.accessToken()
        let second = Task { () -> String in
            do throws(SessionError) {
                return try await manager.afterUnauthorized(used)?.exposedText ?? "nil"
            } catch { return error.code.rawValue }
        }
        try await settle()
        fixture.server.release()
        _ = await caller.value
        #expect(await second.value == "access-user-2-2")
    }

    @Test("D11 a late removal after a refusal does not hide a newer sign-in")
    func lateRefusal() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.endSessions(of: "user-1")
        let gate = store.hold(.replace, after: true, passing: 1)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        let joiner = Task { try await manager.adopt(fixture.server.signIn("user-2")) }
        try await settle()
        gate.open()
        _ = await caller.value
        try await joiner.value
        try await settle()
        #expect(manager.state.isSignedIn)
    }

    @Test("D12 a late 'no item' does not hide a newer sign-in")
    func lateNothing() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store, tellsChanges: false)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3400))
        await (try fixture.manager()).signOut()
        let gate = store.hold(.entry, after: true)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        let joiner = Task { try await manager.adopt(fixture.server.signIn("user-2")) }
        try await settle()
        gate.open()
        _ = await caller.value
        try await joiner.value
        #expect(manager.state.isSignedIn)
    }

    /// Lets time pass in steps, as an idle program sees it, until a condition holds.
    private func step(_ fixture: ManagerFixture, until isSo: () async throws -> Bool) async throws {
        for _ in 0..<20_000 {
            if try await isSo() { return }
            fixture.clock.advance(by: .seconds(100))
            try await Task.sleep(for: .milliseconds(3))
        }
        Issue.record("what was waited for did not come")
    }
}

/// A server that writes down which refresh tokens a sign-out brings.
final class ListeningServer: SessionBackend {
    private let told = Locked<[String]>([])
    var refreshTokens: [String] { told.withLock { $0 } }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken("access-new"), refreshToken: RefreshToken("refresh-new"),
            lifetime: .seconds(3600), userID: "user-1")
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        told.withLock { $0.append(tokens.refreshToken?.exposedText ?? "none") }
    }
}
