// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The small tables of a vault in one snapshot of the file: the head, the key slots, the key ring
/// and the state. Types, lengths and numbers are checked, and nothing is authenticated:
/// ``UnlockedKeys`` does that.
struct VaultTables {
    let head: [UInt8]
    let slotRecords: [SlotRecord]
    let ring: [RingRow]
    let state: [UInt8]

    /// Reads the tables; the caller has begun a transaction.
    static func read(from connection: VaultConnection) throws(StoreError) -> VaultTables {
        VaultTables(
            head: try head(of: connection), slotRecords: try slots(of: connection),
            ring: try ring(of: connection), state: try state(of: connection))
    }

    /// The key slots, ascending by id, all within their limits.
    static func slots(of connection: VaultConnection) throws(StoreError) -> [SlotRecord] {
        let table = Table(
            query: .slots, place: "key slots", idByteCount: VaultFormat.slotIDByteCount,
            recordByteCounts: VaultFormat.slotByteCounts,
            maximumRowCount: VaultFormat.maximumSlotCount)
        var slots: [SlotRecord] = []
        try forEachRow(of: table, on: connection) { (id, record) throws(StoreError) in
            slots.append(try SlotRecord(parsing: record, rowID: id))
        }
        try SlotRecord.checkCounts(slots)
        return slots
    }

    /// The sealed keys, ascending by the keys' ids.
    static func ring(of connection: VaultConnection) throws(StoreError) -> [RingRow] {
        let table = Table(
            query: .ring, place: "key ring", idByteCount: VaultFormat.keyIDByteCount,
            recordByteCounts: VaultFormat.ringByteCount...VaultFormat.ringByteCount,
            maximumRowCount: VaultFormat.maximumRingRowCount)
        var ring: [RingRow] = []
        try forEachRow(of: table, on: connection) { (id, record) throws(StoreError) in
            ring.append(try RingRow(keyID: id, sealed: record))
        }
        return ring
    }

    /// The head's record.
    static func head(of connection: VaultConnection) throws(StoreError) -> [UInt8] {
        try onlyRow(.head, of: connection, count: VaultFormat.headByteCount, place: "head")
    }

    /// The state's record.
    static func state(of connection: VaultConnection) throws(StoreError) -> [UInt8] {
        try onlyRow(.state, of: connection, count: VaultFormat.stateByteCount, place: "state")
    }

    /// The octets of the only row of `head` or `state`, whose key (the column k) is always 1.
    private static func onlyRow(
        _ query: VaultQuery, of connection: VaultConnection, count: Int, place: String
    ) throws(StoreError) -> [UInt8] {
        try connection.withRows(of: query) { (row) throws(StoreError) -> [UInt8] in
            guard try row.step(), try row.integer(.rowKey, of: place) == 1 else {
                throw .damaged(place)
            }
            let octets = try row.blob(.record, count: count, of: place)
            guard try !row.step() else { throw .damaged(place) }
            return octets
        }
    }

    /// A table with a few rows, each an id and a record, and the limits that its rows must keep.
    private struct Table {
        /// Lists the rows by id: at most one row more than the limit.
        let query: VaultQuery
        /// The table's name in errors.
        let place: String
        let idByteCount: Int
        let recordByteCounts: ClosedRange<Int>
        let maximumRowCount: Int
    }

    /// Calls `body` with each row's id and record, ascending by id: the order in which rows are
    /// authenticated.
    private static func forEachRow(
        of table: Table, on connection: VaultConnection,
        _ body: (_ id: [UInt8], _ record: [UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        let place = table.place
        try connection.withRows(of: table.query) { (row) throws(StoreError) in
            var count = 0
            // Empty before the first row: every id comes after it.
            var previousID: [UInt8] = []
            while try row.step() {
                count += 1
                guard count <= table.maximumRowCount else {
                    throw .damaged(
                        place, problem: "there are more than \(table.maximumRowCount) rows")
                }
                let id = try row.blob(.rowKey, count: table.idByteCount, of: place)
                guard previousID.lexicographicallyPrecedes(id) else {
                    throw .damaged(place, problem: "its order is broken")
                }
                try body(id, row.blob(.record, in: table.recordByteCounts, of: place))
                previousID = id
            }
        }
    }
}
