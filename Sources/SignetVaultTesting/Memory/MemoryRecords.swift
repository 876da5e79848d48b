// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetVault

/// The items of a store in memory, and the number of the last writing.
struct MemoryRecords {
    private struct Record {
        var value: SecretValue
        var details: ItemDetails
        var created: ItemTime
        var modified: ItemTime
        var writing: UInt64
    }

    private var records: [ItemKey: Record] = [:]
    // Over all items, so that no item gets a number again, removed and added or not.
    private var lastWriting: UInt64 = 0

    func entry(_ key: ItemKey) -> StoreEntry? {
        records[key].map { StoreEntry(item: Self.item(key, $0), value: $0.value) }
    }

    func items(where isWanted: (ItemKey) -> Bool) -> [StoredItem] {
        records.filter { isWanted($0.key) }.map { Self.item($0.key, $0.value) }
    }

    /// Writes all items or, when one is refused, none. What stands behind in the list wins.
    ///
    /// - Returns: the revision of all of them.
    mutating func write(_ items: [NewItem], at now: ItemTime) throws(StoreError) -> ItemRevision {
        let writing = lastWriting &+ 1
        var written: [ItemKey: Record] = [:]
        for item in items {
            let old = written[item.key] ?? records[item.key]
            let details = item.details ?? old?.details ?? ItemDetails()
            try ItemLimits.check(key: item.key, value: item.value, details: details)
            written[item.key] = Record(
                value: item.value, details: details, created: item.created ?? old?.created ?? now,
                modified: item.modified ?? now, writing: writing)
        }
        records.merge(written) { $1 }
        lastWriting = writing
        return Self.revision(writing)
    }

    /// - Returns: whether there was such an item.
    @discardableResult
    mutating func remove(_ key: ItemKey) -> Bool { records.removeValue(forKey: key) != nil }

    /// Checks that an item is at a revision; nil means absent.
    func require(_ revision: ItemRevision?, of key: ItemKey) throws(StoreError) {
        let current = records[key].map { Self.revision($0.writing) }
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

    private static func item(_ key: ItemKey, _ record: Record) -> StoredItem {
        StoredItem(
            key: key, details: record.details, created: record.created, modified: record.modified,
            valueType: record.value.type, revision: revision(record.writing))
    }

    private static func revision(_ writing: UInt64) -> ItemRevision {
        ItemRevision(octets: (0..<8).map { UInt8(truncatingIfNeeded: writing >> (56 - 8 * $0)) })
    }
}

extension ItemKey {
    /// Whether a list or a clearance names it, by octets.
    func isOf(service: String, itemClass: ItemClass?, accessGroup: String) -> Bool {
        self
            == ItemKey(
                service: service, account: account, itemClass: itemClass ?? self.itemClass,
                accessGroup: accessGroup)
    }
}
