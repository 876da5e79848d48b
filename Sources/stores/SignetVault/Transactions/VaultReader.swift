// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Reads a vault at one moment; the closure of `FileVault.read(_:)` receives it.
///
/// All its results are of that moment, whatever other processes write. Use it only inside the
/// closure: after that it throws `unsupported`.
public class VaultReader {
    let connection: VaultConnection
    let proof: VaultProof
    let unlocked: UnlockedKeys
    let freshness: VaultFreshness
    /// The lowest acceptable generation of the state.
    let floor: UInt64
    /// How much is proved unless a call says otherwise.
    let level: ReadLevel
    /// Makes the error that says why the head does not match the keys, for calls that need a proof.
    /// Nil if the keys match.
    private let headFailure: (() -> StoreError)?
    /// The record of the state, and what it holds; nil until ``stateBefore()`` has authenticated it.
    private var provedState: (octets: [UInt8], state: StateRecord)?
    /// Whether the closure that received this reader has ended.
    private var hasEnded = false

    /// Reads in a transaction that the caller has begun.
    ///
    /// - Parameter headFailure: nil if the keys match the head.
    init(
        _ connection: VaultConnection, proof: VaultProof, keys unlocked: UnlockedKeys,
        freshness: VaultFreshness, floor: UInt64, level: ReadLevel,
        headFailure: (() -> StoreError)? = nil
    ) {
        self.connection = connection
        self.proof = proof
        self.unlocked = unlocked
        self.freshness = freshness
        self.floor = floor
        self.level = level
        self.headFailure = headFailure
    }

    /// Continues from what another reader of the same transaction sees.
    init(continuing reader: VaultReader) {
        connection = reader.connection
        proof = reader.proof
        unlocked = reader.unlocked
        freshness = reader.freshness
        floor = reader.floor
        level = reader.level
        headFailure = reader.headFailure
        provedState = reader.provedState
    }

    /// The item with its value; nil if it is absent.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - level: how much the answer proves; nil for the vault's options.
    /// - Throws: `corrupt` with what is damaged, `rolledBack`, `invalidItem`.
    public func entry(_ key: ItemKey, level: ReadLevel? = nil) throws(StoreError) -> StoreEntry? {
        let level = level ?? self.level
        return try namingDamage(near: key, at: level) { () throws(StoreError) -> StoreEntry? in
            try lookUp(key, level: level) { (id) throws(StoreError) in try entryOfRow(key, id: id) }
        }
    }

    /// The item without its value, which is not read; nil if it is absent.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - level: how much the answer proves; nil for the vault's options.
    /// - Throws: the errors of ``entry(_:level:)``.
    public func item(_ key: ItemKey, level: ReadLevel? = nil) throws(StoreError) -> StoredItem? {
        let level = level ?? self.level
        return try namingDamage(near: key, at: level) { () throws(StoreError) -> StoredItem? in
            try lookUp(key, level: level) { (id) throws(StoreError) in try itemOfRow(key, id: id) }
        }
    }

    /// The secret; nil if the item is absent.
    ///
    /// - Throws: the errors of ``entry(_:level:)``.
    public func get(_ key: ItemKey) throws(StoreError) -> SecretValue? { try entry(key)?.value }

    // MARK: Pieces

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
        near key: ItemKey?, at level: ReadLevel, _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try requireOpen()
        do {
            return try body()
        } catch {
            let error = withoutInternalCode(error)
            guard error.code == .corrupt, level == .strict else { throw error }
            // If the search for damaged items fails too, the first error is still the one to report.
            let damage = (try? damage(near: key)) ?? []
            guard !damage.isEmpty else { throw error }
            throw StoreError(
                .corrupt, underlying: error,
                "\(messageOf: error) Damaged: \(damage, separator: "; ").")
        }
    }

    /// The error for a caller, who never sees `unknownDataKey`: the ring is the newest, so a row
    /// that names an unknown data key is damaged.
    func withoutInternalCode(_ error: StoreError) -> StoreError {
        guard error == .unknownDataKey else { return error }
        return headFailure?() ?? .damaged("item", problem: "\(messageOf: error)")
    }

    /// The row of `item` with this id; nil if there is none. Proves nothing.
    func findRow(_ id: [UInt8]) throws(StoreError) -> ItemRow? {
        try connection.withRows(of: .item, binding: id) { (rows) throws(StoreError) -> ItemRow? in
            return try rows.step() ? try ItemRow(rows, id: id) : nil
        }
    }

    /// The state before this transaction's own changes: authentic, matching the head, and not older
    /// than this process has seen it.
    func stateBefore() throws(StoreError) -> (octets: [UInt8], state: StateRecord) {
        if let provedState { return provedState }
        if let headFailure { throw headFailure() }
        let octets = try VaultTables.state(of: connection)
        let state = try unlocked.state(octets)
        try freshness.require(state.generation, atLeast: floor)
        freshness.noteRead(state.generation)
        provedState = (octets, state)
        return (octets, state)
    }

    /// The state with this transaction's changes, against which rows are proved.
    func currentState() throws(StoreError) -> StateRecord { try stateBefore().state }

    /// A bucket that this transaction has changed; nil if it has not.
    func openBucket(_ number: UInt16) -> OpenBucket? { nil }

    /// Proves the rows of an item's bucket, and so that an item that is not among them is absent.
    func proveBucket(of id: [UInt8], found: ItemRow?) throws(StoreError) {
        let open = VaultFormat.bucket(ofItem: id.span).flatMap(openBucket)
        try proof.proveBucket(of: id, found: found, keys: unlocked, on: connection, open: open)
    }

    /// Proves that all buckets' records match the state before this transaction.
    func proveBuckets() throws(StoreError) {
        let (octets, state) = try stateBefore()
        try proof.proveBuckets(octets, state: state, keys: unlocked, on: connection)
    }

    /// The result of `read`, with as much proof as the level requires.
    ///
    /// - Parameter read: reads the item with this id, and returns its row beside the result; nil if
    ///   there is no row.
    private func lookUp<R>(
        _ key: ItemKey, level: ReadLevel,
        _ read: (_ id: [UInt8]) throws(StoreError) -> (result: R, row: ItemRow)?
    ) throws(StoreError) -> R? {
        try ItemLimits.check(key)
        let id = try unlocked.ring.itemID(for: key)
        if level == .lazy { return try read(id)?.result }
        try proveBuckets()
        let found = try read(id)
        try proveBucket(of: id, found: found?.row)
        return found?.result
    }

    /// The item as its row has it. That proves nothing about other rows.
    private func itemOfRow(
        _ key: ItemKey, id: [UInt8]
    ) throws(StoreError) -> (result: StoredItem, row: ItemRow)? {
        guard let row = try findRow(id) else { return nil }
        return (row.item(try unlocked.metadata(of: row, named: key)), row)
    }

    /// The item with its value, as its two rows have them. That proves nothing about other rows.
    private func entryOfRow(
        _ key: ItemKey, id: [UInt8]
    ) throws(StoreError) -> (result: StoreEntry, row: ItemRow)? {
        try connection.withRows(of: .entry, binding: id) {
            (rows) throws(StoreError) -> (result: StoreEntry, row: ItemRow)? in
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
            return (entry, row)
        }
    }
}

@available(*, unavailable)
extension VaultReader: Sendable {}
