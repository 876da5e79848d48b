// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

// Writes items, and seals them again with a new key:
// `try vault.write { try $0.set("hunter2", for: key) }`.
// A *strict* vault proves what it reads (``ReadLevel``). The *generation* is the number of a
// transaction that writes. The *sums* in the vault's sealed state cover every item, and so show
// whether an item is missing or old; each write brings them up to date (``toggleSums``).

extension VaultWriter {
    /// Writes a secret, text or key. It replaces an existing item, which must be authentic; its old
    /// value is not read, so writing the item again mends a damaged value.
    ///
    /// A strict vault proves first that a strict read will give the item back: the item is not
    /// written to a bucket with a row that is damaged, missing or outdated.
    ///
    /// - Parameters:
    ///   - value: the secret.
    ///   - key: the item.
    ///   - details: nil keeps the existing item's details.
    /// - Throws: `invalidItem`, `invalidValue`, `tooLarge` beyond ``ItemLimits``; `corrupt` with
    ///   what is damaged: the item was not written.
    @discardableResult
    public func set(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails? = nil
    ) throws(StoreError) -> ItemRevision {
        try put(NewItem(key: key, value: value.secretValue(), details: details))
    }

    /// Writes an item with its own times. It replaces an existing item.
    ///
    /// - Throws: the errors of ``set(_:for:details:)``.
    @discardableResult
    public func put(_ item: NewItem) throws(StoreError) -> ItemRevision {
        try runChange { () throws(StoreError) -> ItemRevision in
            let id = try itemID(of: item.key)
            return try put(item, id: id, over: existingItemToWrite(item.key, id: id))
        }
    }

