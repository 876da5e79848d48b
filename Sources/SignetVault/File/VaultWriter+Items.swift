// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

extension VaultWriter {
    /// Writes a secret, text or key. It replaces an existing item, which must be authentic.
    ///
    /// - Parameters:
    ///   - value: the secret.
    ///   - key: the item.
    ///   - details: nil keeps the existing item's details.
    /// - Throws: `invalidItem`, `invalidValue`, `tooLarge` beyond ``ItemLimits``; `corrupt`.
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
        try changing { () throws(StoreError) -> ItemRevision in
            try ItemLimits.check(item.key)
            let id = try session.ring.itemID(for: item.key)
            return try put(item, id, over: present(item.key, id))
        }
    }

    /// Writes (or, with a nil value, removes) an item if it has the given revision; nil means
    /// absent, which is proved.
    ///
    /// - Returns: the new revision; nil after a removal.
    /// - Throws: `alreadyExists` if it was expected to be absent and exists, `conflict` if it has
    ///   another revision or is gone; the errors of ``set(_:for:details:)``.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails? = nil,
        ifRevision revision: ItemRevision?
    ) throws(StoreError) -> ItemRevision? {
        try changing { () throws(StoreError) -> ItemRevision? in
            try ItemLimits.check(key)
            let id = try session.ring.itemID(for: key)
            let present = try present(key, id)
            if level == .strict { try prove(id, present) }
            guard present?.row.revision == revision else {
                throw revision == nil
                    ? StoreError(.alreadyExists, "There is such an item already.")
                    : StoreError(
                        .conflict,
                        "The item was changed or removed since it was read. Read it again.")
            }
            guard let value else {
                if let present { try remove(present) }
                return nil
            }
            return try put(NewItem(key: key, value: value, details: details), id, over: present)
        }
    }

    /// Removes an item. Removing an absent item succeeds.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func remove(_ key: ItemKey) throws(StoreError) -> Bool {
        try changing { () throws(StoreError) -> Bool in
            try ItemLimits.check(key)
            let id = try session.ring.itemID(for: key)
            guard let present = try present(key, id) else {
                if level != .lazy { try prove(id, nil) }
                return false
            }
            try remove(present)
            return true
        }
    }

    /// Removes the items of one service in one access group, and no others. As for a list, it is
    /// proved that none is missing.
    ///
    /// - Returns: how many there were.
    /// - Throws: `emptyMatch` for an empty service; `corrupt`.
    @discardableResult
    public func clear(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> Int {
        try changing { () throws(StoreError) -> Int in
            try clear(ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup))
        }
    }

    // MARK: Pieces

    /// An item that is there: its row, and what the row holds.
    struct Present {
        let row: ItemRow
        let metadata: ItemMetadata
    }

    /// The item of a key, opened; nil if there is no row, which proves nothing.
    private func present(_ key: ItemKey, _ id: [UInt8]) throws(StoreError) -> Present? {
        guard let row = try row(id) else { return nil }
        return Present(row: row, metadata: try session.metadata(of: row, named: key))
    }

    private func prove(_ id: [UInt8], _ present: Present?) throws(StoreError) {
        try proveBuckets()
        try proveBucket(of: id, found: present?.row)
    }

    private func put(_ item: NewItem, _ id: [UInt8], over old: Present?) throws(StoreError)
        -> ItemRevision
    {
        try ItemLimits.check(item.value)
        let metadata = ItemMetadata(
            key: item.key, details: item.details ?? old?.metadata.details ?? ItemDetails(),
            created: item.created ?? old?.metadata.created ?? now, modified: item.modified ?? now,
            valueType: item.value.type)
        let sealedMetadata = try metadata.sealed(with: dataKey, id: id.span, generation: generation)
        let sealedValue = try item.value.withExposedBytes { (bytes) throws(StoreError) -> [UInt8] in
            try dataKey.sealPadded(bytes, .value, subject: id.span, generation: generation)
        }
        let row = try write(sealedMetadata, sealedValue, metadata.key, id, over: old?.row)
        changes.append(.set(metadata.key))
        return row.revision
    }

    /// Re-seals a row with the active key. Returns the length of its value.
    private func reseal(_ row: ItemRow) throws(StoreError) -> Int {
        let metadata = try session.metadata(of: row, named: nil)
        let value = try session.value(of: row, on: connection)
        guard let value else { throw .damaged("value of an item") }
        let sealedMetadata = try metadata.sealed(
            with: dataKey, id: row.id.span, generation: generation)
        let sealedValue = try value.withExposedBytes { (bytes) throws(StoreError) -> [UInt8] in
            try dataKey.sealPadded(bytes, .value, subject: row.id.span, generation: generation)
        }
        _ = try write(sealedMetadata, sealedValue, metadata.key, row.id, over: row)
        return sealedValue.count
    }

    /// The result of one batch of a rotation.
    struct Batch {
        /// The last id of the batch; nil at the end.
        let last: [UInt8]?
        /// How many items were examined.
        let count: Int
        /// How many of them were re-sealed.
        let sealed: Int
        /// How many there are in all.
        let total: UInt64
    }

    /// Re-seals items with the active key, in the order of their ids: at most 256, and some
    /// megabytes.
    func resealBatch(behind: [UInt8]) throws(StoreError) -> Batch {
        let limit = 256
        var found: [(id: [UInt8], needsSealing: Bool)] = []
        try connection.with(.itemsBehind, behind, Int64(limit)) {
            (row) throws(StoreError) -> Void in
            while try row.step() {
                let id = try row.blob(0, count: VaultFormat.itemIDByteCount, of: "item")
                let keyID = try row.blob(1, count: VaultFormat.keyIDByteCount, of: "item")
                // Otherwise a damaged order could lead back to the beginning.
                guard (found.last?.id ?? behind).lexicographicallyPrecedes(id) else {
                    throw .damaged("item", "ids do not ascend")
                }
                found.append((id, keyID != dataKey.id))
            }
        }
        var byteCount = 0
        var last: [UInt8]?
        var count = 0
        var sealed = 0
        for (id, needsSealing) in found {
            if needsSealing, let row = try row(id) {
                byteCount += try reseal(row)
                sealed += 1
            }
            last = id
            count += 1
            if byteCount > 8 << 20 { break }
        }
        return Batch(
            last: count < limit && count == found.count ? nil : last, count: count, sealed: sealed,
            total: state.count)
    }

    /// Removes an item that is there.
    private func remove(_ item: Present) throws(StoreError) {
        try remove(item.row)
        changes.append(.removed(item.metadata.key))
    }

    private func remove(_ row: ItemRow) throws(StoreError) {
        try checkValueTag(of: row)
        noteChange()
        try toggle(session.element(of: row), in: row.id, -1)
        try connection.run(.dropItem, row.id)
        try connection.run(.dropValue, row.valueNumber)
    }

    /// Removes what matches. A row counts by its metadata, wherever it is filed.
    ///
    /// It proves as much as a list at this level: otherwise a row that an attacker filed elsewhere
    /// would stay.
    private func clear(_ match: ItemMatch) throws(StoreError) -> Int {
        var count = 0
        if level == .strict {
            let found = try provedRows { match.matches($0) }
            for (row, _) in found {
                // On pages in broken order, a removal by id may miss a row that the iteration
                // found.
                guard try self.row(row.id) != nil else {
                    throw .damaged("item", "it cannot be found by its id")
                }
                try remove(row)
            }
            count = found.count
        } else {
            count = try clear(filedUnder: match)
        }
        if count > 0 { changes.append(.cleared(service: match.service, count: count)) }
        return count
    }

    private func clear(filedUnder match: ItemMatch) throws(StoreError) -> Int {
        var count = 0
        for group in try match.groups(session.ring) {
            var rows = try self.rows(ofGroup: group)
            while !rows.isEmpty {
                for row in rows {
                    let metadata = try session.metadata(of: row, named: nil)
                    guard match.matches(metadata.key) else {
                        throw .damaged("item", "it is filed wrongly")
                    }
                    try remove(row)
                    count += 1
                }
                rows = try self.rows(ofGroup: group)
            }
        }
        return count
    }

    /// At most 256 at a time: a service may have a million.
    private func rows(ofGroup group: [UInt8]) throws(StoreError) -> [ItemRow] {
        try connection.with(.group, group, Int64(256)) { (row) throws(StoreError) -> [ItemRow] in
            var rows: [ItemRow] = []
            while try row.step() { rows.append(try ItemRow(row)) }
            return rows
        }
    }

    /// Both parts of an item, and its element.
    private func write(
        _ metadata: [UInt8], _ value: [UInt8], _ key: ItemKey, _ id: [UInt8], over old: ItemRow?
    ) throws(StoreError) -> ItemRow {
        if let old { try checkValueTag(of: old) }
        noteChange()
        if let old {
            try toggle(session.element(of: old), in: id, 0)
        }
        let group: [UInt8]
        let number: Int64
        if let old {
            (group, number) = (old.group, old.valueNumber)
        } else {
            group = try session.ring.group(
                service: key.service, itemClass: key.itemClass, accessGroup: key.accessGroup)
            number = try newValueNumber()
        }
        let row = ItemRow(
            id: id, group: group, keyID: dataKey.id, generation: generation, valueNumber: number,
            metadata: metadata, valueTag: Array(value.suffix(VaultFormat.tagByteCount)))
        try connection.run(old == nil ? .insertValue : .updateValue, row.valueNumber, value)
        let storedGeneration = Int64(clamping: row.generation)
        if old == nil {
            try connection.run(
                .insertItem, row.id, row.group, row.keyID, storedGeneration, row.valueNumber,
                row.metadata,
                row.valueTag)
        } else {
            try connection.run(
                .updateItem, row.id, row.keyID, storedGeneration, row.metadata, row.valueTag)
        }
        try toggle(session.element(of: row), in: id, old == nil ? 1 : 0)
        return row
    }

    /// v is not sealed: before a row of `val` is overwritten or removed, it must be the one that
    /// the item names.
    private func checkValueTag(of row: ItemRow) throws(StoreError) {
        let tag = try connection.with(.valueTag, row.valueNumber) {
            (statement) throws(StoreError) -> [UInt8]? in
            return try statement.step() ? statement.blob(0) : nil
        }
        guard let tag, bytesAreEqual(tag.span, row.valueTag.span) else {
            throw .damaged("value of an item", "it is not the one that the item names")
        }
    }
}
