// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetSessionTesting
import SignetVault
import Testing

@Suite("Attack: cancelled tasks, pauses, and leftovers", .timeLimit(.minutes(20)))
struct AttackMoreTests {
    @Test("F1 during a pause a fresh token from another process is used")
    func pauseAndFresh() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn(
            over: GatedStore(fixture.store, tellsChanges: false))
        fixture.clock.advance(by: .seconds(3700))
        // A server's Retry-After would hold the other process back too.
        fixture.server.failCall(1, with: SessionError(.serverFailed, "x"))
        #expect(await manager.outcome() == "serverFailed")
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
        #expect(await manager.outcome() == "access-user-1-2")
    }

    @Test("F2 an unsaved token does not replace a newer saved one")
    func unsavedOvertakes() async throws {
        let fixture = ManagerFixture()
        let numbers = Locked(1)
        let server = FixedServer { _ throws(SessionError) in
            let number = numbers.withLock { number in
                number += 1
                return number
            }
            return try SessionGrant(
                accessToken: AccessToken("a\(number)"), refreshToken: nil,
                lifetime: .seconds(3600), userID: "user-1")
        }
        func manager(_ store: any SecureStore) throws -> SessionManager {
            var options = SessionOptions()
            options.refreshesAhead = false
            return try SessionManager(
                store: store, service: "api.example", backend: server, options: options,
                clock: fixture.clock.source)
        }
        let faulty = FaultyStore(fixture.store)
        let (mine, other) = (try manager(faulty), try manager(fixture.store))
        try await mine.adopt(fixture.server.signIn("user-1"))
        fixture.clock.advance(by: .seconds(3700))
        faulty.failCalls(from: 2, with: .unavailable, onlyWrites: true)
        #expect(await mine.outcome() == "unavailable")
        faulty.recover()
        #expect(await other.outcome() == "a3")
        try await settle()
        #expect(await mine.outcome() == "a3")
        fixture.clock.advance(by: .seconds(3700))
        #expect(await mine.outcome() == "a4", "not the one of two hours ago")
    }

    @Test("F3 a manager is freed with its owner, and ends its listeners")
    func deinitialized() async throws {
        let fixture = ManagerFixture()
        var manager: SessionManager? = try await fixture.signedIn(refreshesAhead: true)
        weak let left = manager
        let events = try #require(manager).events()
        try await until { fixture.clock.sleeperCount == 1 }
        manager = nil
        try await until { left == nil }
        var count = 0
        for await _ in events { count += 1 }
        #expect(count >= 1)
        try await until { fixture.clock.sleeperCount == 0 }
    }

    @Test("F4 tokens that live for a second are exchanged at most once a second")
    func oneSecond() async throws {
        let fixture = ManagerFixture(lifetime: .seconds(1))
        let manager = try await fixture.signedIn(refreshesAhead: true)
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(20))
            fixture.clock.advance(by: .seconds(1))
        }
        #expect(fixture.server.exchangeCount <= 20 && fixture.server.refusalCount == 0)
        #expect(manager.state.isSignedIn)
    }

    @Test("F5 a slow listener does not harm the others")
    func slowListener() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let events = manager.events()
        for _ in 0..<300 {
            await manager.signOut()
            try await manager.adopt(fixture.server.signIn("user-1"))
        }
        await manager.signOut()
        var last: SessionEvent?
        var count = 0
        for await event in events {
            (last, count) = (event, count + 1)
            if count == 256 { break }
        }
        #expect(last == .state(.signedOut(.signedOutHere)))
    }

    @Test("F6 a sign-out in a cancelled task removes the session from a vault")
    func cancelledSignOut() async throws {
        try await withVault { vault in
            let fixture = ManagerFixture(vault)
            let manager = try await fixture.signedIn()
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return await manager.signOut()
            }
            task.cancel()
            let report = await task.value
            #expect(report.storeError == nil)
            try await settle()
            #expect(try await vault.entry(ManagerFixture.item) == nil, "a later start finds it")
            #expect(await (try fixture.manager()).start() == .signedOut(.noSession))
        }
    }

    @Test("F7 a sign-in in a cancelled task keeps what the server gave")
    func cancelledSignIn() async throws {
        try await withVault { vault in
            let fixture = ManagerFixture(vault)
            let manager = try fixture.manager()
            let grant = try fixture.server.signIn("user-1")
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await manager.adopt(grant)
            }
            task.cancel()
            _ = await task.result
            #expect(await (try fixture.manager()).start().isSignedIn)
        }
    }

    @Test("F8 a token request or start in a cancelled task reports no sign-out")
    func cancelledAsking() async throws {
        try await withVault { vault in
            let fixture = ManagerFixture(vault)
            _ = try await fixture.signedIn()
            let manager = try fixture.manager()
            let task = Task { () -> (String, SessionState) in
                while !Task.isCancelled { await Task.yield() }
                return (await manager.outcome(), await manager.start())
            }
            task.cancel()
            let (outcome, state) = await task.value
            // A token that was in the store and read anyway is as good an answer.
            #expect(outcome == "cancelled" || outcome == "access-user-1-1")
            #expect(state != .checking)
        }
    }

    @Test("F9 cancelled callers during a start over a vault sign no one out")
    func cancelledAmongOthers() async throws {
        try await withVault { vault in
            let fixture = ManagerFixture(vault)
            _ = try await fixture.signedIn()
            var wrong = 0
            for _ in 0..<200 {
                let manager = try fixture.manager()
                let good = Task { await manager.outcome() }
                let bad = Task { await manager.outcome() }
                bad.cancel()
                if await good.value == "signedOut" { wrong += 1 }
                _ = await bad.value
            }
            #expect(wrong == 0, "\(wrong) of 200")
        }
    }

    @Test("F11 a failure of the previous session starts no pause for the next")
    func pauseOfAnother() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.hold()
        fixture.server.failCall(
            1, with: SessionError(.rateLimited, retryAfter: .seconds(3600), "x"))
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        try await manager.adopt(fixture.server.signIn("user-2"))
        fixture.server.release()
        _ = await caller.value
        let used = try await manager.accessToken()
        let next = try? await manager.afterUnauthorized(used)
        #expect(next?.exposedText == "access-user-2-2")
    }

    @Test("F12 a session signed out during its exchange is revoked with its newest tokens")
    func signOutDuringExchange() async throws {
        let fixture = ManagerFixture()
        let server = SlowServer()
        let manager = try SessionManager(
            store: fixture.store, service: "api.example", backend: server,
            clock: fixture.clock.source)
        try await manager.adopt(fixture.server.signIn("user-1"))
        fixture.clock.advance(by: .seconds(3700))
        let caller = Task { await manager.outcome() }
        try await until { server.isAsked }
        let leaver = Task { await manager.signOut() }
        try await until { manager.state == .signedOut(.signedOutHere) }
        try await settle()
        server.answer()
        let report = await leaver.value
        _ = await caller.value
        try await settle()
        #expect(!report.isComplete || server.told.contains("refresh-new"), "\(server.told)")
    }

    @Test("F10 a lock held elsewhere ends the call in time and keeps the session")
    func heldLock() async throws {
        let fixture = ManagerFixture()
        let manager = try fixture.manager { $0.requestTimeout = .seconds(1) }
        try await manager.adopt(fixture.server.signIn("user-1"))
        fixture.clock.advance(by: .seconds(3700))
        let over = Locked(false)
        let holder = Task {
            try await fixture.store.withExclusiveAccess(
                to: ManagerFixture.item, within: .seconds(9)
            ) {
                while !over.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(5)) }
            }
        }
        try await settle()
        #expect(await manager.outcome() == "unavailable")
        #expect(manager.state.isSignedIn)
        over.withLock { $0 = true }
        try await holder.value
        fixture.clock.advance(by: .seconds(2))
        #expect(await manager.outcome() == "access-user-1-2")
    }

    private func withVault(_ body: (FileVault) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/attack-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: path) }
        let vault = try FileVault.create(
            at: path + "/vault", with: KeyFileUnlock.create(at: path + "/key"))
        try await body(vault)
    }
}

/// A server whose answer to an exchange waits.
final class SlowServer: SessionBackend {
    private let state = Locked((isAsked: false, isOver: false, told: [String]()))
    var isAsked: Bool { state.withLock { $0.isAsked } }
    var told: [String] { state.withLock { $0.told } }
    func answer() { state.withLock { $0.isOver = true } }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        state.withLock { $0.isAsked = true }
        while !state.withLock({ $0.isOver }) { try? await Task.sleep(for: .milliseconds(1)) }
        return try SessionGrant(
            accessToken: AccessToken("access-new"), refreshToken: RefreshToken("refresh-new"),
            lifetime: .seconds(3600), userID: "user-1")
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {
        state.withLock { $0.told.append(tokens.refreshToken?.exposedText ?? "none") }
    }
}
