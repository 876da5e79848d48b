// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

struct FaultyStoreTests {
    private let base = InMemoryStore()
    private let key = ItemKey(service: "s", account: "a")

    @Test("Without a fault, FaultyStore keeps the contract of stores")
    func passesCallsOnWithoutAFault() async throws {
        for check in StoreConformance.checks(for: .all) {
            try await check.run(on: FaultyStore(base)) { base.unlock() }
        }
    }

    @Test(
        "FaultyStore fails the call of the given number, which changes nothing",
        arguments: [StoreError.Code.locked, .corrupt, .unavailable, .timedOut, .conflict])
    func failsTheNthCall(_ code: StoreError.Code) async throws {
        let store = FaultyStore(base)
        store.failCall(3, with: code)
        try await store.set("one", for: key)
        #expect(try await store.get(key)?.string() == "one")
        await #expect(throws: StoreError(code, "")) { try await store.set("two", for: key) }
        #expect(try await store.get(key)?.string() == "one")
        #expect(store.calls.map(\.operation) == [.put, .entry, .put, .entry])
    }

    @Test("FaultyStore may fail after the call has been made")
    func failsAfterTheCallWasMade() async throws {
        let store = FaultyStore(base)
        store.failCall(1, with: .timedOut, moment: .after, onlyWrites: true)
        #expect(try await store.get(key)?.string() == nil)
        await #expect(throws: StoreError(.timedOut, "")) { try await store.set("one", for: key) }
        #expect(try await store.get(key)?.string() == "one")
    }

    @Test("FaultyStore fails calls on one item, or all, until it recovers")
    func failsCallsOnAnItem() async throws {
        let store = FaultyStore(base)
        store.failCalls(on: key, with: .corrupt, times: 2)
        let other = ItemKey(service: "s", account: "b")
        try await store.put([NewItem(key: other, value: SecretValue("v"))])
        for _ in 0..<2 {
            await #expect(throws: StoreError(.corrupt, "")) { try await store.item(key) }
            #expect(try await store.item(other) != nil)
        }
        #expect(try await store.item(key) == nil)
        store.failCalls(with: .locked)
        await #expect(throws: StoreError(.locked, "")) { try await store.item(other) }
        store.recover()
        #expect(try await store.item(other) != nil)
        store.forgetCalls()
        #expect(store.calls.isEmpty)
    }
}
