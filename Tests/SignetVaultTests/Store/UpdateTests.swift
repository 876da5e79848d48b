// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import Testing

private struct Own: Error, Equatable {}

struct UpdateTests {
    private let key = ItemKey(service: "s", account: "counter")

    @Test func nothingIsLostAmongManyTasks() async throws {
        let store = InMemoryStore()
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    var done = 0
                    while done < 100 {
                        do throws(StoreError) {
                            // Between reading and writing others get a turn.
                            try await store.update(key, as: Int.self) { count in
                                let old = count ?? 0
                                await Task.yield()
                                count = old + 1
                            }
                            done += 1
                        } catch {
                            // On a busy machine others may be faster 100 times in a row: nothing
                            // was written.
                            guard error.code == .conflict else { throw error }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.get(key, as: Int.self) == 600)
    }

    @Test func whatTheClosureThrowsPassesThrough() async throws {
        let store = InMemoryStore()
        let absent = ItemKey(service: "s", account: "absent")
        try await store.set("old", for: key)
        await #expect(throws: Own()) { try await store.update(key) { _ in throw Own() } }
        await #expect(throws: StoreError(.invalidValue, "")) {
            try await store.update(key) { (_) throws(StoreError) in throw StoreError(.invalidValue, "no") }
        }
        await #expect(throws: Own()) { try await store.update(absent, as: Int.self) { _ in throw Own() } }
        #expect(try await !store.contains(absent))
        #expect(try await store.string(for: key) == "old")
    }

    @Test func onlyStoreErrorsComeOutOfATypedClosure() async {
        let store = InMemoryStore()
        do throws(StoreError) {
            try await store.update(key) { _ in SecretValue("one") }
            try await store.update(key) { (old) throws(StoreError) in SecretValue(try old?.string() ?? "none")
            }
        } catch {
            Issue.record(error)
        }
    }

    @Test func nilRemovesOrLeavesAbsent() async throws {
        let store = InMemoryStore()
        #expect(try await store.update(key) { _ in nil } == nil)
        #expect(try await !store.contains(key))
        try await store.set("old", for: key)
        try await store.update(key) { _ in nil }
        #expect(try await !store.contains(key))
    }

    @Test(arguments: [StoreError.Code.conflict, .alreadyExists])
    func aLostRaceIsRunAgain(_ code: StoreError.Code) async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: code, times: 3, onlyWrites: true)
        var runs = 0
        try await store.update(key) { _ in
            runs += 1
            return SecretValue("v")
        }
        #expect(runs == 4)
        #expect(try await store.string(for: key) == "v")
    }

    @Test func itGivesUpSomeTime() async throws {
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

    @Test(arguments: [StoreError.Code.locked, .corrupt, .unavailable, .timedOut])
    func otherErrorsAreNotTriedAgain(_ code: StoreError.Code) async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: code, onlyWrites: true)
        await #expect(throws: StoreError(code, "")) {
            try await store.update(key) { _ in SecretValue("v") }
        }
        #expect(store.calls.count == 2)
    }

    @Test func anUnreadableItemIsNotTakenForAbsent() async throws {
        let base = InMemoryStore()
        try await base.set("precious", for: key)
        let store = FaultyStore(base)
        store.failCall(1, with: .corrupt)
        await #expect(throws: StoreError(.corrupt, "")) {
            try await store.update(key) { _ in SecretValue("new") }
        }
        #expect(try await base.string(for: key) == "precious")
    }

    @Test func aCancelledTaskStopsTrying() async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCalls(on: key, with: .conflict, onlyWrites: true)
        let task = Task { try await store.update(key) { _ in SecretValue("v") } }
        task.cancel()
        await #expect(throws: StoreError(.cancelled, "")) { try await task.value }
    }
}
