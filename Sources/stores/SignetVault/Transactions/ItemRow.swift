// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A row of `item`: types and lengths checked, nothing opened.
struct ItemRow {
    let id: [UInt8]
    let group: [UInt8]
    let keyID: [UInt8]
    let generation: UInt64
    /// The row of `val`.
    let valueNumber: Int64
    let metadata: [UInt8]
    let valueTag: [UInt8]

    /// Reads the columns grp, kid, gen, v, meta, vt, and id if it is not already known.
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

    init(
        id: [UInt8], group: [UInt8], keyID: [UInt8], generation: UInt64, valueNumber: Int64,
        metadata: [UInt8],
        valueTag: [UInt8]
    ) {
        self.id = id
        self.group = group
        self.keyID = keyID
        self.generation = generation
        self.valueNumber = valueNumber
        self.metadata = metadata
        self.valueTag = valueTag
    }

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
            modified: metadata.modified,
            valueType: metadata.valueType, revision: revision)
    }
}
