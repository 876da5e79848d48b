// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetVault

extension FaultyStore {
    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try await pass(.entry, keys: [key]) { (base) async throws(StoreError) in
            try await base.entry(key)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try await pass(.item, keys: [key]) { (base) async throws(StoreError) in
            try await base.item(key)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    @discardableResult
    public func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await pass(.put, keys: items.map(\.key)) { (base) async throws(StoreError) in
            try await base.put(items)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try await pass(.replace, keys: [key]) { (base) async throws(StoreError) in
            try await base.replace(value, for: key, details: details, ifRevision: revision)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    @discardableResult
    public func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try await pass(.remove, keys: [key]) { (base) async throws(StoreError) in
            try await base.remove(key)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func list(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> [StoredItem] {
        try await pass(.list) { (base) async throws(StoreError) in
            try await base.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func allItems() async throws(StoreError) -> [StoredItem] {
        try await pass(.allItems) { (base) async throws(StoreError) in try await base.allItems() }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    @discardableResult
    public func clear(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> Int {
        try await pass(.clear) { (base) async throws(StoreError) in
            try await base.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func isLocked() async throws(StoreError) -> Bool {
        try await pass(.isLocked) { (base) async throws(StoreError) in try await base.isLocked() }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func lock() async throws(StoreError) {
        try await pass(.lock) { (base) async throws(StoreError) in try await base.lock() }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it. If it
    /// fails before, `body` does not run.
    public func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try await passBody(.withExclusiveAccess, keys: [key]) { base in
            try await base.withExclusiveAccess(to: key, within: limit, body)
        }
    }

    /// Counts the call, then passes it on; fails before or after that if a test asked for it.
    public func reserveRoom(forValueByteCount byteCount: Int) async throws(StoreError) {
        try await pass(.reserveRoom) { (base) async throws(StoreError) in
            try await base.reserveRoom(forValueByteCount: byteCount)
        }
    }
}
