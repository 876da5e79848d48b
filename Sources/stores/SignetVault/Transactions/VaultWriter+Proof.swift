// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The proofs of a strict vault before it writes: a strict read will give back what is kept.
extension VaultWriter {
    /// An existing item: its row, and the opened metadata of the row.
    struct ExistingItem {
        let row: ItemRow
        let metadata: ItemMetadata
    }

    /// The item of a key that is about to be written, opened; nil if there is none. On a strict
    /// vault either result is proved.
    ///
    /// - Throws: `corrupt` with what is damaged. Nothing was changed.
    func existingItemToWrite(_ key: ItemKey, id: [UInt8]) throws(StoreError) -> ExistingItem? {
        try proving(key, meaning: "The item was not written: a strict read would not give it back.")
        {
            () throws(StoreError) -> ExistingItem? in
            let row = try findRow(id)
            let existing = try row.map { (row) throws(StoreError) in
                ExistingItem(row: row, metadata: try unlocked.metadata(of: row, named: key))
            }
            if level == .strict { try proveToWrite(id, found: row) }
            return existing
        }
    }

    /// Proves the buckets' records, and the rows of the item's bucket unless they were proved
    /// before and only this connection has written since.
    func proveToWrite(_ id: [UInt8], found: ItemRow?) throws(StoreError) {
        try proveBuckets()
        let open = VaultFormat.bucket(ofItem: id.span).flatMap(openBucket)
        if dataVersion == nil { dataVersion = try connection.dataVersion() }
        try proof.proveBucketToWrite(
            of: id, found: found, keys: unlocked, on: connection, version: dataVersion, open: open)
    }

    /// Runs a proof. If it fails, a strict vault's error names the damaged items of the bucket, what
    /// that means for this write, and what helps.
    func proving<R>(
        _ key: ItemKey, meaning: ErrorMessage, _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        do {
            return try namingDamage(inBucketOf: key, at: level, body)
        } catch {
            guard error.code == .corrupt, level == .strict else { throw error }
            throw StoreError(
                .corrupt, underlying: error,
                "\(messageOf: error) \(meaning) Restore a backup, or salvage what is whole.")
        }
    }
}
