// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import TestSupport
import Testing

struct ExclusiveAccessTests {
    private let key = ItemKey(service: "s", account: "a")

    /// The body uses its actor's state, and runs there.
    actor Counter {
        private(set) var count = 0
        let store: any SecureStore

        init(_ store: any SecureStore) { self.store = store }

        func raise(_ key: ItemKey) async throws -> Int {
            try await store.withExclusiveAccess(to: key, within: .seconds(3_600)) {
                assertIsolated()
                let old = count
                await Task.yield()
                count = old + 1
                return count
            }
        }
    }

    @Test("The body runs on its caller's actor")
    func theBodyRunsOnItsCallersActor() async throws {
        let folder = try VaultFolder()
        for store in [InMemoryStore(), try folder.vault()] as [any SecureStore] {
            let counter = Counter(store)
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await counter.raise(key) } }
                try await group.waitForAll()
            }
            #expect(await counter.count == 50)
        }
    }

    @Test("The body may run on the main actor") @MainActor
    func theBodyMayBeTheMainActors() async throws {
        var count = 0
        try await InMemoryStore().withExclusiveAccess(to: key, within: .zero) {
            MainActor.assertIsolated()
            count += 1
        }
        #expect(count == 1)
    }

    @Test("Access under a custom store's name excludes others of that name alone")
    func aCustomStoreIsNamed() async throws {
        let name = "test \(UInt64.random(in: .min ... .max))"
        try await ExclusiveAccess.run(store: name, key: key, within: .seconds(3_600)) {
            await #expect(throws: StoreError(.timedOut, "")) {
                try await ExclusiveAccess.run(store: name, key: key, within: .zero) {}
            }
            try await ExclusiveAccess.run(store: name + "s", key: key, within: .zero) {}
        }
        try await ExclusiveAccess.run(store: name, key: key, within: .zero) {}
    }

    @Test("A cancelled task gets no access")
    func aCancelledTaskGetsNone() async throws {
        let folder = try VaultFolder()
        for store in [InMemoryStore(), try folder.vault()] as [any SecureStore] {
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try await store.withExclusiveAccess(to: key, within: .zero) {}
            }
            await #expect(throws: StoreError(.cancelled, "")) { try await task.value }
        }
    }

    @Test("A planned fault comes before or after the body")
    func faultsComeBeforeOrAfterTheBody() async throws {
        let store = FaultyStore(InMemoryStore())
        store.failCall(1, with: .insecureFile)
        store.failCall(2, with: .unavailable, moment: .after)
        var count = 0
        for code in [StoreError.Code.insecureFile, .unavailable] {
            await #expect(throws: StoreError(code, "")) {
                try await store.withExclusiveAccess(to: key, within: .zero) { count += 1 }
            }
        }
        #expect(count == 1)
        #expect(store.calls.map(\.operation) == [.withExclusiveAccess, .withExclusiveAccess])
    }
}
