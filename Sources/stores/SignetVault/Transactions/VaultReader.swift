// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Reads a vault at one moment; the closure of `FileVault.read(_:)` receives it:
/// `try vault.read { try $0.get(key)?.string() }`.
///
/// All its results are of that moment, whatever other processes write. Use it only inside the
/// closure: after that it throws `unsupported`.
public class VaultReader {
    // The records of the file that are used here (Documentation/VAULT-FORMAT.md):
    // - ring: the keys for items, sealed under the root key;
    // - head: names the vault, with a code over the ring and the ways to unlock;
    // - state: its generation is a number that each write raises by one. It has a sum over all
    //   buckets, with which their records are compared;
    // - bucket: one of 4,096 parts of the items, with the number of its items and their sum.
    //
    // A strict look-up proves its answer in three steps:
    // 1. The state is authentic, and the newest that this process knows (`stateBefore`).
    // 2. The buckets' records are the state's (`proveBuckets`).
    // 3. The rows of the item's bucket are the bucket's (`proveBucket`), so the row that was found
    //    is the newest, and an item without a row is absent.

    /// What a transaction reads from, and what its results must match.
    struct Source {
        let connection: VaultConnection
        /// The connection's proof of the buckets, from earlier transactions too.
        let proof: VaultProof
        let keys: UnlockedKeys
        /// Notices an older copy of the file, by its generation.
        let freshness: VaultFreshness
        /// The lowest acceptable generation of the state: the newest that was known before the
        /// transaction.
        let floor: UInt64
        /// How much is proved unless a call says otherwise.
        let level: ReadLevel
        /// Makes the error that says why the head in the file is not of these keys, for calls that
        /// need a proof. Nil if it is.
        var headFailure: (() -> StoreError)?
    }

    /// The state's record, which was authenticated, and what it holds.
    struct ProvedState {
        let octets: [UInt8]
        let record: StateRecord
    }

    private let source: Source
    /// Nil until ``stateBefore()`` has authenticated the state.
    private var provedState: ProvedState?
    /// Whether the closure that received this reader has ended.
    private var hasEnded = false

    var connection: VaultConnection { source.connection }
    var proof: VaultProof { source.proof }
    var unlocked: UnlockedKeys { source.keys }
    var level: ReadLevel { source.level }

    /// Reads in a transaction that the caller has begun.
    init(_ source: Source) { self.source = source }

    /// Continues from what another reader of the same transaction sees.
    init(continuing reader: VaultReader) {
        source = reader.source
        provedState = reader.provedState
    }

    /// The item with its value; nil if it is absent.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - level: how much the answer proves; nil for the vault's options.
    /// - Throws: `corrupt` with what is damaged, `rolledBack`, `invalidItem`.
    public func entry(_ key: ItemKey, level: ReadLevel? = nil) throws(StoreError) -> StoreEntry? {
        try lookUp(key, at: level ?? self.level, by: findEntry)
    }

    /// The item without its value, which is not read; nil if it is absent.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - level: how much the answer proves; nil for the vault's options.
    /// - Throws: the errors of ``entry(_:level:)``.
    public func item(_ key: ItemKey, level: ReadLevel? = nil) throws(StoreError) -> StoredItem? {
        try lookUp(key, at: level ?? self.level, by: findItem)
    }

    /// The secret; nil if the item is absent.
    ///
    /// - Throws: the errors of ``entry(_:level:)``.
    public func get(_ key: ItemKey) throws(StoreError) -> SecretValue? { try entry(key)?.value }

    /// Finds an item by its id. At the level `strict`, proves that the answer is the newest.
    private func lookUp<Value>(
        _ key: ItemKey, at level: ReadLevel,
        by find: (ItemKey, [UInt8]) throws(StoreError) -> Found<Value>?
    ) throws(StoreError) -> Value? {
        try namingDamage(inBucketOf: key, at: level) { () throws(StoreError) -> Value? in
            let id = try itemID(of: key)
            if level == .strict { try proveBuckets() }
            let found = try find(key, id)
            if level == .strict { try proveBucket(of: id, found: found?.row) }
            return found?.value
        }
    }

    // MARK: The closure and its errors

    /// Called when the closure has ended.
    func end() { hasEnded = true }

    /// - Throws: `unsupported` if the closure has ended, `unavailable` if its transaction has.
    func requireOpen() throws(StoreError) {
        guard !hasEnded else {
            throw StoreError(
                .unsupported,
                "A reader or a writer of a vault is of use inside of its closure only, and that has ended."
            )
        }
        // After some errors SQLite rolls a transaction back by itself. Each further statement would
        // then be a transaction of its own.
        guard connection.isInTransaction else {
            throw StoreError(
                .unavailable, "An error has ended the transaction: nothing of it is kept.")
        }
    }

