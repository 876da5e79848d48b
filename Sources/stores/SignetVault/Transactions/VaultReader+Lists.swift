// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Lists of items: `try vault.read { try $0.list(service: "imap.example.org") }`.
// A row of the table `item` has the item's names sealed, and its *group*, a keyed hash of service,
// class and access group. The group finds a service's rows quickly and proves nothing.
// For a proof, every row of the vault is read and compared with the sealed *state*: it has the
// number of all items and the *sum* of their elements (``Accumulator``).

extension ItemMatch {
    /// The groups under which matching items are filed: one for each class.
    func groups(_ ring: VaultKeys) throws(StoreError) -> [[UInt8]] {
        var groups: [[UInt8]] = []
        let classes = itemClass.map { [$0] } ?? ItemClass.allCases
        for oneClass in classes {
            groups.append(
                try ring.group(service: service, itemClass: oneClass, accessGroup: accessGroup))
        }
        return groups
    }
}

extension VaultReader {
    /// The items of a service, without their values, sorted by class and account.
    ///
    /// A strict vault proves that no item is missing, which reads every item of the vault.
    ///
    /// - Parameters:
    ///   - service: the items' service.
    ///   - itemClass: nil for all classes.
    ///   - accessGroup: the items' access group.
    /// - Throws: `emptyMatch` for an empty service; `corrupt` with what is damaged, `rolledBack`.
    public func list(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> [StoredItem] {
        try list(
            ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup),
            level: level)
    }

    /// The items of a service that are found, in time that depends on their number. **Not proved**:
    /// that no item is missing, and that each is the newest (``ReadLevel/lazy``).
    public func unprovenList(
        service: String, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> [StoredItem] {
        try list(
            ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup),
            level: .lazy)
    }

    /// Every item of the vault, without values, in no particular order.
    ///
    /// - Throws: the errors of ``list(service:itemClass:accessGroup:)``.
    public func allItems() throws(StoreError) -> [StoredItem] { try allItems(level) }

    /// All items that are found. **Not proved**: that no item is missing, and that each is the
    /// newest (``ReadLevel/lazy``).
    public func unprovenItems() throws(StoreError) -> [StoredItem] { try allItems(.lazy) }

    /// Every item, with as much proof as the level requires.
    func allItems(_ level: ReadLevel) throws(StoreError) -> [StoredItem] {
        try namingDamage(inBucketOf: nil, at: level) { () throws(StoreError) -> [StoredItem] in
            if level == .strict {
                return try provedRows { _ in true }.map { $0.row.item($0.metadata) }
            }
            var items: [StoredItem] = []
            try forEachRow { (row) throws(StoreError) in
                items.append(row.item(try unlocked.metadata(of: row, named: nil)))
            }
            return items
        }
    }

    /// The items that match, sorted, with as much proof as the level requires.
    private func list(_ match: ItemMatch, level: ReadLevel) throws(StoreError) -> [StoredItem] {
        let found = try namingDamage(inBucketOf: nil, at: level) {
            () throws(StoreError) -> [StoredItem] in
            if level == .strict {
                return try provedRows { match.matches($0) }.map { $0.row.item($0.metadata) }
            }
            return try itemsFiled(under: match)
        }
        return found.sorted { $0.key < $1.key }
    }

    /// The items in the groups that match, found by the index: other items cost no time.
    private func itemsFiled(under match: ItemMatch) throws(StoreError) -> [StoredItem] {
        var items: [StoredItem] = []
        for group in try match.groups(unlocked.ring) {
            try connection.withRows(of: .group, binding: group, VaultQuery.unlimited) {
                (rows) throws(StoreError) in
                while try rows.step() {
                    let row = try ItemRow(rows)
                    let item = row.item(try unlocked.metadata(of: row, named: nil))
                    guard match.matches(item.key) else {
                        throw .damaged("item", problem: "it is filed wrongly")
                    }
                    items.append(item)
                }
            }
        }
        return items
    }

    /// Every row of `item`, ascending by id.
    func forEachRow(_ body: (ItemRow) throws(StoreError) -> Void) throws(StoreError) {
        try connection.withRows(of: .items) { (rows) throws(StoreError) in
            while try rows.step() { try body(ItemRow(rows)) }
        }
    }

    /// Opens the metadata of every item, and proves the items' number and sum against the state. So
    /// no item is missing, old or extra.
    ///
    /// - Returns: the rows that `matches` accepts.
    func provedRows(
        _ matches: (ItemKey) -> Bool
    ) throws(StoreError) -> [(row: ItemRow, metadata: ItemMetadata)] {
        let state = try currentState()
        // Each row is taken out of the state's sum and number: nothing may be left.
        var remainingSum = state.items
        var remainingCount = state.count
        var found: [(row: ItemRow, metadata: ItemMetadata)] = []
        try forEachRow { (row) throws(StoreError) in
            let metadata = try unlocked.metadata(of: row, named: nil)
            guard remainingCount > 0 else {
                throw .damaged("item list", problem: "there is one too many")
            }
            remainingCount -= 1
            // Takes the element out: the sum is an XOR.
            remainingSum.toggle(try unlocked.element(of: row))
            if matches(metadata.key) { found.append((row, metadata)) }
        }
        guard remainingCount == 0, remainingSum.isEmpty else {
            throw .damaged("item list", problem: "one is missing, older, or was put back")
        }
        return found
    }
}
