// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A store that can also be used without `async`: the calls block the thread, for a read some microseconds, for a write until it is
/// on the disk. The requirements mean what those of ``SecureStore`` of the same name mean.
///
/// In code that is `async` the async form is the one that is called, and by default it runs the form without `async` on the
/// calling thread. A store that may block for long (on a disk, on another process) has async forms of its own in its class,
/// which run these on a ``StoreQueue``, as ``FileVault`` does: its calls never hold a thread of Swift's cooperative pool.
public protocol SynchronousSecureStore: SecureStore {
    /// The item with its value; nil when it is absent.
    func entry(_ key: ItemKey) throws(StoreError) -> StoreEntry?
    /// The item without its value; nil when it is absent.
    func item(_ key: ItemKey) throws(StoreError) -> StoredItem?
    /// Writes an item, new or in place of the one with its key.
    @discardableResult
    func set(_ value: SecretValue, for key: ItemKey, details: ItemDetails?) throws(StoreError) -> ItemRevision
    /// Writes many items.
    func set(_ items: [NewItem]) throws(StoreError)
    /// Compare-and-swap.
    @discardableResult
    func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?, ifRevision revision: ItemRevision?
    ) throws(StoreError) -> ItemRevision?
    /// Removes an item.
    @discardableResult
    func remove(_ key: ItemKey) throws(StoreError) -> Bool
    /// The items of one service.
    func list(service: String, itemClass: ItemClass?, accessGroup: String) throws(StoreError) -> [StoredItem]
    /// Every item of this store.
    func allItems() throws(StoreError) -> [StoredItem]
    /// Removes the items of one service in one access group.
    @discardableResult
    func clear(service: String, itemClass: ItemClass?, accessGroup: String) throws(StoreError) -> Int
    /// Whether items cannot be read before an unlock.
    func isLocked() throws(StoreError) -> Bool
    /// Forgets the keys, and wipes them.
    func lock() throws(StoreError)
}
