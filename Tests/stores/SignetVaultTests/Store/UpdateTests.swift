// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

private struct Own: Error, Equatable {}

struct UpdateTests {
    private let key = ItemKey(service: "s", account: "counter")

    @Test("Tasks that update one item at once lose no update")
    func nothingIsLostAmongManyTasks() async throws {
        let store = InMemoryStore()
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    var done = 0
                    while done < 100 {
                        do {
                            // Between reading and writing others get a turn.
                            try await store.update(key) { old in
                                let count = try old?.decoded(as: Int.self) ?? 0
                                await Task.yield()
                                return try SecretValue(encoding: count + 1)
                            }
                            done += 1
                        } catch let error as StoreError where error.code == .conflict {
                            // On a busy machine others may win 100 times in a row: nothing was
                            // written.
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.get(key)?.decoded(as: Int.self) == 600)
    }

    @Test("The closure's error is rethrown, and nothing is written")
    func whatTheClosureThrowsPassesThrough() async throws {
        let store = InMemoryStore()
        let absent = ItemKey(service: "s", account: "absent")
        try await store.set("old", for: key)
        await #expect(throws: Own()) { try await store.update(key) { _ in throw Own() } }
        await #expect(throws: StoreError(.invalidValue, "")) {
            try await store.update(key) { (_) throws(StoreError) in
                throw StoreError(.invalidValue, "no")
            }
        }
        await #expect(throws: Own()) { try await store.update(absent) { _ in throw Own() } }
        #expect(try await store.item(absent) == nil)
        #expect(try await store.get(key)?.string() == "old")
    }

    @Test("A closure that returns nil removes the item, or leaves it absent")
    func nilRemovesOrLeavesAbsent() async throws {
        let store = InMemoryStore()
        #expect(try await store.update(key) { _ in nil } == nil)
        #expect(try await store.item(key) == nil)
        try await store.set("old", for: key)
        try await store.update(key) { _ in nil }
        #expect(try await store.item(key) == nil)
    }

    @Test(
        "After a lost race the closure runs again",
        arguments: [StoreError.Code.conflict, .alreadyExists])
    func aLostRaceIsRunAgain(_ code: StoreError.Code) async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: code, times: 3, onlyWrites: true)
        var runs = 0
        try await store.update(key) { _ in
            runs += 1
            return SecretValue("v")
        }
        #expect(runs == 4)
        #expect(try await store.get(key)?.string() == "v")
    }

    @Test("An update gives up after 100 tries")
    func itGivesUpAfterManyTries() async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: .conflict, onlyWrites: true)
        var runs = 0
        await #expect(throws: StoreError(.conflict, "")) {
            try await store.update(key) { _ in
                runs += 1
                return SecretValue("v")
            }
        }
        #expect(runs == 100)
    }

    @Test(
        "Other errors are not retried",
        arguments: [StoreError.Code.locked, .corrupt, .unavailable, .timedOut])
    func otherErrorsAreNotRetried(_ code: StoreError.Code) async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: code, onlyWrites: true)
        await #expect(throws: StoreError(code, "")) {
            try await store.update(key) { _ in SecretValue("v") }
        }
        #expect(store.calls.count == 2)
    }

    @Test("An unreadable item is not taken for absent")
    func anUnreadableItemIsNotTakenForAbsent() async throws {
        let base = InMemoryStore()
        try await base.set("precious", for: key)
        let store = FaultyStore(base)
        store.failCall(1, with: .corrupt)
        await #expect(throws: StoreError(.corrupt, "")) {
            try await store.update(key) { _ in SecretValue("new") }
        }
        #expect(try await base.get(key)?.string() == "precious")
    }

    @Test("A cancelled task stops trying")
    func aCancelledTaskStopsTrying() async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: .conflict, onlyWrites: true)
        let task = Task { try await store.update(key) { _ in SecretValue("v") } }
        task.cancel()
        await #expect(throws: StoreError(.cancelled, "")) { try await task.value }
    }
}
