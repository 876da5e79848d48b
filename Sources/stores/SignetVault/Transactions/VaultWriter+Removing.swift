// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

// Removes items: `try vault.write { try $0.remove(key) }` returns whether there was such an item.
// An item has a row in the table `item`, which names a row of the table `val`, its sealed value.
// Removals must work in a damaged vault, where the named row may be another item's.
// A *strict* vault proves its answers (``ReadLevel``), also that an item is absent.

extension VaultWriter {
    /// Removes an item. Removing an absent item succeeds, if it is proved that it is absent.
    ///
    /// It also removes a damaged item whose row can be read, and an item beside damaged items.
    /// Afterwards a strict read may be unable to tell that the item is absent: ``unprovedAbsence``
    /// says so.
    ///
    /// - Returns: whether the item existed.
    /// - Throws: `corrupt` if no row of the item can be read, and damage may hide a row;
    ///   `invalidItem`.
    @discardableResult
    public func remove(_ key: ItemKey) throws(StoreError) -> Bool {
        try runChange { () throws(StoreError) -> Bool in
            let id = try itemID(of: key)
            guard let row = try findRow(id) else {
                try proving(key, meaning: "So it cannot be proved that the item is absent.") {
                    () throws(StoreError) in
                    if level == .strict { try proveToWrite(id, found: nil) }
                }
                return false
            }
            // If the row is not proved, it is removed all the same.
            try remove(row, isProved: isProved(row, of: key))
            changes.append(.removed(key))
            return true
        }
    }

    /// Removes the items of a service in an access group, and nothing else. It is proved that no
    /// item is missing, as for a list.
    ///
    /// - Returns: how many items were removed.
    /// - Throws: `emptyMatch` for an empty service; `corrupt`.
    @discardableResult
    public func clear(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> Int {
        try runChange { () throws(StoreError) -> Int in
            try clear(ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup))
        }
    }

    // MARK: Pieces

    /// Whether the row is proved to be the item's newest, as far as this vault proves anything. If
    /// not, notes why its absence will not be proved either.
    private func isProved(_ row: ItemRow, of key: ItemKey) throws(StoreError) -> Bool {
        guard level == .strict else { return true }
        do {
            try proving(
                key, meaning: "The item was removed, but it cannot be proved that it is absent now."
            ) { () throws(StoreError) in try proveToWrite(row.id, found: row) }
            return true
        } catch {
            guard error.code == .corrupt else { throw error }
            noteUnprovedAbsence(error)
            return false
        }
    }

    /// Removes a row, and its value if that is the item's own.
    ///
    /// - Parameter isProved: whether the row is proved, so that the tag which it names is its own.
    ///   If not, the value is removed only if no other item names it.
    private func remove(_ row: ItemRow, isProved: Bool = true) throws(StoreError) {
        var ownsValue = false
        if isProved { ownsValue = try hasNamedTag(row) }
        if !ownsValue { ownsValue = try isOnlyItemOfValue(row) }
        noteChange()
        try toggleSums(unlocked.element(of: row), ofItem: row.id, countChange: -1)
        try connection.run(.dropItem, binding: row.id)
        if ownsValue { try connection.run(.dropValue, binding: row.valueNumber) }
    }

    /// Whether the row of `val` that the item names has the tag that the item names. The tag is the
    /// end of the sealed value.
    ///
    /// The item's column `v`, the number of that row, is not sealed: an attacker may have changed
    /// it. So a row of `val` is overwritten or removed only if the tag shows that it is the item's.
    func hasNamedTag(_ row: ItemRow) throws(StoreError) -> Bool {
        let tag = try connection.withRows(of: .valueTag, binding: row.valueNumber) {
            (statement) throws(StoreError) -> [UInt8]? in
            return try statement.step() ? statement.blob(.only) : nil
        }
        guard let tag else { return false }
        return bytesAreEqual(tag.span, row.valueTag.span)
    }

    /// Whether no other item names this item's row of `val`. Reads all items, and so is asked only
    /// after damage.
    func isOnlyItemOfValue(_ row: ItemRow) throws(StoreError) -> Bool {
        try connection.withRows(of: .otherOfValue, binding: row.valueNumber, row.id) {
            (statement) throws(StoreError) -> Bool in
            return try !statement.step()
        }
    }

    /// Removes the items that match, with as much proof as a list at this level.
    ///
    /// On a strict vault the metadata of every item decides, not the group under which the item is
    /// filed: otherwise a row that an attacker filed elsewhere would stay.
    private func clear(_ match: ItemMatch) throws(StoreError) -> Int {
        var count = 0
        if level == .strict {
            let found = try provedRows { match.matches($0) }
            for (row, _) in found {
                // On pages in broken order, a removal by id may miss a row that the iteration
                // found.
                guard try findRow(row.id) != nil else {
                    throw .damaged("item", problem: "it cannot be found by its id")
                }
                try remove(row)
            }
            count = found.count
        } else {
            count = try clearUnproved(match)
        }
        if count > 0 { changes.append(.cleared(service: match.service, count: count)) }
        return count
    }

    /// Removes the items in the groups that match, found by the database's index. Proves nothing. A
    /// group is a hash of service, class and access group, which each item's row has.
    private func clearUnproved(_ match: ItemMatch) throws(StoreError) -> Int {
        var count = 0
        for group in try match.groups(unlocked.ring) {
            var rows = try firstRows(ofGroup: group)
            while !rows.isEmpty {
                for row in rows {
                    let metadata = try unlocked.metadata(of: row, named: nil)
                    guard match.matches(metadata.key) else {
                        throw .damaged("item", problem: "it is filed wrongly")
                    }
                    try remove(row)
                    count += 1
                }
                // The removed rows are gone, so the next rows of the group are now its first.
                rows = try firstRows(ofGroup: group)
            }
        }
        return count
    }

    /// The most rows of a group in memory: a service may have a million items.
    private static let maximumRowCount = 256

    /// The first rows of a group, at most ``maximumRowCount``.
    private func firstRows(ofGroup group: [UInt8]) throws(StoreError) -> [ItemRow] {
        try connection.withRows(of: .group, binding: group, Int64(Self.maximumRowCount)) {
            (rows) throws(StoreError) -> [ItemRow] in
            var found: [ItemRow] = []
            while try rows.step() { found.append(try ItemRow(rows)) }
            return found
        }
    }
}
