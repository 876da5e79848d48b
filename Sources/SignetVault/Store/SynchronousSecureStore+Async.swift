// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// For a store that does not block, an `async` call is the call without it. The closures are what keeps a form from
// calling itself: without `async` around them, the form without `async` is the one that is found.
extension SynchronousSecureStore {
    /// As the form without `async`, on the calling thread.
    public func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try inline { () throws(StoreError) in try self.entry(key) }
    }

    /// As the form without `async`, on the calling thread.
    public func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try inline { () throws(StoreError) in try self.item(key) }
    }

    /// As the form without `async`, on the calling thread.
    @discardableResult
    public func set(_ value: SecretValue, for key: ItemKey, details: ItemDetails?) async throws(StoreError)
        -> ItemRevision
    {
        try inline { () throws(StoreError) in try self.set(value, for: key, details: details) }
    }

    /// As the form without `async`, on the calling thread.
    public func set(_ items: [NewItem]) async throws(StoreError) {
        try inline { () throws(StoreError) in try self.set(items) }
    }

    /// As the form without `async`, on the calling thread.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?, ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try inline { () throws(StoreError) in
            try self.replace(value, for: key, details: details, ifRevision: revision)
        }
    }

    /// As the form without `async`, on the calling thread.
    @discardableResult
    public func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try inline { () throws(StoreError) in try self.remove(key) }
    }

    /// As the form without `async`, on the calling thread.
    public func list(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> [StoredItem]
    {
        try inline { () throws(StoreError) in
            try self.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// As the form without `async`, on the calling thread.
    public func allItems() async throws(StoreError) -> [StoredItem] {
        try inline { () throws(StoreError) in try self.allItems() }
    }

    /// As the form without `async`, on the calling thread.
    @discardableResult
    public func clear(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> Int
    {
        try inline { () throws(StoreError) in
            try self.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// As the form without `async`, on the calling thread.
    public func isLocked() async throws(StoreError) -> Bool {
        try inline { () throws(StoreError) in try self.isLocked() }
    }

    /// As the form without `async`, on the calling thread.
    public func lock() async throws(StoreError) {
        try inline { () throws(StoreError) in try self.lock() }
    }
}

/// Runs `call` outside of an `async` context.
private func inline<R>(_ call: () throws(StoreError) -> R) throws(StoreError) -> R { try call() }
