// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// In the class itself and not in an extension of the protocol: a class's own method without `async` would otherwise be
// taken for the requirement with `async`, and `any SecureStore` would block threads of Swift's cooperative pool.
extension FileVault {
    /// As the form without `async`, on ``queue``.
    public func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try await queue.run { () throws(StoreError) in try self.entry(key) }
    }

    /// As the form without `async`, on ``queue``.
    public func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try await queue.run { () throws(StoreError) in try self.item(key) }
    }

    /// As the form without `async`, on ``queue``.
    @discardableResult
    public func set(_ value: SecretValue, for key: ItemKey, details: ItemDetails?) async throws(StoreError)
        -> ItemRevision
    {
        try await queue.run { () throws(StoreError) in try self.set(value, for: key, details: details) }
    }

    /// As the form without `async`, on ``queue``.
    public func set(_ items: [NewItem]) async throws(StoreError) {
        try await queue.run { () throws(StoreError) in try self.set(items) }
    }

    /// As the form without `async`, on ``queue``.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?, ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try await queue.run { () throws(StoreError) in
            try self.replace(value, for: key, details: details, ifRevision: revision)
        }
    }

    /// As the form without `async`, on ``queue``.
    @discardableResult
    public func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try await queue.run { () throws(StoreError) in try self.remove(key) }
    }

    /// As the form without `async`, on ``queue``.
    public func list(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> [StoredItem]
    {
        try await queue.run { () throws(StoreError) in
            try self.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// As the form without `async`, on ``queue``.
    public func allItems() async throws(StoreError) -> [StoredItem] {
        try await queue.run { () throws(StoreError) in try self.allItems() }
    }

    /// As the form without `async`, on ``queue``.
    @discardableResult
    public func clear(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> Int
    {
        try await queue.run { () throws(StoreError) in
            try self.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// As the form without `async`, on ``queue``.
    public func isLocked() async throws(StoreError) -> Bool {
        try await queue.run { () throws(StoreError) in try self.isLocked() }
    }

    /// As the form without `async`, on ``queue``.
    public func lock() async throws(StoreError) {
        try await queue.run(evenIfCancelled: true) { () throws(StoreError) in try self.lock() }
    }
}
