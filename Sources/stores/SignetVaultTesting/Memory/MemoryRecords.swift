// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// The items of a store in memory, and the number of the last write.
struct MemoryRecords {
    private var records: [ItemKey: StoreEntry] = [:]
    // Counted over all items, so no item gets the same number twice, even if it is removed and
    // added again.
    private var lastWriting: UInt64 = 0

    func entry(_ key: ItemKey) -> StoreEntry? { records[key] }

    func items(where isWanted: (ItemKey) -> Bool) -> [StoredItem] {
        records.values.map(\.item).filter { isWanted($0.key) }
    }

    /// Writes all items or, if an item is refused, none. If a key occurs twice, the later item
    /// wins.
    ///
    /// - Returns: the revision that all items get.
    mutating func write(_ items: [NewItem], at now: ItemTime) throws(StoreError) -> ItemRevision {
        let writing = lastWriting &+ 1
        let revision = ItemRevision(
            octets: (0..<8).map { UInt8(truncatingIfNeeded: writing >> (56 - 8 * $0)) })
        var written: [ItemKey: StoreEntry] = [:]
        for new in items {
            let old = (written[new.key] ?? records[new.key])?.item
            let details = new.details ?? old?.details ?? ItemDetails()
            try ItemLimits.check(key: new.key, value: new.value, details: details)
            let item = StoredItem(
                key: new.key, details: details, created: new.created ?? old?.created ?? now,
                modified: new.modified ?? now, valueType: new.value.type, revision: revision)
            written[new.key] = StoreEntry(item: item, value: new.value)
        }
        records.merge(written) { $1 }
        lastWriting = writing
        return revision
    }

    /// Removes an item.
    ///
    /// - Returns: whether the item existed.
    @discardableResult
    mutating func remove(_ key: ItemKey) -> Bool { records.removeValue(forKey: key) != nil }

    /// Checks that an item is at a revision; nil means absent.
    func require(_ revision: ItemRevision?, of key: ItemKey) throws(StoreError) {
        let current = records[key]?.item.revision
        guard current != revision else { return }
        guard revision != nil else {
            throw StoreError(.alreadyExists, "There is such an item already.")
        }
        throw StoreError(
            .conflict,
            current == nil
                ? "The item was removed since it was read."
                : "The item was written since it was read.")
    }
}