    /// Runs a look-up. If a strict look-up finds damage, its error names the damaged items of the
    /// bucket of `key`; without a key, of the whole vault.
    func namingDamage<R>(
        inBucketOf key: ItemKey?, at level: ReadLevel, _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try requireOpen()
        do {
            return try body()
        } catch {
            let error = withoutInternalCode(error)
            guard error.code == .corrupt, level == .strict else { throw error }
            // If the search for damaged items fails too, the first error is still the one to
            // report.
            let damage = (try? damagedItems(inBucketOf: key)) ?? []
            guard !damage.isEmpty else { throw error }
            throw StoreError(
                .corrupt, underlying: error,
                "\(messageOf: error) Damaged: \(damage, separator: "; ").")
        }
    }

    /// The error for a caller, who never sees `unknownDataKey`, which is internal: the ring is the
    /// newest, so a row that names a key which the ring lacks is damaged.
    func withoutInternalCode(_ error: StoreError) -> StoreError {
        guard error == .unknownDataKey else { return error }
        return source.headFailure?() ?? .damaged("item", problem: "\(messageOf: error)")
    }

    // MARK: Rows

    /// The id of an item's row: its names, as an HMAC.
    func itemID(of key: ItemKey) throws(StoreError) -> [UInt8] {
        try ItemLimits.check(key)
        return try unlocked.ring.itemID(for: key)
    }

    /// The row of `item` with this id; nil if there is none. Proves nothing.
    func findRow(_ id: [UInt8]) throws(StoreError) -> ItemRow? {
        try connection.withRows(of: .item, binding: id) { (rows) throws(StoreError) -> ItemRow? in
            return try rows.step() ? try ItemRow(rows, id: id) : nil
        }
    }

    /// What a search has found, and the row of `item` that has it.
    private struct Found<Value> {
        let value: Value
        let row: ItemRow
    }

    /// The item as its row has it; nil if there is no row. Proves nothing about other rows.
    private func findItem(_ key: ItemKey, id: [UInt8]) throws(StoreError) -> Found<StoredItem>? {
        guard let row = try findRow(id) else { return nil }
        return Found(value: row.item(try unlocked.metadata(of: row, named: key)), row: row)
    }

    /// The item with its value, as its two rows have them; nil if there is no row of `item`. Proves
    /// nothing about other rows.
    private func findEntry(_ key: ItemKey, id: [UInt8]) throws(StoreError) -> Found<StoreEntry>? {
        try connection.withRows(of: .entry, binding: id) {
            (rows) throws(StoreError) -> Found<StoreEntry>? in
            guard try rows.step() else { return nil }
            let row = try ItemRow(rows, id: id)
            let metadata = try unlocked.metadata(of: row, named: key)
            // Null if the row of `val` is gone.
            let value = try rows.withBlob(.entryValue) { (sealed) throws(StoreError) -> SecretKey in
                try unlocked.value(sealed, of: row)
            }
            guard let value else { throw .damaged("value of an item") }
            let entry = StoreEntry(
                item: row.item(metadata), value: SecretValue(value, type: metadata.valueType))
            return Found(value: entry, row: row)
        }
    }

    // MARK: Proofs

    /// The state before this transaction's own changes: authentic, matching the head, and not older
    /// than this process has seen it.
    func stateBefore() throws(StoreError) -> ProvedState {
        if let provedState { return provedState }
        if let headFailure = source.headFailure { throw headFailure() }
        let octets = try VaultTables.state(of: connection)
        // Opens the state, and compares its head with the head of the keys.
        let record = try unlocked.state(octets)
        try source.freshness.require(record.generation, atLeast: source.floor)
        source.freshness.noteRead(record.generation)
        let state = ProvedState(octets: octets, record: record)
        provedState = state
        return state
    }

    /// The state with this transaction's changes, against which rows are proved. A writer has its
    /// own.
    func currentState() throws(StoreError) -> StateRecord { try stateBefore().record }

    /// A bucket that this transaction has changed; nil if it has not. A reader changes none, but
    /// ``VaultWriter`` does.
    func openBucket(_ number: UInt16) -> OpenBucket? { nil }

    /// Proves that all buckets' records match the state before this transaction.
    func proveBuckets() throws(StoreError) {
        let state = try stateBefore()
        try proof.proveBuckets(state.octets, state: state.record, keys: unlocked, on: connection)
    }

    /// Proves the rows of an item's bucket, and so that an item that is not among them is absent.
    func proveBucket(of id: [UInt8], found: ItemRow?) throws(StoreError) {
        let open = VaultFormat.bucket(ofItem: id.span).flatMap(openBucket)
        try proof.proveBucket(of: id, found: found, keys: unlocked, on: connection, open: open)
    }
}

@available(*, unavailable)
extension VaultReader: Sendable {}
