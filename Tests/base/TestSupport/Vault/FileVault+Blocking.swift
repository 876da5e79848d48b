// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetVault

/// For tests that write or read one item hundreds of times: each call is its own transaction, on
/// this thread.
extension FileVault {
    package func entry(_ key: ItemKey, level: ReadLevel? = nil) throws(StoreError) -> StoreEntry? {
        try reading { (reader) throws(StoreError) in try reader.entry(key, level: level) }
    }

    package func item(_ key: ItemKey, level: ReadLevel? = nil) throws(StoreError) -> StoredItem? {
        try reading { (reader) throws(StoreError) in try reader.item(key, level: level) }
    }

    package func list(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> [StoredItem] {
        try reading { (reader) throws(StoreError) in
            try reader.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    package func allItems() throws(StoreError) -> [StoredItem] {
        try reading { (reader) throws(StoreError) in try reader.allItems() }
    }

    @discardableResult
    package func set(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails? = nil
    ) throws(StoreError) -> ItemRevision {
        try writing { (writer) throws(StoreError) in
            try writer.set(value, for: key, details: details)
        }
    }

    @discardableResult
    package func put(_ items: [NewItem]) throws(StoreError) -> [ItemRevision] {
        try writing { (writer) throws(StoreError) in
            try items.map { (item) throws(StoreError) in try writer.put(item) }
        }
    }

    @discardableResult
    package func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails? = nil,
        ifRevision: ItemRevision?
    ) throws(StoreError) -> ItemRevision? {
        try writing { (writer) throws(StoreError) in
            try writer.replace(value, for: key, details: details, ifRevision: ifRevision)
        }
    }

    @discardableResult
    package func remove(_ key: ItemKey) throws(StoreError) -> Bool {
        try writing { (writer) throws(StoreError) in try writer.remove(key) }
    }

    @discardableResult
    package func clear(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> Int {
        try writing { (writer) throws(StoreError) in
            try writer.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }
}
