// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The small tables in one snapshot of the file: types, lengths and numbers checked, nothing
/// authenticated.
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
        var slots: [SlotRecord] = []
        try readRows(
            .slots, of: connection, idCount: VaultFormat.slotIDByteCount,
            octetCounts: VaultFormat.slotByteCounts,
            limit: VaultFormat.maximumSlotCount, place: "key slots"
        ) { (id, octets) throws(StoreError) in
            slots.append(try SlotRecord(parsing: octets, rowID: id))
        }
        try SlotRecord.checkCounts(slots)
        return slots
    }

    /// The sealed keys, ascending by kid.
    static func ring(of connection: VaultConnection) throws(StoreError) -> [RingRow] {
        var ring: [RingRow] = []
        try readRows(
            .ring, of: connection, idCount: VaultFormat.keyIDByteCount,
            octetCounts: VaultFormat.ringByteCount...VaultFormat.ringByteCount,
            limit: VaultFormat.maximumRingRowCount, place: "key ring"
        ) { (id, octets) throws(StoreError) in
            ring.append(try RingRow(keyID: id, sealed: octets))
        }
        return ring
    }

    static func head(of connection: VaultConnection) throws(StoreError) -> [UInt8] {
        try onlyRow(.head, of: connection, count: VaultFormat.headByteCount, place: "head")
    }

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

    /// Calls `body` with each row's id and octets, ascending by id: the order in which rows are
    /// authenticated.
    private static func readRows(
        _ query: VaultQuery, of connection: VaultConnection, idCount: Int,
        octetCounts: ClosedRange<Int>,
        limit: Int, place: String, _ body: ([UInt8], [UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try connection.withRows(of: query) { (row) throws(StoreError) in
            var count = 0
            // Empty before the first row: every id comes after it.
            var previousID: [UInt8] = []
            // The query returns one row more than the limit, if there is one.
            while try row.step() {
                count += 1
                guard count <= limit else {
                    throw .damaged(place, problem: "there are more than \(limit) rows")
                }
                let id = try row.blob(.rowKey, count: idCount, of: place)
                guard previousID.lexicographicallyPrecedes(id) else {
                    throw .damaged(place, problem: "its order is broken")
                }
                try body(id, row.blob(.record, in: octetCounts, of: place))
                previousID = id
            }
        }
    }
}
