// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The keys of a table's rows (primary keys, not cryptographic keys) in a damaged vault: from the
/// first key on and, if a page cannot be read, from the last key back.
///
/// A row is read by its key afterwards, so a row whose octets are on a damaged page of their own
/// does not end the list. The search for a row comes from the side from which its key was found:
/// from the opposite side, SQLite may look at the damaged page.
struct SalvagedRowKeys {
    /// Lists keys, and finds a row by its key, from one side.
    typealias Side = (keys: VaultQuery, row: VaultQuery)

    let connection: VaultConnection
    let sides: [Side]
    /// The most keys that are read from either side: pages that name each other again and again are
    /// a list without an end.
    let limit: Int

    static func slots(of connection: VaultConnection) -> Self {
        Self(
            connection: connection,
            sides: [(.slotKeys, .slot), (.slotKeysFromTheLast, .slotFromTheLast)],
            limit: VaultFormat.maximumSlotCount + 1)
    }

    static func ring(of connection: VaultConnection) -> Self {
        Self(
            connection: connection,
            sides: [(.ringKeys, .ringRow), (.ringKeysFromTheLast, .ringRowFromTheLast)],
            limit: VaultFormat.maximumRingRowCount + 1)
    }

    /// - Throws: if SQLite does not say how large the database is.
    static func items(of connection: VaultConnection) throws(StoreError) -> Self {
        let byteCount = try connection.integer(ofPragma: "page_count") * VaultFormat.pageByteCount
        return Self(
            connection: connection,
            sides: [(.itemKeys, .item), (.itemKeysFromTheLast, .itemFromTheLast)],
            limit: Int(clamping: byteCount) / VaultFormat.sealedMetadataByteCounts.lowerBound)
    }

    /// What the list found.
    struct Found {
        /// Whether no page of the keys was damaged.
        var isWhole = false
        var read = Set<[UInt8]>()
        /// The keys whose rows were not read; nil is a key that is no blob.
        var unread = Set<[UInt8]?>()

        /// How many keys there are.
        var count: Int { read.count + unread.count }
    }

    /// Calls `body` with each key and the query that finds its row, until `body` has read it, at most
    /// once from either side.
    ///
    /// - Parameter body: returns whether it has read the row.
    func list(
        _ body: (_ key: [UInt8], _ row: VaultQuery) throws(StoreError) -> Bool
    ) throws(StoreError) -> Found {
        var found = Found()
        for (index, side) in sides.enumerated() {
            let isAtEnd = try list(from: side, into: &found, body)
            if index == 0 { found.isWhole = isAtEnd }
            if found.isWhole, found.unread.isEmpty { break }
        }
        return found
    }

    /// Lists from one side.
    ///
    /// - Returns: whether the last key was reached.
    private func list(
        from side: Side, into found: inout Found,
        _ body: (_ key: [UInt8], _ row: VaultQuery) throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        var tried = Set<[UInt8]>()
        return try connection.withRows(of: side.keys) { (statement) throws(StoreError) -> Bool in
            for _ in 0..<limit {
                guard let hasRow = try? statement.step() else { return false }
                guard hasRow else { return true }
                guard let key = statement.blob(0) else {
                    // Nothing finds a row by what is no blob, or is longer than a key.
                    found.unread.insert(nil)
                    continue
                }
                guard !found.read.contains(key), tried.insert(key).inserted else { continue }
                if try body(key, side.row) {
                    found.read.insert(key)
                    found.unread.remove(key)
                } else {
                    found.unread.insert(key)
                }
            }
            return false
        }
    }
}
