// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

struct InMemoryStoreTests {
    @Test(
        "A store in memory keeps the contract of stores",
        arguments: StoreConformance.checks(for: .all))
    func keepsTheContract(_ check: StoreCheck) async throws {
        let store = InMemoryStore()
        try await check.run(on: store) { store.unlock() }
        let rest = try await store.allItems()
        #expect(rest.isEmpty, "the check cleans up behind itself")
    }

    @Test("An item's times come from the store's clock")
    func takesItsTimesFromTheClock() async throws {
        let clock = ManualClock()
        let store = InMemoryStore(clock: clock.source)
        let key = ItemKey(service: "s", account: "a")
        let start = ItemTime.now(by: clock.source)
        try await store.set("one", for: key)
        clock.advance(by: .milliseconds(1500))
        try await store.set("two", for: key)
        let item = try #require(try await store.item(key))
        #expect(
            item.created == start && ItemTime.current > ItemTime(milliseconds: 1_700_000_000_000))
        #expect(item.modified.milliseconds == start.milliseconds + 1500)
    }

    @Test("An idle store locks itself", .timeLimit(.minutes(20)))
    func locksItselfWhenIdle() async throws {
        let store = InMemoryStore(autoLockAfter: .milliseconds(50))
        try await store.lock()
        var changes = store.changes().makeAsyncIterator()
        for _ in 0..<2 {
            store.unlock()
            #expect(await changes.next(isolation: nil) == .unlocked)
            // It happens by itself: nothing calls the store meanwhile.
            #expect(await changes.next(isolation: nil) == .locked)
            await #expect(throws: StoreError(.locked, "")) { try await store.allItems() }
        }
    }

    @Test("A late call finds it locked, by the given clock")
    func locksItselfByItsClock() async throws {
        let clock = ManualClock()
        let store = InMemoryStore(autoLockSeconds: 600, clock: clock.source)
        clock.advance(by: .seconds(599))
        _ = try await store.allItems()
        clock.advance(by: .milliseconds(599_999))
        #expect(try await !store.isLocked())
        clock.advance(by: .milliseconds(1))
        await #expect(throws: StoreError(.locked, "")) { try await store.allItems() }
        // The time of day does not matter.
        store.unlock()
        clock.now = NumericDate(secondsSince1970: 2_000_000_000)
        _ = try await store.allItems()
    }

    @Test("A store in use does not lock itself early")
    func staysOpenWhileItIsUsed() async throws {
        let limit = Duration.seconds(1)
        let store = InMemoryStore(autoLockAfter: limit)
        for _ in 0..<15 {
            let lastUse = ContinuousClock.now
            _ = try? await store.allItems()
            try await Task.sleep(for: .milliseconds(100))
            guard try await store.isLocked() else { continue }
            // On a busy machine the time may pass after all, but never early.
            #expect(.now - lastUse >= limit)
            store.unlock()
        }
    }

    @Test("A store is freed although its timer is pending")
    func goesAwayWithItsTimer() async throws {
        weak var gone: InMemoryStore?
        do {
            let store = InMemoryStore(autoLockAfter: .seconds(3600))
            gone = store
        }
        #expect(gone == nil)
    }
}
