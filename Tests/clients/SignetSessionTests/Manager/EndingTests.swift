// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import Testing

@Suite("SessionManager: failures, and what ends a session", .timeLimit(.minutes(20)))
struct EndingTests {
    static let temporary: [SessionError.Code] = [
        .unreachable, .timedOut, .serverFailed, .rateLimited, .invalidAnswer, .cancelled,
    ]

    @Test(
        "Only the server's word ends the session, and a good token is used meanwhile",
        arguments: temporary)
    func keeps(_ code: SessionError.Code) async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3400))
        fixture.server.failCall(1, with: SessionError(code, "x"))
        #expect(try await manager.accessToken().exposedText == "access-user-1-1")
        fixture.clock.advance(by: .seconds(300))
        fixture.server.failCall(1, with: SessionError(code, "x"))
        let expected: SessionError.Code = code == .cancelled ? .timedOut : code
        #expect(await manager.tokenFailure() == expected)
        #expect(manager.state.isSignedIn)
        #expect(try await fixture.store.get(ManagerFixture.item) != nil)
        fixture.clock.advance(by: .seconds(60))
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
    }

    @Test("Pauses double from 1 s to 60 s, less up to half; Retry-After is kept exactly")
    func pauses() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(4000))
        var longest = 1
        for round in 0..<10 {
            fixture.server.failCall(1, with: SessionError(.serverFailed, "x"))
            #expect(await manager.tokenFailure() == .serverFailed)
            // Within the pause the server is not asked.
            #expect(await manager.tokenFailure() == .serverFailed)
            #expect(fixture.server.exchangeCount == round + 1)
            fixture.clock.advance(by: .milliseconds(longest * 500 - 1))
            #expect(await manager.tokenFailure() == .serverFailed)
            #expect(fixture.server.exchangeCount == round + 1)
            fixture.clock.advance(by: .milliseconds(longest * 500 + 1))
            longest = min(longest * 2, 60)
        }
        fixture.server.failCall(1, with: SessionError(.rateLimited, retryAfter: .seconds(900), "x"))
        #expect(await manager.tokenFailure() == .rateLimited)
        fixture.clock.advance(by: .seconds(899))
        do throws(SessionError) {
            _ = try await manager.accessToken()
            Issue.record("the server was asked too early")
        } catch {
            #expect(error.code == .rateLimited && error.retryAfter == .seconds(1))
        }
        fixture.clock.advance(by: .seconds(1))
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
    }

    @Test("The server's word ends the session once, in memory and in the store")
    func refused() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.server.endSessions(of: "user-1")
        fixture.clock.advance(by: .seconds(3500))
        #expect(await manager.tokenFailure() == .refused)
        #expect(manager.state == .signedOut(.endedByServer))
        #expect(try await fixture.store.get(ManagerFixture.item) == nil)
        #expect(await manager.tokenFailure() == .signedOut && fixture.server.exchangeCount == 1)
        #expect(manager.state == .signedOut(.endedByServer))
    }

    @Test("A refusal of a token that the store no longer holds removes nothing")
    func refusedTooLate() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.endSessions(of: "user-1")
        fixture.server.hold()
        let caller = Task { try await manager.accessToken().exposedText }
        try await until { fixture.server.waitingCount == 1 }
        // The person signs in again, elsewhere.
        try await fixture.manager().adopt(fixture.server.signIn("user-2"))
        fixture.server.release()
        _ = await caller.result
        #expect(try await fixture.store.get(ManagerFixture.item) != nil)
        try await until {
            try await manager.accessToken().exposedText == "access-user-2-1"
        }
    }

    @Test("A refusal ends the session even if the store cannot be told")
    func refusedWithoutStore() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.server.endSessions(of: "user-1")
        fixture.clock.advance(by: .seconds(3500))
        faulty.failCall(2, with: .unavailable, onlyWrites: true)
        #expect(await manager.tokenFailure() == .refused)
        #expect(manager.state == .signedOut(.endedByServer))
        #expect(await manager.tokenFailure() == .signedOut)
        #expect(manager.state == .signedOut(.endedByServer))
        #expect(try await fixture.store.get(ManagerFixture.item) == nil)
    }

    @Test(
        "A wrong clock keeps the session",
        arguments: [-1_000_000_000, -86_400, -3600, 7200, 86_400, 1_000_000_000])
    func wrongClock(_ seconds: Int) async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let right = fixture.clock.now.secondsSince1970
        fixture.clock.now = NumericDate(secondsSince1970: right + Double(seconds))
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
        fixture.server.failCall(1, with: SessionError(.unreachable, "x"))
        fixture.clock.now = NumericDate(secondsSince1970: right)
        _ = try? await manager.accessToken()
        #expect(manager.state.isSignedIn)
        fixture.clock.advance(by: .seconds(120))
        _ = try await manager.accessToken()
        #expect(manager.state.isSignedIn && fixture.server.refusalCount == 0)
    }

    @Test(
        "A store error keeps the session, and ends when the store is back",
        arguments: [
            StoreError.Code.locked, .unavailable, .busy, .timedOut, .corrupt, .insecureFile,
            .rolledBack, .conflict,
        ])
    func storeFails(_ code: StoreError.Code) async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        _ = try await fixture.signedIn(over: faulty)
        for onlyWrites in [false, true] {
            let manager = try fixture.manager(over: faulty)
            await manager.start()
            fixture.clock.advance(by: .seconds(3700))
            faulty.failCalls(with: code, onlyWrites: onlyWrites)
            let failure = await manager.tokenFailure()
            #expect(failure == .locked || failure == .unavailable || failure == nil)
            if case .signedOut = manager.state { Issue.record("\(code): \(manager.state)") }
            faulty.recover()
            fixture.clock.advance(by: .seconds(120))
            _ = try await manager.accessToken()
            #expect(manager.state.isSignedIn && fixture.server.refusalCount == 0)
        }
    }

    @Test("A sign-out happens here first, whatever the server says", arguments: temporary)
    func signOutWithoutServer(_ code: SessionError.Code) async throws {
        for scope in [SignOutScope.this, .all] {
            let fixture = ManagerFixture()
            let manager = try await fixture.signedIn()
            fixture.server.failCall(1, with: SessionError(code, "x"))
            let report = await manager.signOut(scope)
            #expect(report.serverError != nil && report.storeError == nil)
            #expect(manager.state == .signedOut(.signedOutHere))
            #expect(try await fixture.store.get(ManagerFixture.item) == nil)
            #expect(await manager.tokenFailure() == .signedOut)
            #expect(fixture.server.signOuts == [scope])
        }
    }

    @Test("Other sessions are signed out, and this one continues")
    func signOutOthers() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        #expect(await manager.signOut(.others).isComplete)
        #expect(manager.state.isSignedIn && fixture.server.signOuts == [.others])
        #expect(await manager.signOut().isComplete && fixture.server.signOuts == [.others, .this])
        #expect(await manager.signOut().isComplete, "a second sign-out is success")
    }

    @Test("A session that the store could not remove does not come back in this process")
    func signOutWithoutStore() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        faulty.failCalls(on: ManagerFixture.item, with: .unavailable, times: 1, onlyWrites: true)
        let report = await manager.signOut()
        #expect(report.storeError?.code == .unavailable && report.serverError == nil)
        #expect(manager.state == .signedOut(.signedOutHere))
        #expect(await manager.tokenFailure() == .signedOut)
        #expect(try await fixture.store.get(ManagerFixture.item) == nil, "removed when it could be")
    }

    @Test("A sign-out during an exchange wins, and a later sign-in stays")
    func signOutDuringExchange() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.tokenFailure() }
        try await until { fixture.server.waitingCount == 1 }
        let leaver = Task { await manager.signOut() }
        try await until { manager.state == .signedOut(.signedOutHere) }
        try await until { try await fixture.store.get(ManagerFixture.item) == nil }
        try await manager.adopt(fixture.server.signIn("user-2"))
        fixture.server.release()
        _ = await caller.value
        #expect(await leaver.value.isComplete)
        #expect(try await manager.accessToken().exposedText == "access-user-2-1")
        #expect(manager.state.isSignedIn)
    }

    @Test("A sign-out elsewhere during an exchange revokes the new tokens too")
    func signOutElsewhereDuringExchange() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.tokenFailure() }
        try await until { fixture.server.waitingCount == 1 }
        #expect(await (try fixture.manager()).signOut().isComplete)
        fixture.server.release()
        #expect(await caller.value == .signedOut)
        #expect(manager.state == .signedOut(.removedElsewhere))
        try await until { fixture.server.signOuts == [.this, .this] }
        #expect(fixture.server.lastSignedOut == "access-user-1-2")
        #expect(try await fixture.store.get(ManagerFixture.item) == nil)
    }

    @Test("A silent server ends with the request's time limit, and the next call asks it again")
    func neverAnswers() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        let silent = SilentServer()
        let waiting = try SessionManager(
            store: fixture.store, service: "api.example", backend: silent,
            clock: fixture.clock.source)
        let caller = Task { await waiting.tokenFailure() }
        try await until { silent.isAsked && fixture.clock.sleeperCount > 0 }
        fixture.clock.advance(by: .seconds(30))
        #expect(await caller.value == .timedOut)
        #expect(try await manager.accessToken().exposedText == "access-user-1-2")
    }
}

/// A server that answers when it is told to stop.
final class SilentServer: SessionBackend {
    private let asked = Locked(false)

    var isAsked: Bool { asked.withLock { $0 } }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        asked.withLock { $0 = true }
        while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
        throw SessionError(.cancelled, "cancelled")
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {}
}
