// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An item as its row in the table `item` has it: types and lengths checked, nothing opened.
struct ItemRow {
    let id: [UInt8]
    /// The service, class and access group under which the item is filed, as an HMAC.
    let group: [UInt8]
    /// The data key that sealed the item.
    let keyID: [UInt8]
    /// The generation of the transaction that wrote the item.
    let generation: UInt64
    /// The number of the row of `val`, which has the sealed value.
    let valueNumber: Int64
    /// The sealed names, details and times.
    let metadata: [UInt8]
    /// The last octets of the sealed value, which show that a row of `val` is the item's.
    let valueTag: [UInt8]

    /// Identifies this write of the item. It holds the tag beside the generation, because
    /// generations repeat after a backup is restored.
    var revision: ItemRevision {
        var octets: [UInt8] = []
        octets.reserveCapacity(8 + VaultFormat.tagByteCount)
        octets.appendBigEndian(generation)
        octets.append(contentsOf: metadata.suffix(VaultFormat.tagByteCount))
        return ItemRevision(octets: octets)
    }

    /// The item from its metadata and its row.
    func item(_ metadata: ItemMetadata) -> StoredItem {
        StoredItem(
            key: metadata.key, details: metadata.details, created: metadata.created,
            modified: metadata.modified, valueType: metadata.valueType, revision: revision)
    }
}

// In an extension, so that the initializer of all members stays.
extension ItemRow {
    /// Reads a row that a query has found.
    ///
    /// - Parameter id: the item's id if it is already known; otherwise it is read too.
    init(_ rows: VaultStatement, id: [UInt8]? = nil) throws(StoreError) {
        group = try rows.blob(.itemGroup, count: VaultFormat.groupByteCount, of: "item")
        keyID = try rows.blob(.itemKeyID, count: VaultFormat.keyIDByteCount, of: "item")
        generation = try rows.integer(.itemGeneration, of: "item")
        valueNumber = Int64(clamping: try rows.integer(.itemValueNumber, of: "item"))
        metadata = try rows.blob(
            .itemMetadata, in: VaultFormat.sealedMetadataByteCounts, of: "item")
        valueTag = try rows.blob(.itemValueTag, count: VaultFormat.tagByteCount, of: "item")
        if let id {
            self.id = id
        } else {
            self.id = try rows.blob(.itemID, count: VaultFormat.itemIDByteCount, of: "item")
        }
    }
}

extension VaultConnection {
    /// Looks up an item's sealed value and passes it to `body`, which must open it to prove it.
    ///
    /// - Returns: nil if there is no row of `val`, or if the row has no blob.
    func withSealedValue<R>(
        of row: ItemRow, _ body: (Span<UInt8>) throws(StoreError) -> R
    ) throws(StoreError) -> R? {
        try withRows(of: .value, binding: row.valueNumber) { (rows) throws(StoreError) -> R? in
            try rows.step() ? try rows.withBlob(.only, body) : nil
        }
    }
}
