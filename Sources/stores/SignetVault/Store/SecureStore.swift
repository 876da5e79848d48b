// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A store of secrets: the same calls for the file vault, the Secret Service, memory, and your own
/// store.
///
/// ```swift
/// let mail = ItemKey(service: "imap.example.org", account: "alice")
/// try await store.set("hunter2", for: mail)
/// let password = try await store.get(mail)?.string()
/// ```
///
/// A missing item is nil or false; no error means "absent". Calls may come from any task or thread.
/// Each call that writes does so completely or not at all, and the result is stored when it
/// returns. A key, details or a value beyond ``ItemLimits`` is rejected with `invalidItem`,
/// `invalidValue` or `tooLarge`, even when only reading: nothing is ever cut off.
///
/// Every store also has ``set(_:for:details:)``, ``get(_:)``, ``update(_:details:_:)`` and
/// ``keyMadeIfAbsent(for:bitCount:details:)``, which use the calls below. Text, keys and `Codable`
/// values convert to and from ``SecretValue``. Test your own store with `StoreConformance` of
/// SignetVaultTesting.
public protocol SecureStore: Sendable {
    /// The item with its value; nil if it is absent.
    func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry?

    /// The item without its value, which is not read; nil if it is absent.
    func item(_ key: ItemKey) async throws(StoreError) -> StoredItem?

    /// Writes items with their own times, replacing existing items. If a key occurs several times,
    /// the last item wins. Uses one transaction if the store has transactions.
    ///
    /// - Returns: the items' revisions, in the same order.
    @discardableResult
    func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision]

    /// Compare-and-swap: writes (or, with a nil value, removes) the item if it has the given
    /// revision; nil means absent.
    ///
    /// - Returns: the new revision; nil after a removal.
    /// - Throws: `alreadyExists` if it was expected to be absent and exists, `conflict` if it has a
    ///   different revision or is gone.
    @discardableResult
    func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision?

    /// Removes an item. Removing an absent item succeeds.
    ///
    /// - Returns: whether the item existed.
    @discardableResult
    func remove(_ key: ItemKey) async throws(StoreError) -> Bool

    /// The items of a service, without their values, sorted by class and account.
    ///
    /// - Parameters:
    ///   - service: the items' service.
    ///   - itemClass: nil for all classes.
    ///   - accessGroup: the items' access group.
    /// - Throws: `emptyMatch` for an empty service.
    func list(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> [StoredItem]

    /// Every item of this store, of all services, without values, in no defined order: for export,
    /// migration and administration.
    func allItems() async throws(StoreError) -> [StoredItem]

    /// Removes the items of a service in an access group, and nothing else.
    ///
    /// - Returns: how many items were removed.
    /// - Throws: `emptyMatch` for an empty service.
    @discardableResult
    func clear(service: String, itemClass: ItemClass?, accessGroup: String) async throws(StoreError)
        -> Int

    /// Runs `body` while no other caller, in any process of the same user on this machine, has
    /// exclusive access to the same item of the same store. Use it for work that must happen once,
    /// such as refreshing a token at its server.
    ///
    /// The lock is advisory, and not a transaction: it does not stop ``put(_:)``,
    /// ``replace(_:for:details:ifRevision:)`` and ``remove(_:)`` of callers that do not ask for the
    /// lock. The store itself is neither read nor written, and may be locked. The lock ends with
    /// the body, or with the process, however the process ends. Waiting callers are admitted in no
    /// order.
    ///
    /// **Not** re-entrant: a nested call for the same item waits until the limit. **Not** between
    /// machines, and not between processes that find different folders of lock files. A vault's
    /// folder is beside the vault; your own store's folder is in the state folder
    /// (``ExclusiveAccess``).
    ///
    /// If your package has its own store and lacks the feature `NonisolatedNonsendingByDefault`,
    /// write `nonisolated(nonsending)` before the function and in the type of `body`.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - limit: how long to wait for other callers; a limit that is not positive makes one
    ///     attempt. The body may take any time.
    ///   - body: runs where the caller runs, once or not at all.
    /// - Returns: what `body` returns.
    /// - Throws: `timedOut` if the limit passed before `body` began, with the process that has the
    ///   access, and the remedy if it was stopped, where the system tells; `cancelled` if the task was
    ///   cancelled while it waited; `invalidItem`; `unavailable` or `insecureFile` with the remedy
    ///   for the folder of lock files; and the errors of `body`.
    func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value

    /// Makes room on the disk for one more write of a value of this many bytes. Use it before work
    /// whose result must be stored, such as the exchange of a token that its server accepts once.
    ///
    /// The room lasts until the next write of this object, or until the body of
    /// ``withExclusiveAccess(to:within:_:)`` in which it was made returns. A store that cannot make
    /// room, such as a keyring, does nothing.
    ///
    /// - Throws: `unavailable` if the disk is too full, or the store cannot be written; nothing was
    ///   changed. Also the errors of a write.
    func reserveRoom(forValueByteCount byteCount: Int) async throws(StoreError)

    /// Whether items cannot be read before an unlock.
    func isLocked() async throws(StoreError) -> Bool

    /// Forgets the keys, and wipes them. Locking a locked store succeeds.
    func lock() async throws(StoreError)

    /// Changes that this process makes to this store from now on, through any object. A store that
    /// can detect changes by other processes adds ``StoreChange/changedElsewhere``. The newest 256
    /// changes that were not consumed yet are kept.
    func changes() -> AsyncStream<StoreChange>
}
