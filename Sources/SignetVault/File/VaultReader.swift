// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetCrypto

/// Reads with one connection and the keys of one session.
struct VaultReader {
    let connection: VaultConnection
    let proof: VaultProof
    let session: VaultSession
    let freshness: VaultFreshness
    /// The generation that the state must have at least.
    let floor: UInt64

    /// An item with its value.
    func entry(_ key: ItemKey, _ level: ReadLevel) throws(StoreError) -> StoreEntry? {
        try answer(key, level) { (id) throws(StoreError) -> (StoreEntry, ItemRow)? in
            try lazyEntry(key, id)
        }
    }

    /// An item without its value.
    func item(_ key: ItemKey, _ level: ReadLevel) throws(StoreError) -> StoredItem? {
        try answer(key, level) { (id) throws(StoreError) -> (StoredItem, ItemRow)? in
            guard let row = try row(id) else { return nil }
            return (row.item(try session.metadata(of: row, named: key)), row)
        }
    }

    /// A row of `item` by its id.
    func row(_ id: [UInt8]) throws(StoreError) -> ItemRow? {
        try connection.with(.item) { (row) throws(StoreError) -> ItemRow? in
            try row.bind(id, at: 1)
            return try row.step() ? try ItemRow(row, id: id) : nil
        }
    }

    /// What `read` finds, with as much proof as the level asks for.
    private func answer<R>(
        _ key: ItemKey, _ level: ReadLevel, _ read: (_ id: [UInt8]) throws(StoreError) -> (R, ItemRow)?
    ) throws(StoreError) -> R? {
        try ItemLimits.check(key)
        let id = try session.ring.itemID(for: key)
        if level == .lazy { return try read(id)?.0 }
        return try connection.transaction(.begin) { () throws(StoreError) -> R? in
            try proveBuckets()
            let found = try read(id)
            try proof.proveBucket(of: id, found: found?.1, session, on: connection)
            return found?.0
        }
    }

    /// Proves the buckets inside the transaction that is open.
    private func proveBuckets() throws(StoreError) {
        let (octets, state) = try self.state()
        try proof.proveBuckets(octets, state, session, on: connection)
    }

    /// The state inside the transaction that is open, of the head that is there.
    func state() throws(StoreError) -> ([UInt8], StateRecord) {
        // Another head: the keys are read again, and the whole call is made once more with them.
        guard try VaultTables.head(of: connection) == session.head.bytes else { throw .unknownDataKey }
        let octets = try VaultTables.state(of: connection)
        let state = try session.state(octets)
        try freshness.require(state.generation, atLeast: floor)
        return (octets, state)
    }

    /// One statement, hence one snapshot, without a transaction around it.
    private func lazyEntry(_ key: ItemKey, _ id: [UInt8]) throws(StoreError) -> (StoreEntry, ItemRow)? {
        try connection.with(.entry) { (row) throws(StoreError) -> (StoreEntry, ItemRow)? in
            try row.bind(id, at: 1)
            guard try row.step() else { return nil }
            let item = try ItemRow(row, id: id)
            let metadata = try session.metadata(of: item, named: key)
            let value = try row.withBlob(6) { (sealed) throws(StoreError) -> SecretKey in
                try session.value(sealed, of: item)
            }
            guard let value else { throw .damaged("value of an item") }
            let entry = StoreEntry(
                item: item.item(metadata), value: SecretValue(value, type: metadata.valueType))
            return (entry, item)
        }
    }
}
