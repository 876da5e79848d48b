// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import Testing

@Suite("SessionManager: draining before the program ends", .timeLimit(.minutes(20)))
struct DrainTests {
    @Test("A drain waits for the answer and its write, and the caller gets the new token")
    func duringAsk() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        let drained = Locked(false)
        let drain = Task {
            await manager.drain()
            drained.withLock { $0 = true }
        }
        try await settle()
        #expect(!drained.withLock { $0 }, "the server has not answered yet")
        fixture.server.release()
        await drain.value
        #expect(try await fixture.storedText().contains("access-user-1-2"))
        #expect(await caller.value == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("A drain waits for the write of the successor, whose reply is late", arguments: [1, 2])
    func duringWrite(_ drains: Int) async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        let gate = store.hold(.replace, after: false)
        fixture.server.release()
        try await until { gate.isReached }
        let done = Locked(0)
        let tasks = (0..<drains).map { _ in
            Task {
                await manager.drain()
                done.withLock { $0 += 1 }
            }
        }
        try await settle()
        #expect(done.withLock { $0 } == 0)
        gate.open()
        for task in tasks { await task.value }
        #expect(try await fixture.storedText().contains("access-user-1-2"))
        #expect(await caller.value == "access-user-1-2")
    }

    @Test("A call that waits for another process ends at once, and asks nothing")
    func whileWaiting() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
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
        let caller = Task { await manager.outcome() }
        try await settle()
        await manager.drain()
        #expect(await caller.value == "drained", "though the other one has not ended")
        over.withLock { $0 = true }
        try await holder.value
        #expect(await manager.outcome() == "drained" && fixture.server.exchangeCount == 0)
        #expect(manager.state.isSignedIn)
        // Nothing was lost.
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
    }

    @Test("An exchange that has not asked yet asks nothing")
    func beforeAsking() async throws {
        let fixture = ManagerFixture()
        let store = GatedStore(fixture.store)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3700))
        let gate = store.hold(.entry, after: true)
        let caller = Task { await manager.outcome() }
        try await until { gate.isReached }
        let drain = Task { await manager.drain() }
        try await settle()
        gate.open()
        await drain.value
        #expect(await caller.value == "drained" && fixture.server.exchangeCount == 0)
    }

    @Test("A drained manager gives a token that is good, also another process's, and asks no more")
    func afterwards() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn(refreshesAhead: true)
        let used = try await manager.accessToken()
        await manager.drain()
        await manager.drain()
        fixture.clock.advance(by: .seconds(3599))
        #expect(await manager.outcome() == "access-user-1-1", "good for one more second")
        await #expect(throws: SessionError(.drained, "")) {
            try await manager.afterUnauthorized(used)
        }
        fixture.clock.advance(by: .seconds(1))
        #expect(await manager.outcome() == "drained" && fixture.server.exchangeCount == 0)
        try await until { fixture.clock.sleeperCount == 0 }
        #expect(await (try fixture.manager()).outcome() == "access-user-1-2")
        #expect(await manager.outcome() == "access-user-1-2")
        #expect(await manager.signOut().isComplete)
        try await manager.adopt(fixture.server.signIn("user-2"))
        #expect(await manager.outcome() == "access-user-2-1")
    }

    @Test("A successor that the store refused is written by the drain, if it can be")
    func writesWhatIsLeft() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        faulty.failCalls(on: ManagerFixture.item, with: .unavailable, onlyWrites: true)
        fixture.server.release()
        #expect(await caller.value == "unavailable")
        await manager.drain()
        #expect(!(try await fixture.storedText().contains("access-user-1-2")))
        faulty.recover()
        await manager.drain()
        #expect(try await fixture.storedText().contains("access-user-1-2"))
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("A drain writes what the running exchange gave up, if the store can by then")
    func writesWhatWasGivenUp() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let store = GatedStore(faulty)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        faulty.failCalls(on: ManagerFixture.item, with: .unavailable, times: 4, onlyWrites: true)
        let last = store.hold(.replace, after: true, passing: 3)
        fixture.server.release()
        try await until { last.isReached }
        let drain = Task { await manager.drain() }
        try await settle()
        last.open()
        await drain.value
        #expect(try await fixture.storedText().contains("access-user-1-2"))
        #expect(await caller.value == "unavailable" && fixture.server.exchangeCount == 1)
    }
}
