// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The keys of a table's rows (primary keys, not cryptographic keys) in a damaged vault: from the
/// first key on and, if a page or a row cannot be read, from the last key back.
///
/// For example, a table has the rows 1 to 9, and SQLite cannot read the page of row 5. The list
/// from the first key on gives 1 to 4 and ends; the list from the last key back gives 9 to 6.
///
/// The list reads keys alone, and each row is then searched by its key. So a row whose octets are
/// on a damaged page of their own does not end the list. A row is searched in the direction in
/// which its key was listed: in the opposite direction, SQLite may look at the damaged page.
struct SalvagedRowKeys {
    /// The queries that go through the table in one direction.
    struct Direction {
        /// Lists all keys.
        let keysQuery: VaultQuery
        /// Finds a row by its key.
        let rowQuery: VaultQuery
    }

    let connection: VaultConnection
    let fromFirstKey: Direction
    let fromLastKey: Direction
    /// The most keys that are listed in a direction: damaged pages that name each other in a circle
    /// make a list without an end.
    let limit: Int

    static func slots(of connection: VaultConnection) -> Self {
        Self(
            connection: connection, fromFirstKey: Direction(keysQuery: .slotKeys, rowQuery: .slot),
            fromLastKey: Direction(keysQuery: .slotKeysFromTheLast, rowQuery: .slotFromTheLast),
            // One more than a writer makes, so that too many slots are noticed.
            limit: VaultFormat.maximumSlotCount + 1)
    }

    static func ring(of connection: VaultConnection) -> Self {
        Self(
            connection: connection,
            fromFirstKey: Direction(keysQuery: .ringKeys, rowQuery: .ringRow),
            fromLastKey: Direction(keysQuery: .ringKeysFromTheLast, rowQuery: .ringRowFromTheLast),
            limit: VaultFormat.maximumRingRowCount + 1)
    }

    /// - Throws: if SQLite does not say how large the database is.
    static func items(of connection: VaultConnection) throws(StoreError) -> Self {
        let byteCount = try connection.integer(ofPragma: "page_count") * VaultFormat.pageByteCount
        return Self(
            connection: connection, fromFirstKey: Direction(keysQuery: .itemKeys, rowQuery: .item),
            fromLastKey: Direction(keysQuery: .itemKeysFromTheLast, rowQuery: .itemFromTheLast),
            // The database has no room for more rows, because each row holds sealed metadata.
            limit: Int(clamping: byteCount) / VaultFormat.sealedMetadataByteCounts.lowerBound)
    }

    /// The keys that both directions have listed.
    struct ListedKeys {
        /// Whether the list from the first key on reached the last key: no page of keys is damaged.
        var isComplete = false
        /// The keys whose rows were read.
        var read = Set<[UInt8]>()
        /// The keys whose rows were not read.
        var unread = Set<[UInt8]>()
        /// Whether a key is no blob, or is longer than a key. No query finds its row.
        var hasMalformedKey = false

        var needsOtherDirection: Bool { !isComplete || !unread.isEmpty || hasMalformedKey }

        /// How many keys there are. All malformed keys count as one.
        var count: Int { read.count + unread.count + (hasMalformedKey ? 1 : 0) }
    }

    /// Calls `readRow` with each key and the query that finds its row: once in each direction at
    /// most, and not again after it has read the row.
    ///
    /// - Parameter readRow: returns whether it has read the row. Its errors end the list.
    func readRows(
        _ readRow: (_ key: [UInt8], _ query: VaultQuery) throws(StoreError) -> Bool
    ) throws(StoreError) -> ListedKeys {
        var listed = ListedKeys()
        listed.isComplete = try readRows(in: fromFirstKey, into: &listed, readRow)
        if listed.needsOtherDirection {
            _ = try readRows(in: fromLastKey, into: &listed, readRow)
        }
        return listed
    }

    /// - Returns: whether the list reached its end; false if a page of keys cannot be read, or if
    ///   there are more keys than the limit.
    private func readRows(
        in direction: Direction, into listed: inout ListedKeys,
        _ readRow: (_ key: [UInt8], _ query: VaultQuery) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        var keysOfDirection = Set<[UInt8]>()
        return try connection.withRows(of: direction.keysQuery) {
            (statement) throws(StoreError) -> Bool in
            for _ in 0..<limit {
                // A damaged page ends this direction only. The other direction may list what is
                // after it.
                guard let hasKey = try? statement.step() else { return false }
                // False after the last row.
                guard hasKey else { return true }
                guard let key = statement.blob(.only) else {
                    listed.hasMalformedKey = true
                    continue
                }
                let isNew = keysOfDirection.insert(key).inserted
                guard isNew, !listed.read.contains(key) else { continue }
                if try readRow(key, direction.rowQuery) {
                    listed.read.insert(key)
                    listed.unread.remove(key)
                } else {
                    listed.unread.insert(key)
                }
            }
            return false
        }
    }
}