    /// Writes (or, with a nil value, removes) an item if it has the given revision; nil means
    /// absent. Revision and absence are proved, also before a removal, while ``remove(_:)`` needs
    /// no proof.
    ///
    /// - Returns: the new revision; nil after a removal.
    /// - Throws: `alreadyExists` if it was expected to be absent and exists, `conflict` if it has a
    ///   different revision or is gone; the errors of ``set(_:for:details:)``.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails? = nil,
        ifRevision revision: ItemRevision?
    ) throws(StoreError) -> ItemRevision? {
        try runChange { () throws(StoreError) -> ItemRevision? in
            let id = try itemID(of: key)
            let existing = try existingItemToWrite(key, id: id)
            guard existing?.row.revision == revision else {
                throw revision == nil
                    ? StoreError(.alreadyExists, "There is such an item already.")
                    : StoreError(
                        .conflict,
                        "The item was changed or removed since it was read. Read it again.")
            }
            guard let value else {
                if existing != nil { try remove(key) }
                return nil
            }
            return try put(
                NewItem(key: key, value: value, details: details), id: id, over: existing)
        }
    }

    // MARK: Pieces

    // An item has two rows: one of the table `item`, with its id and sealed metadata, and one of
    // the table `val`, with its sealed value. The row of `item` names the row of `val` by a number,
    // and has the value's tag, the last 16 octets of the sealed value.

    /// Seals an item and writes its rows. Where the new item names no details or no time of
    /// creation, the old item's stay.
    private func put(_ item: NewItem, id: [UInt8], over old: ExistingItem?) throws(StoreError)
        -> ItemRevision
    {
        try ItemLimits.check(item.value)
        let metadata = ItemMetadata(
            key: item.key, details: item.details ?? old?.metadata.details ?? ItemDetails(),
            created: item.created ?? old?.metadata.created ?? now, modified: item.modified ?? now,
            valueType: item.value.type)
        let sealedMetadata = try metadata.sealed(with: dataKey, id: id.span, generation: generation)
        let sealedValue = try item.value.withExposedBytes { (bytes) throws(StoreError) -> [UInt8] in
            try dataKey.sealPadded(bytes, as: .value, subject: id.span, generation: generation)
        }
        let row = try write(
            metadata: sealedMetadata, value: sealedValue, of: metadata.key, id: id, over: old?.row)
        changes.append(.set(metadata.key))
        return row.revision
    }

    /// Re-seals a row with the active key, which is the newest data key of the ring.
    ///
    /// - Returns: the length of its sealed value.
    private func reseal(_ row: ItemRow) throws(StoreError) -> Int {
        if level == .strict { try proveToWrite(row.id, found: row) }
        let metadata = try unlocked.metadata(of: row, named: nil)
        let value = try unlocked.value(of: row, on: connection)
        guard let value else { throw .damaged("value of an item") }
        let sealedMetadata = try metadata.sealed(
            with: dataKey, id: row.id.span, generation: generation)
        let sealedValue = try value.withExposedBytes { (bytes) throws(StoreError) -> [UInt8] in
            try dataKey.sealPadded(bytes, as: .value, subject: row.id.span, generation: generation)
        }
        _ = try write(
            metadata: sealedMetadata, value: sealedValue, of: metadata.key, id: row.id, over: row)
        return sealedValue.count
    }

    /// The most items that a batch examines. A batch is a transaction, and other writers wait for
    /// it.
    private static let batchItemCount = 256
    /// A batch ends after the item with which its sealed values have more bytes than this.
    private static let batchByteCount = 8 << 20

    /// The result of a batch of a rotation, in which every item gets the active key.
    struct Batch {
        /// The last id of the batch, after which the next batch begins; nil after the last item.
        let last: [UInt8]?
        /// How many items were examined.
        let count: Int
        /// How many items were re-sealed.
        let sealed: Int
        /// How many items the vault has.
        let total: UInt64
    }

    /// Re-seals items with the active key, in the order of their ids, after the id `behind`.
    func resealBatch(behind: [UInt8]) throws(StoreError) -> Batch {
        let listed = try listItems(behind: behind)
        var byteCount = 0
        var last: [UInt8]?
        var count = 0
        var sealed = 0
        for (id, needsSealing) in listed {
            if needsSealing, let row = try findRow(id) {
                byteCount += try reseal(row)
                sealed += 1
            }
            last = id
            count += 1
            if byteCount > Self.batchByteCount { break }
        }
        // A list that is not full has the last item.
        let isAtEnd = listed.count < Self.batchItemCount && count == listed.count
        return Batch(
            last: isAtEnd ? nil : last, count: count, sealed: sealed, total: state.count)
    }

    /// The ids of a batch, and whether each item has another key than the active one.
    private func listItems(
        behind: [UInt8]
    ) throws(StoreError) -> [(id: [UInt8], needsSealing: Bool)] {
        var found: [(id: [UInt8], needsSealing: Bool)] = []
        try connection.withRows(of: .itemsBehind, binding: behind, Int64(Self.batchItemCount)) {
            (rows) throws(StoreError) in
            while try rows.step() {
                let id = try rows.blob(.listedID, count: VaultFormat.itemIDByteCount, of: "item")
                let keyID = try rows.blob(
                    .listedKeyID, count: VaultFormat.keyIDByteCount, of: "item")
                // In a damaged order, the id after which the next batch begins could lead back to
                // the beginning, without end.
                guard (found.last?.id ?? behind).lexicographicallyPrecedes(id) else {
                    throw .damaged("item", problem: "ids do not ascend")
                }
                found.append((id, keyID != dataKey.id))
            }
        }
        return found
    }

    /// Where an item's sealed value goes when the item is written.
    ///
    /// A value that is lost, or not shown to be the item's, is not written over: in a damaged file,
    /// the row of `val` may be another item's.
    private enum ValueRow {
        /// The old row of `val`, which is shown to be the item's.
        case old
        /// A new row. The old row, if there is one, stays: another item names it too.
        case new
        /// A new row. The old row is removed: no other item names it.
        case newInsteadOfOld
    }

    private func valueRow(over old: ItemRow?) throws(StoreError) -> ValueRow {
        guard let old else { return .new }
        // The row of `val` ends with the tag that the old row of `item` has.
        if try hasNamedTag(old) { return .old }
        return try isOnlyItemOfValue(old) ? .newInsteadOfOld : .new
    }

    /// Writes the two rows of an item, and its element in the sums:
    /// 1. takes the old item's element out of the sums;
    /// 2. writes the value's row of `val`;
    /// 3. writes the item's row of `item`, which names the value's row;
    /// 4. puts the new item's element into the sums.
    private func write(
        metadata: [UInt8], value: [UInt8], of key: ItemKey, id: [UInt8], over old: ItemRow?
    ) throws(StoreError) -> ItemRow {
        let valueRow = try valueRow(over: old)
        noteChange()
        if let old { try toggleSums(unlocked.element(of: old), ofItem: id, countChange: 0) }
        let group: [UInt8]
        let valueNumber: Int64
        if let old, valueRow == .old {
            group = old.group
            valueNumber = old.valueNumber
        } else {
            group = try unlocked.ring.group(
                service: key.service, itemClass: key.itemClass, accessGroup: key.accessGroup)
            valueNumber = try newValueNumber()
        }
        if let old, valueRow == .newInsteadOfOld {
            try connection.run(.dropValue, binding: old.valueNumber)
        }
        try connection.run(
            valueRow == .old ? .updateValue : .insertValue, binding: valueNumber, value)
        let row = ItemRow(
            id: id, group: group, keyID: dataKey.id, generation: generation,
            valueNumber: valueNumber, metadata: metadata,
            valueTag: Array(value.suffix(VaultFormat.tagByteCount)))
        if old == nil {
            try insert(row)
        } else {
            try update(row, movesValue: valueRow != .old)
        }
        try toggleSums(unlocked.element(of: row), ofItem: id, countChange: old == nil ? 1 : 0)
        return row
    }

    private func insert(_ row: ItemRow) throws(StoreError) {
        try connection.run(
            .insertItem, binding: row.id, row.group, row.keyID, Int64(clamping: row.generation),
            row.valueNumber, row.metadata, row.valueTag)
    }

    /// Writes a row over the item's old row.
    ///
    /// - Parameter movesValue: whether the row names another row of `val` than the old row.
    private func update(_ row: ItemRow, movesValue: Bool) throws(StoreError) {
        try connection.run(
            .updateItem, binding: row.id, row.keyID, Int64(clamping: row.generation),
            row.metadata, row.valueTag)
        if movesValue { try connection.run(.moveValue, binding: row.id, row.valueNumber) }
    }
}
