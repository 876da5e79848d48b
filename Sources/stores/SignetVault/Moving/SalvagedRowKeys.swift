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

    /// Calls `body` with each key and the query that finds its row, until `body` has read it, at most
    /// once from either side.
    ///
    /// - Parameter body: returns whether it has read the row.
    /// - Returns: whether no page of the keys was damaged, how many keys were found, and the keys
    ///   whose rows were not read.
    func list(
        _ body: (_ key: [UInt8], _ row: VaultQuery) throws(StoreError) -> Bool
    ) throws(StoreError) -> (isWhole: Bool, count: Int, unread: Set<[UInt8]>) {
        var read = Set<[UInt8]>()
        var unread = Set<[UInt8]>()
        var isWhole = false
        for (index, side) in sides.enumerated() {
            var tried = Set<[UInt8]>()
            let isAtEnd = try connection.with(side.keys) { (statement) throws(StoreError) -> Bool in
                for _ in 0..<limit {
                    guard let hasRow = try? statement.step() else { return false }
                    guard hasRow else { return true }
                    // No blob: no row of that key is found.
                    let key = statement.blob(0) ?? []
                    guard !read.contains(key), tried.insert(key).inserted else { continue }
                    if try body(key, side.row) {
                        read.insert(key)
                        unread.remove(key)
                    } else {
                        unread.insert(key)
                    }
                }
                return false
            }
            if index == 0 { isWhole = isAtEnd }
            if isWhole, unread.isEmpty { break }
        }
        return (isWhole, read.count + unread.count, unread)
    }
}
