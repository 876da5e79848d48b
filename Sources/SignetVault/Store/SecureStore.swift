// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Keeps secrets: the same calls for the file vault, the Secret Service, memory, and a store of
/// your own.
///
/// ```swift
/// try await store.set("hunter2", for: ItemKey(service: "imap.example.org", account: "alice"))
/// ```
///
/// A missing item is nil or false; no error means "absent". Calls may come from any task or thread.
/// Each call that writes does so completely or not at all, and the result is stored when it
/// returns. A key, details or a value beyond the lengths of ``ItemLimits`` is rejected with
/// `invalidItem`, `invalidValue` or `tooLarge`, also when only reading: nothing is ever cut off.
///
/// ``set(_:for:details:)``, ``get(_:)``, ``update(_:details:_:)`` and
/// ``keyMadeIfAbsent(for:bitCount:details:)`` come with every store: they are made of the calls
/// below. Text, keys and `Codable` values are made of a ``SecretValue`` and into one. Check a store
/// of your own with `StoreConformance` of SignetVaultTesting.
public protocol SecureStore: Sendable {
    /// The item with its value; nil when it is absent.
    func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry?

    /// The item without its value, which is not read; nil when it is absent.
    func item(_ key: ItemKey) async throws(StoreError) -> StoredItem?

    /// Writes items with the times that they bring, new or in place of those with their keys; of
    /// several with the same key, the last one stays. In one transaction where the store has such.
    ///
    /// - Returns: their revisions, in the same order.
    @discardableResult
    func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision]

    /// Compare-and-swap: writes (or, with a nil value, removes) the item if it is at the revision
    /// given; nil means absent.
    ///
    /// - Returns: the new revision; nil after a removal.
    /// - Throws: `alreadyExists` when it was to be absent and is there, `conflict` when it is at
    ///   another revision or gone.
    @discardableResult
    func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision?

    /// Removes an item. An absent item is success.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ key: ItemKey) async throws(StoreError) -> Bool

    /// The items of one service, without their values, sorted by class and account.
    ///
    /// - Parameters:
    ///   - service: the items' service.
    ///   - itemClass: nil for all classes.
    ///   - accessGroup: the items' access group.
    /// - Throws: `emptyMatch` for an empty service.
    func list(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> [StoredItem]

    /// Every item of this store, of all services, without values: for export, migration and
    /// administration. The order is not defined.
    func allItems() async throws(StoreError) -> [StoredItem]

    /// Removes the items of one service in one access group, and no others.
    ///
    /// - Returns: how many there were.
    /// - Throws: `emptyMatch` for an empty service.
    @discardableResult
    func clear(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> Int

    /// Runs `body` while no other caller, of this process or of another of the same user on this
    /// machine, runs one for the same item of the same store. For work with an item that must
    /// happen once, such as a refresh of a token with its server.
    ///
    /// It asks; it does not hold a transaction. ``put(_:)``, ``replace(_:for:details:ifRevision:)``
    /// and ``remove(_:)`` of callers that do not ask for it are not stopped. The store itself is
    /// neither read nor written, and may be locked. The lock ends with the body, and with the
    /// process however it ends. Those who wait are let in in no order.
    ///
    /// **Not** re-entrant: to ask for the same item inside of `body` waits until the limit. **Not**
    /// between processes that find different state folders (`XDG_STATE_HOME`, `HOME`), and not
    /// between machines (``ExclusiveAccess``).
    ///
    /// A package without the feature `NonisolatedNonsendingByDefault` that has a store of its own
    /// writes `nonisolated(nonsending)` before the function and in the type of `body`.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - limit: how long to wait for others; one that is not positive makes one attempt. The
    ///     body may take as long as it likes.
    ///   - body: runs where the caller runs, once or not at all.
    /// - Returns: what `body` returns.
    /// - Throws: `timedOut` when the limit has passed before `body` began; `cancelled` when the
    ///   task was cancelled while it waited; `invalidItem`; `unavailable` or `insecureFile` with
    ///   what to mend of the folder of lock files; else what `body` throws.
    func withExclusiveAccess<Answer: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Answer
    ) async throws -> Answer

    /// Whether items cannot be read before an unlock.
    func isLocked() async throws(StoreError) -> Bool

    /// Forgets the keys, and wipes them. Already locked is success.
    func lock() async throws(StoreError)

    /// Changes that this process makes to this store from now on, through whichever object; a store
    /// that can tell adds ``StoreChange/changedElsewhere``. The newest 256 that were not taken yet
    /// are kept.
    func changes() -> AsyncStream<StoreChange>
}
