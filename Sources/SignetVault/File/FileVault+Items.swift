// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension FileVault {
    /// The item with its value; nil when it is absent.
    public func entry(_ key: ItemKey) throws(StoreError) -> StoreEntry? {
        try entry(key, level: options.readLevel)
    }

    /// The item with its value, with as much proof as `level` says.
    public func entry(_ key: ItemKey, level: ReadLevel) throws(StoreError) -> StoreEntry? {
        try naming(key, level) { () throws(StoreError) -> StoreEntry? in
            try read { (reader) throws(StoreError) -> StoreEntry? in try reader.entry(key, level) }
        }
    }

    /// The item without its value; nil when it is absent.
    public func item(_ key: ItemKey) throws(StoreError) -> StoredItem? {
        try item(key, level: options.readLevel)
    }

    /// The item without its value, with as much proof as `level` says.
    public func item(_ key: ItemKey, level: ReadLevel) throws(StoreError) -> StoredItem? {
        try naming(key, level) { () throws(StoreError) -> StoredItem? in
            try read { (reader) throws(StoreError) -> StoredItem? in try reader.item(key, level) }
        }
    }

    /// Writes an item, new or in place of the one that is there, which must be authentic.
    @discardableResult
    public func set(
        _ value: SecretValue, for key: ItemKey, details: ItemDetails?
    ) throws(StoreError) -> ItemRevision {
        try write { (writer) throws(StoreError) -> ItemRevision in
            try writer.put(NewItem(key: key, value: value, details: details))
        }
    }

    /// Writes many items in one transaction: all or none. Of several with the same key, the last one stays.
    public func set(_ items: [NewItem]) throws(StoreError) {
        guard !items.isEmpty else { return }
        try write { (writer) throws(StoreError) -> Void in
            for item in items { _ = try writer.put(item) }
        }
    }

    /// Compare-and-swap. What the item is, is read in the transaction that writes; that it is absent is proved there.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?, ifRevision revision: ItemRevision?
    ) throws(StoreError) -> ItemRevision? {
        let level = options.readLevel
        return try write { (writer) throws(StoreError) -> ItemRevision? in
            try ItemLimits.check(key)
            let id = try writer.session.ring.itemID(for: key)
            let present = try writer.present(key, id)
            if level == .strict {
                try writer.proveBucket(of: id, found: present?.row)
            }
            guard present?.row.revision == revision else {
                throw revision == nil
                    ? StoreError(.alreadyExists, "There is such an item already.")
                    : StoreError(
                        .conflict, "The item was changed or removed since it was read. Read it again.")
            }
            guard let value else {
                if let present { try writer.remove(present) }
                return nil
            }
            return try writer.put(NewItem(key: key, value: value, details: details), id, over: present)
        }
    }

    /// Removes an item. An absent item is success.
    @discardableResult
    public func remove(_ key: ItemKey) throws(StoreError) -> Bool {
        let level = options.readLevel
        return try write { (writer) throws(StoreError) -> Bool in
            try ItemLimits.check(key)
            let id = try writer.session.ring.itemID(for: key)
            guard let present = try writer.present(key, id) else {
                if level != .lazy { try writer.proveBucket(of: id, found: nil) }
                return false
            }
            try writer.remove(present)
            return true
        }
    }

    /// The items of one service, without their values, sorted by class and account.
    public func list(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) throws(StoreError) -> [StoredItem] {
        let match = try ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup)
        return try list(match, options.readLevel)
    }

    /// What is found of the items of one service, in steps by how many those are. **Not proved**:
    /// that none is missing, and that each is the newest one (``ReadLevel/lazy``).
    public func unprovenList(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> [StoredItem] {
        try list(ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup), .lazy)
    }

    /// Every item of this vault, without values, in no order of note.
    public func allItems() throws(StoreError) -> [StoredItem] { try allItems(options.readLevel) }

    /// What is found of all items. **Not proved**: as for
    /// ``unprovenList(service:itemClass:accessGroup:)``.
    public func unprovenItems() throws(StoreError) -> [StoredItem] { try allItems(.lazy) }

    func allItems(_ level: ReadLevel) throws(StoreError) -> [StoredItem] {
        try naming(nil, level) { () throws(StoreError) -> [StoredItem] in
            try read { (reader) throws(StoreError) -> [StoredItem] in try reader.allItems(level) }
        }
    }

    /// Removes the items of one service in one access group, in one transaction. That these are all is proved as for a list.
    @discardableResult
    public func clear(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) throws(StoreError) -> Int {
        let match = try ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup)
        let level = options.readLevel
        return try write { (writer) throws(StoreError) -> Int in try writer.clear(match, level) }
    }

    private func list(_ match: ItemMatch, _ level: ReadLevel) throws(StoreError) -> [StoredItem] {
        try naming(nil, level) { () throws(StoreError) -> [StoredItem] in
            try read { (reader) throws(StoreError) -> [StoredItem] in try reader.list(match, level) }
        }
    }

    /// Says in the error of a strict read which items are damaged: of the bucket of `key`, or of
    /// the vault.
    private func naming<R>(
        _ key: ItemKey?, _ level: ReadLevel, _ body: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.code == .corrupt, level == .strict else { throw error }
            let damage = try? read { (reader) throws(StoreError) -> [String] in try reader.damage(near: key) }
            guard let damage, !damage.isEmpty else { throw error }
            throw StoreError(.corrupt, "\(error.message) Damaged: \(damage.joined(separator: "; ")).")
        }
    }

    /// Changes that this process makes to this vault from now on, through whichever object.
    public func changes() -> AsyncStream<StoreChange> { hub.stream() }
}
