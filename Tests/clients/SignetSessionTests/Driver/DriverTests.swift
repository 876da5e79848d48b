// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import TestSupport
import Testing

/// The flow over a real manager: what is shown, what is stored, what the server is told.
@Suite("The sign-in states over a session manager", .timeLimit(.minutes(20)))
struct DriverTests {
    @Test("A code gives a session, which is stored before the user is shown")
    func code() async throws {
        let fixture = DriverFixture()
        let driver = try await fixture.signedIn()
        #expect(driver.current.userID == AuthFlow.UserID("user-1"))
        #expect(try await fixture.managers.store.entry(ManagerFixture.item) != nil)
        #expect(fixture.client.state.withLock { $0.sent } == [DriverFixture.phone])
        // The next launch finds it.
        let next = try fixture.driver()
        await next.ask(.launch)
        try await until { next.current.user != nil }
        #expect(await next.ask(.launch) == .notHere)
    }

    @Test("Listeners start with the current state, in order, and a wrong code changes nothing")
    func shown() async throws {
        let fixture = DriverFixture()
        let driver = try fixture.driver()
        let flows = driver.flows()
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        let phone = try #require(AuthFlow.Destination(DriverFixture.phone))
        await driver.ask(.sendCode(phone))
        try await until { driver.current.state == .codeSent(phone) }
        await driver.ask(.verify(try #require(AuthFlow.Code("000000"))))
        try await until { driver.current.failure == .codeRejected }
        await driver.ask(.verify(try fixture.code()))
        try await until { driver.current.user != nil }
        var seen: [AuthFlow.State] = []
        for await flow in flows {
            if flow.state != seen.last { seen.append(flow.state) }
            if flow.user != nil { break }
        }
        let user = AuthFlow.User(id: try #require(AuthFlow.UserID("user-1")))
        #expect(seen == [.checking, .guest, .codeSent(phone), .keeping(user), .signedIn(user)])
    }

    @Test("A session that arrives for an abandoned sign-in is ended at the server")
    func givenUp() async throws {
        let fixture = DriverFixture()
        let driver = try fixture.driver()
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        fixture.client.line.hold()
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        #expect(await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-3"))) == .busy)
        try await until { fixture.client.line.waitingCount == 1 }
        await driver.ask(.cancel)
        #expect(driver.current.state == .guest)
        fixture.client.line.release()
        try await until { fixture.managers.server.signOuts == [.this] }
        #expect(try await fixture.managers.store.entry(ManagerFixture.item) == nil)
        #expect(driver.current.state == .guest)
    }

    @Test("Signing out clears the local state first, and tells the server once")
    func signOut() async throws {
        let fixture = DriverFixture()
        let driver = try await fixture.signedIn()
        fixture.managers.server.failCall(1, with: SessionError(.unreachable, "no network"))
        await driver.ask(.signOut)
        #expect(driver.current.state == .guest)
        #expect(try await fixture.managers.store.entry(ManagerFixture.item) == nil)
        try await until { fixture.managers.server.signOuts == [.this] }
        // And a new session is not the old one's.
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { driver.current.userID == AuthFlow.UserID("user-2") }
        #expect(fixture.managers.server.signOuts == [.this])
    }

    @Test("Signing out during a write leaves no session")
    func signOutDuringWrite() async throws {
        let store = GatedStore(InMemoryStore())
        let fixture = DriverFixture(ManagerFixture(store))
        let driver = try fixture.driver()
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        let gate = store.hold(.put, after: true)
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { gate.isReached }
        let leaving = Task { await driver.ask(.signOut) }
        gate.open()
        #expect(await leaving.value == nil)
        #expect(driver.current.state == .guest)
        #expect(try await store.entry(ManagerFixture.item) == nil)
        try await until { fixture.managers.server.signOuts == [.this] }
    }

    @Test("The server, another process's sign-out and a lock end the signed-in state")
    func ended() async throws {
        let fixture = DriverFixture()
        let driver = try await fixture.signedIn()
        fixture.managers.server.endSessions(of: "user-1")
        fixture.managers.clock.advance(by: .seconds(3500))
        _ = try? await driver.manager.accessToken()
        try await until { driver.current.failure == .sessionEnded }
        #expect(driver.current.state == .guest)
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { driver.current.user != nil }
        let other = try fixture.managers.manager()
        await other.start()
        await other.signOut()
        try await until { driver.current.state == .guest }
        #expect(driver.current.failure == nil)
    }

    @Test("Being offline is reported, changes no state, and ends with the next refresh")
    func offline() async throws {
        let fixture = DriverFixture()
        let driver = try await fixture.signedIn()
        fixture.managers.server.failCall(1, with: SessionError(.unreachable, "no network"))
        fixture.managers.clock.advance(by: .seconds(3500))
        _ = try? await driver.manager.accessToken()
        try await until { driver.current.failure == .offline }
        #expect(driver.current.user != nil)
        fixture.managers.clock.advance(by: .seconds(60))
        _ = try await driver.manager.accessToken()
        try await until { driver.current.failure == nil }
    }

    @Test("A required profile comes before signed in, and a deleted account leaves nothing")
    func profile() async throws {
        let fixture = DriverFixture()
        let driver = try fixture.driver(.init(profile: .required))
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { driver.current.onboarding == .profile && !driver.current.isBusy }
        await driver.ask(.submitProfile(AuthFlow.ProfileDraft()))
        try await until { driver.current.failure == .usernameTaken }
        await driver.ask(.submitProfile(AuthFlow.ProfileDraft(username: "ann")))
        try await until { driver.current.onboarding == .done }
        await driver.ask(.deleteAccount)
        try await until { driver.current.state == .guest }
        #expect(fixture.client.state.withLock { $0.deleted } == ["access-user-2-1"])
        #expect(try await fixture.managers.store.entry(ManagerFixture.item) == nil)
        // The account is gone, so there is no session to end at the server.
        #expect(fixture.managers.server.signOuts == [])
    }

    @Test("A vault locks, stays locked when unlocking is abandoned, and reopens the session")
    func locking() async throws {
        let folder = try PrivateFolder()
        let method = try KeyFileUnlock.create(at: folder.path + "/key")
        let vault = try FileVault.create(at: folder.path + "/vault", with: method)
        let fixture = DriverFixture(ManagerFixture(vault))
        fixture.client.state.withLock { $0.locks = { try? vault.lock() } }
        let unlock: @Sendable () throws -> Void = { try vault.unlock(with: method) }
        fixture.client.state.withLock { $0.unlocks = [unlock, unlock] }
        let driver = try await fixture.signedIn()
        await driver.ask(.lock)
        #expect(driver.current.state == .locked)
        #expect(try vault.isLocked())
        fixture.client.line.hold()
        await driver.ask(.unlock)
        try await until { fixture.client.line.waitingCount == 1 }
        let giving = Task { await driver.ask(.cancel) }
        try await Task.sleep(for: .milliseconds(20))
        fixture.client.line.release()
        _ = await giving.value
        #expect(driver.current.state == .locked)
        #expect(try vault.isLocked())
        await driver.ask(.unlock)
        try await until { driver.current.user != nil }
    }

    @Test("After an app lock's timeout an offered slot opens the session again")
    func lockedByTime() async throws {
        let folder = try PrivateFolder()
        let method = try KeyFileUnlock.create(at: folder.path + "/key")
        let stranger = try KeyFileUnlock.create(at: folder.path + "/another-key")
        let clock = ManualClock()
        var options = VaultOptions()
        options.autoLockSeconds = 300
        options.clock = clock.source
        let vault = try FileVault.create(
            at: folder.path + "/vault", with: method, options: options)
        let fixture = DriverFixture(ManagerFixture(vault, clock: clock))
        let unlock: @Sendable () throws -> Void = {
            let offers = try vault.unlockOffers([stranger, method])
            guard case .ready(let way)? = offers.first(where: \.isAvailable)?.way else {
                throw StoreError(.locked, "nothing is offered")
            }
            try vault.unlock(with: way)
        }
        fixture.client.state.withLock { $0.unlocks = [unlock] }
        let driver = try await fixture.signedIn()
        clock.advance(by: .seconds(301))
        #expect(try vault.isLocked())
        try await until { driver.current.state == .locked }
        #expect(driver.current.user == nil)
        #expect(await driver.manager.tokenFailure() == .locked)
        #expect(await driver.ask(.deleteAccount) == .notHere)
        await driver.ask(.unlock)
        try await until { driver.current.user != nil }
        #expect(try await driver.manager.accessToken().exposedText == "access-user-1-1")
        #expect(fixture.managers.server.exchangeCount == 0)
    }

    @Test("A store that locks during an action is not reported as an ended session")
    func lockedMeanwhile() async throws {
        let session = ManagerFixture()
        let faulty = FaultyStore(session.store)
        let client = AppClient(session.server)
        let driver = AuthFlowDriver(manager: try session.manager(over: faulty), client: client)
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { driver.current.user != nil }
        session.clock.advance(by: .seconds(3700))
        faulty.failCalls(with: .locked)
        await driver.ask(.deleteAccount)
        try await until { driver.current.failure != nil }
        #expect(driver.current.failure == .stillLocked && driver.current.user != nil)
        #expect(client.state.withLock { $0.deleted } == [])
    }

    @Test(
        "A sign-out that the store failed to save is reported, and no other",
        arguments: [StoreError.Code.locked, .unavailable])
    func notCleared(_ code: StoreError.Code) async throws {
        let session = ManagerFixture()
        let faulty = FaultyStore(session.store)
        let driver = AuthFlowDriver(
            manager: try session.manager(over: faulty), client: AppClient(session.server))
        await driver.ask(.launch)
        try await until { driver.current.state == .guest }
        #expect(await driver.notCleared == nil)
        await driver.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { driver.current.user != nil }
        faulty.failCalls(on: ManagerFixture.item, with: code, onlyWrites: true)
        await driver.ask(.signOut)
        #expect(driver.current.state == .guest)
        #expect(await driver.notCleared?.code == code)
        faulty.recover()
        await driver.ask(.signOut)
        #expect(await driver.notCleared == nil)
        #expect(try await session.store.entry(ManagerFixture.item) == nil)
    }
}
