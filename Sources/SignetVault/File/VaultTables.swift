// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The small tables as they stand in one snapshot of the file: types, lengths and numbers checked, nothing authenticated.
struct VaultTables {
    /// A row of `slot` or `ring`.
    struct Row: Equatable {
        let id: [UInt8]
        let octets: [UInt8]
    }

    var head: [UInt8]
    var slots: [Row]
    var ring: [Row]
    var state: [UInt8]

    /// Reads them; the caller has begun a transaction.
    static func read(from connection: VaultConnection) throws(StoreError) -> VaultTables {
        VaultTables(
            head: try head(of: connection),
            slots: try rows(.slots, of: connection, idCount: 16, octetCount: 1...4608, limit: 32, "key slots"),
            ring: try rows(.ring, of: connection, idCount: 16, octetCount: 73...73, limit: 1024, "key ring"),
            state: try state(of: connection))
    }

    static func head(of connection: VaultConnection) throws(StoreError) -> [UInt8] {
        try single(.head, of: connection, count: 104, "head")
    }

    static func state(of connection: VaultConnection) throws(StoreError) -> [UInt8] {
        try single(.state, of: connection, count: 168, "state")
    }

    /// The only row of `head` or `state`, k = 1.
    private static func single(
        _ query: VaultQuery, of connection: VaultConnection, count: Int, _ place: String
    ) throws(StoreError) -> [UInt8] {
        try connection.with(query) { (row) throws(StoreError) -> [UInt8] in
            guard try row.step(), try row.integer(0, of: place) == 1 else { throw .damaged(place) }
            let octets = try row.blob(1, count: count, of: place)
            guard try !row.step() else { throw .damaged(place) }
            return octets
        }
    }

    /// Rows ascending by id: the order in which they are authenticated.
    private static func rows(
        _ query: VaultQuery, of connection: VaultConnection, idCount: Int, octetCount: ClosedRange<Int>,
        limit: Int, _ place: String
    ) throws(StoreError) -> [Row] {
        try connection.with(query) { (row) throws(StoreError) -> [Row] in
            var rows: [Row] = []
            while try row.step() {
                guard rows.count < limit else { throw .damaged(place) }
                let id = try row.blob(0, count: idCount, of: place)
                let octets = try row.blob(1, in: octetCount, of: place)
                if let last = rows.last, !last.id.lexicographicallyPrecedes(id) { throw .damaged(place) }
                rows.append(Row(id: id, octets: octets))
            }
            guard !rows.isEmpty else { throw .damaged(place) }
            return rows
        }
    }
}
