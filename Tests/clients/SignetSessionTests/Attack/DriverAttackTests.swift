// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import SignetVault
import TestSupport
import Testing

/// Two people, or two processes, at one store.
@Suite("Attacks on the driver and the migration")
struct DriverAttackTests {
    @Test("The account of a person who signed in elsewhere meanwhile is not deleted")
    func deletesNoOther() async throws {
        // Changes by others are not reported.
        let store = GatedStore(InMemoryStore(), tellsChanges: false)
        let fixture = DriverFixture(ManagerFixture(store))
        let driver = try await fixture.signedIn()
        fixture.managers.clock.advance(by: .seconds(3500))
        let other = try fixture.managers.manager()
        try await other.adopt(fixture.managers.server.signIn("user-2"))
        // The flow hears of them late.
        fixture.client.state.withLock { state in
            state.reads = { if $0.id == "user-2" { SystemClock.pause(nanoseconds: 300_000_000) } }
        }
        await driver.ask(.deleteAccount)
        try await until { driver.current.userID == AuthFlow.UserID("user-2") }
        try await until { !driver.current.isBusy }
        #expect(fixture.client.state.withLock { $0.deleted } == [])
        #expect(try await store.entry(ManagerFixture.item) != nil)
        // And the one who is shown now can have theirs deleted.
        await driver.ask(.deleteAccount)
        try await until { driver.current.state == .guest }
        #expect(fixture.client.state.withLock { $0.deleted } == ["access-user-2-1"])
    }

    @Test(
        "Records that another account has claimed meanwhile are left alone",
        arguments: [false, true])
    func claimedMeanwhile(_ isDone: Bool) async throws {
        let store = GatedStore(InMemoryStore())
        let fixture = DriverFixture(ManagerFixture(store))
        let records = Locked((old: "local-7" as String?, owners: [String](), mayMove: isDone))
        let legacy = LegacyMigration(store: store, service: "api.example") {
            records.withLock { $0.old }
        } move: { migration in
            records.withLock { $0.owners.append(migration.to.text) }
            try await until { records.withLock { $0.mayMove } }
        } forget: {
            records.withLock { $0.old = nil }
        }
        func driver(_ account: String) async throws -> AuthFlowDriver {
            let driver = try AuthFlowDriver(
                manager: fixture.managers.manager(account: account), client: fixture.client,
                legacy: legacy)
            await driver.ask(.launch)
            try await until { driver.current.state == .guest }
            return driver
        }
        let (first, second) = (try await driver("one"), try await driver("two"))
        // The second has found the old id free, and keeps the session.
        let gate = store.hold(.put, after: false)
        await second.ask(.signIn(AuthFlow.Provider(rawValue: "user-2")))
        try await until { gate.isReached }
        await first.ask(.signIn(AuthFlow.Provider(rawValue: "user-1")))
        try await until {
            isDone ? first.current.user != nil : records.withLock { !$0.owners.isEmpty }
        }
        gate.open()
        try await until { second.current.user != nil || second.current.failure != nil }
        records.withLock { $0.mayMove = true }
        try await until { first.current.user != nil && second.current.user != nil }
        #expect(records.withLock { $0.owners } == ["user-1"])
        #expect(records.withLock { $0.old } == nil)
        let claim = ItemKey.token(service: "api.example", account: "legacy-user")
        #expect(try await store.entry(claim) == nil)
    }
}
