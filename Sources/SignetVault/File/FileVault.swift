// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A sealed vault in one file, safe for several threads and processes at once.
///
/// SQLite keeps it durable; everything in it is sealed and bound to its place (Documentation/VAULT-FORMAT.md).
public final class FileVault: SynchronousSecureStore {
    /// Where the async calls run.
    public let queue = StoreQueue(label: "signet.vault")

    init() {}

    /// Makes a new vault with one key slot, and leaves it unlocked.
    public static func create(
        at path: String, with method: any UnlockMethod, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> FileVault { throw FileVault.missing }

    /// Opens a vault's file; it is locked.
    public static func open(at path: String, options: VaultOptions = VaultOptions()) throws(StoreError)
        -> FileVault
    {
        throw FileVault.missing
    }

    /// Unlocks with the first slot that fits.
    public func unlock(with method: any UnlockMethod) throws(StoreError) { throw FileVault.missing }

    /// 16 bytes that name the vault.
    public var id: [UInt8] { [] }

    public func entry(_ key: ItemKey) throws(StoreError) -> StoreEntry? { throw FileVault.missing }
    public func entry(_ key: ItemKey, level: ReadLevel) throws(StoreError) -> StoreEntry? {
        throw FileVault.missing
    }
    public func item(_ key: ItemKey) throws(StoreError) -> StoredItem? { throw FileVault.missing }
    public func set(_ value: SecretValue, for key: ItemKey, details: ItemDetails?) throws(StoreError)
        -> ItemRevision
    { throw FileVault.missing }
    /// Writes many items in one transaction: all or none.
    public func set(_ items: [NewItem]) throws(StoreError) { throw FileVault.missing }
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?, ifRevision revision: ItemRevision?
    ) throws(StoreError) -> ItemRevision? { throw FileVault.missing }
    public func remove(_ key: ItemKey) throws(StoreError) -> Bool { throw FileVault.missing }
    public func list(service: String, itemClass: ItemClass?, accessGroup: String) throws(StoreError)
        -> [StoredItem]
    { throw FileVault.missing }
    public func allItems() throws(StoreError) -> [StoredItem] { throw FileVault.missing }
    public func clear(service: String, itemClass: ItemClass?, accessGroup: String) throws(StoreError) -> Int {
        throw FileVault.missing
    }
    public func isLocked() throws(StoreError) -> Bool { throw FileVault.missing }
    public func lock() throws(StoreError) { throw FileVault.missing }
    /// Locks the vault and lets its file go, with its last connection: what is left of the log goes into the file, and `-wal` is
    /// removed. Every later call answers `unavailable`.
    public func close() {}
    public func changes() -> AsyncStream<StoreChange> { AsyncStream { $0.finish() } }

    /// The key slots, in the order of their ids. Needs no unlock; authentic only once unlocked.
    public func slots() throws(StoreError) -> [KeySlot] { throw FileVault.missing }
    /// Adds a way in; returns the slot's id.
    public func addSlot(_ method: any UnlockMethod) throws(StoreError) -> [UInt8] { throw FileVault.missing }
    /// Takes a way away; the last one is refused.
    public func removeSlot(id: [UInt8]) throws(StoreError) { throw FileVault.missing }
    /// Exchanges a way in one step (a passphrase change); returns the new slot's id.
    public func replaceSlot(id: [UInt8], with method: any UnlockMethod) throws(StoreError) -> [UInt8] {
        throw FileVault.missing
    }
    /// Rotates the data key, or goes on with a rotation that was interrupted. progress: items done, items in all.
    public func rotateDataKey(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) {
        throw FileVault.missing
    }
    /// Rotates the root key; slots whose method is not among those given are dropped, which must be allowed.
    public func rotateRootKey(keeping methods: [any UnlockMethod], droppingOthers: Bool = false)
        throws(StoreError)
    { throw FileVault.missing }
    /// Looks at everything. Damage is reported, not thrown. progress: items done, items in all.
    public func verify(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) -> VaultReport {
        throw FileVault.missing
    }

    private static let missing = StoreError(.unsupported, "Not written yet.")
}
