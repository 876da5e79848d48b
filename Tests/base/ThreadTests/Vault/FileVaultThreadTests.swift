// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import TestSupport
import Testing

struct FileVaultThreadTests {
    /// However it is called, the vault must not block the threads of Swift's pool.
    @Test("Every async call runs on the vault's queue", .timeLimit(.minutes(20)))
    func asyncCallsAlwaysRunOnTheQueue() async throws {
        let folder = try VaultFolder()
        let vault = try folder.vault()
        try await vault.set("value", for: ItemKey("a"))
        let gate = DispatchSemaphore(value: 0)
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let holding = Task {
            try await vault.queue.run { () throws(StoreError) in
                held.finish()
                gate.wait()
            }
        }
        for await _ in isHeld {}

        let erased: any SecureStore = vault
        let (calls, call) = AsyncStream.makeStream(of: String.self)
        let callers = [
            Task {
                _ = try await vault.entry(ItemKey("a"))
                call.yield("concrete")
            },
            Task {
                _ = try await erased.entry(ItemKey("a"))
                call.yield("erased")
            },
            Task {
                _ = try await Self.generic(vault)
                call.yield("generic")
            },
            Task {
                _ = try await erased.get(ItemKey("a"))?.string()
                call.yield("convenience")
            },
            Task {
                try await vault.update(ItemKey("a")) { _ in SecretValue("new") }
                call.yield("update")
            },
            Task {
                _ = try await vault.read { try $0.entry(ItemKey("a")) }
                call.yield("read")
            },
            Task {
                try await vault.write { try $0.set("newer", for: ItemKey("b")) }
                call.yield("write")
            },
        ]
        try await Task.sleep(for: .milliseconds(100))
        call.yield("opened")
        gate.signal()
        for caller in callers { try await caller.value }
        try await holding.value
        call.finish()
        var order: [String] = []
        for await name in calls { order.append(name) }
        #expect(order.first == "opened", "the others waited for the queue")
        #expect(order.count == 8)
    }

    private static func generic<Store: SecureStore>(_ store: Store) async throws -> StoreEntry? {
        try await store.entry(ItemKey("a"))
    }

    @Test("A cancelled task still locks the vault")
    func aCancelledTaskStillLocks() async throws {
        let folder = try VaultFolder()
        let vault = try folder.vault()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await (vault as any SecureStore).lock()
        }
        task.cancel()
        try await task.value
        #expect(try vault.isLocked())
    }
}
