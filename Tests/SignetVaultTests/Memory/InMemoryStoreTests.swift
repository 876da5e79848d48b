// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

struct InMemoryStoreTests {
    @Test(arguments: StoreConformance.checks(for: .all))
    func keepsTheContract(_ check: StoreCheck) async throws {
        let store = InMemoryStore()
        try await check.run(on: store) { store.unlock() }
        let rest = try await store.allItems()
        #expect(rest.isEmpty, "the check cleans up behind itself")
    }

    @Test func takesItsTimesFromTheClock() async throws {
        let clock = FixedClock()
        let store = InMemoryStore(now: clock.now)
        let key = ItemKey(service: "s", account: "a")
        let start = clock.time
        try await store.set("one", for: key)
        clock.advance(milliseconds: 1500)
        try await store.set("two", for: key)
        let item = try #require(try await store.item(key))
        #expect(item.created == start)
        #expect(item.modified.milliseconds == start.milliseconds + 1500)
    }

    @Test func locksItselfWhenIdle() async throws {
        let store = InMemoryStore(autoLockAfter: .milliseconds(50))
        let changes = store.changes()
        try await store.set("v", for: ItemKey(service: "s", account: "a"))
        // Comes by itself: nobody calls the store meanwhile.
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next(isolation: nil) == .set(ItemKey(service: "s", account: "a")))
        #expect(await iterator.next(isolation: nil) == .locked)
        await #expect(throws: StoreError(.locked, "")) { try await store.allItems() }
        store.unlock()
        #expect(await iterator.next(isolation: nil) == .unlocked)
        #expect(try await store.allItems().count == 1)
        #expect(await iterator.next(isolation: nil) == .locked)
    }

    @Test func staysOpenWhileItIsUsed() async throws {
        let store = InMemoryStore(autoLockAfter: .seconds(1))
        var last = ContinuousClock.now
        for _ in 0..<15 {
            try await Task.sleep(for: .milliseconds(100))
            // A machine that is busy enough lets the time pass after all; then there is nothing to be seen.
            guard .now - last < .milliseconds(900) else { return }
            _ = try await store.allItems()
            last = .now
        }
        #expect(try await !store.isLocked())
    }

    @Test func goesAwayWithItsTimer() async throws {
        weak var gone: InMemoryStore?
        do {
            let store = InMemoryStore(autoLockAfter: .seconds(3600))
            gone = store
        }
        #expect(gone == nil)
    }
}
