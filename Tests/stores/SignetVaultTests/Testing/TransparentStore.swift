// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting

/// Passes every call on to a store in memory: for tests that change one of them.
class TransparentStore: SecureStore, @unchecked Sendable {
    let base: InMemoryStore

    init(_ base: InMemoryStore = InMemoryStore()) { self.base = base }

    func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? { try await base.entry(key) }
    func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? { try await base.item(key) }
    func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(items)
    }
    func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try await base.replace(value, for: key, details: details, ifRevision: revision)
    }
    func remove(_ key: ItemKey) async throws(StoreError) -> Bool { try await base.remove(key) }
    func list(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> [StoredItem]
    { try await base.list(service: service, itemClass: itemClass, accessGroup: accessGroup) }
    func allItems() async throws(StoreError) -> [StoredItem] { try await base.allItems() }
    func clear(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> Int
    {
        try await base.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
    }
    func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try await base.withExclusiveAccess(to: key, within: limit, body)
    }
    func isLocked() async throws(StoreError) -> Bool { try await base.isLocked() }
    func lock() async throws(StoreError) { try await base.lock() }
    func changes() -> AsyncStream<StoreChange> { base.changes() }
}

/// Does something behind the caller's back after a batch was written.
final class MeddlingStore: TransparentStore, @unchecked Sendable {
    private let meddle: @Sendable () async -> Void

    init(_ base: InMemoryStore, _ meddle: @escaping @Sendable () async -> Void) {
        self.meddle = meddle
        super.init(base)
    }

    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        let revisions = try await base.put(items)
        await meddle()
        return revisions
    }
}
