// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// The keys of an unlocked vault, and the head that they were verified against. It opens the
/// vault's records: `try keys.state(octets)`, `try keys.metadata(of: row, named: nil)`.
///
/// - root: the key that a *slot* of the file holds, sealed for one way to unlock;
/// - ring: the vault's own keys, sealed under the root key: data keys, which seal items, and keys
///   for names and sums;
/// - head: a record with a code over slots and ring, made with the root key;
/// - state: a record of what the vault holds, which names the head by its digest.
///
/// This object never changes: a caller that finds another head in the file makes a new object. The
/// keys are wiped when the object's last user goes.
final class UnlockedKeys: Sendable {
    let root: RootKeys
    let ring: VaultKeys
    let head: HeadRecord
    /// SHA-256 of the head, which the state names.
    let headDigest: [UInt8]

    /// Checks head, slots and ring against the root key, and opens the ring.
    init(_ tables: VaultTables, root: RootKeys) throws(StoreError) {
        head = try HeadRecord(parsing: tables.head)
        try head.check(root, slots: tables.slotRecords, ring: tables.ring)
        self.root = root
        ring = try VaultKeys(opening: tables.ring, with: root)
        headDigest = try head.digest()
    }

    /// Keys that this process has just made, with their head.
    init(root: RootKeys, ring: VaultKeys, head: HeadRecord) throws(StoreError) {
        self.root = root
        self.ring = ring
        self.head = head
        headDigest = try head.digest()
    }

    /// These keys if the head is the same; otherwise the keys for the tables as they are now.
    ///
    /// - Throws: `rootReplaced` if the tables belong to another root key, `corrupt` if they belong
    ///   to no root key.
    func current(on connection: VaultConnection) throws(StoreError) -> UnlockedKeys {
        if try VaultTables.head(of: connection) == head.bytes { return self }
        return try reloaded(from: connection)
    }

    /// The keys for the tables as they are now, with the same root key.
    ///
    /// - Throws: the errors of ``current(on:)``.
    func reloaded(from connection: VaultConnection) throws(StoreError) -> UnlockedKeys {
        let tables = try VaultTables.read(from: connection)
        let found = try HeadRecord(parsing: tables.head)
        guard found.vaultID == head.vaultID else {
            throw .damaged("head", problem: "it names another vault")
        }
        // The epoch counts the root keys.
        guard found.epoch == root.epoch else { throw .rootReplaced }
        return try UnlockedKeys(tables, root: root)
    }

    /// Opens the state and checks that it names this head.
    func state(_ octets: [UInt8]) throws(StoreError) -> StateRecord {
        let state = try StateRecord(opening: octets.span, with: root)
        let namedDigest = state.headDigest
        let ownDigest = headDigest
        guard constantTimeEqual(namedDigest.span, ownDigest.span) else {
            throw .damaged("state", problem: "it does not belong to this head")
        }
        guard ring.dataKey(state.activeKeyID.span) != nil else {
            throw .damaged("state", problem: "it names a data key that is not there")
        }
        return state
    }

    /// Opens a row's metadata and checks that it belongs to the row's item.
    ///
    /// - Parameter key: the requested names; nil if the row was found another way.
    /// - Throws: `unknownDataKey` if the ring may be outdated.
    func metadata(of row: ItemRow, named key: ItemKey?) throws(StoreError) -> ItemMetadata {
        guard let dataKey = ring.dataKey(row.keyID.span) else { throw .unknownDataKey }
        let metadata = try ItemMetadata(
            opening: row.metadata.span, with: dataKey, id: row.id.span, generation: row.generation,
            expecting: key)
        // With a key, `ItemMetadata` has compared the names.
        if key == nil {
            guard try ring.itemID(for: metadata.key) == row.id else {
                throw .damaged("item", problem: "it is of another name")
            }
        }
        let names = metadata.key
        let group = try ring.group(
            service: names.service, itemClass: names.itemClass, accessGroup: names.accessGroup)
        guard group == row.group else {
            throw .damaged("item", problem: "it is filed under another service")
        }
        return metadata
    }

    /// Opens a row's value.
    func value(_ sealed: Span<UInt8>, of row: ItemRow) throws(StoreError) -> SecretKey {
        guard let dataKey = ring.dataKey(row.keyID.span) else { throw .unknownDataKey }
        guard VaultFormat.sealedValueByteCounts.contains(sealed.count),
            constantTimeEqual(sealed.extracting(last: VaultFormat.tagByteCount), row.valueTag.span)
        else {
            throw .damaged("value of an item", problem: "it is not the one that the item names")
        }
        return try dataKey.openPadded(
            sealed, as: .value, subject: row.id.span, generation: row.generation)
    }

    /// Looks up a row's value and opens it; nil if there is no blob.
    func value(of row: ItemRow, on connection: VaultConnection) throws(StoreError) -> SecretKey? {
        try connection.withSealedValue(of: row) { (sealed) throws(StoreError) in
            try value(sealed, of: row)
        }
    }

    /// A row's element: its part of the sums in bucket and state, a keyed hash of id, generation
    /// and tags.
    func element(of row: ItemRow) throws(StoreError) -> Accumulator {
        try ring.element(
            id: row.id.span, generation: row.generation,
            metadataTag: row.metadata.span.extracting(last: VaultFormat.tagByteCount),
            valueTag: row.valueTag.span)
    }
}

extension StoreError {
    /// Internal only: a row names a data key that is not among the unlocked keys, and that another
    /// process may have added.
    static let unknownDataKey = StoreError(
        Code(rawValue: "unknownDataKey"),
        "An item is sealed with a key that is not in the key ring.")

    /// Internal only: the root key was rotated since the vault was unlocked.
    static let rootReplaced = StoreError(
        Code(rawValue: "rootReplaced"), "The vault's root key was replaced: unlock it again.")
}
