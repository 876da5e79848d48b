// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension StoreEntry {
    /// Whether the entries hold the same secret and details. Times and revisions differ between
    /// stores.
    func isSame(as other: StoreEntry) -> Bool {
        item.details == other.item.details && value == other.value
    }
}

/// A migration in progress, which copies or moves items from a source to a destination:
///
///     var step = MigrationStep(migration)
///     try await step.migrate(entry, inDestination: nil)   // for each item
///     try await step.writeBatch()                         // the rest
///     step.report                                         // such as: 1 item added
///
/// Items are gathered in a batch, which the destination writes at once. Each item is counted in the
/// report once it needs nothing more.
struct MigrationStep {
    private(set) var report = MigrationReport()
    private let migration: StoreMigration
    /// The items to write, and whether the destination does not have each yet.
    private var batch: [(entry: StoreEntry, isNew: Bool)] = []
    private var batchByteCount = 0
    /// Whether source and destination are known to be different stores.
    private var areTwoStores = false

    init(_ migration: StoreMigration) { self.migration = migration }

    /// The number of items that need nothing more.
    var doneCount: Int { report.total }

    /// Handles an item, at once or with a batch.
    ///
    /// - Parameters:
    ///   - entry: the item in the source; nil if it is gone.
    ///   - existing: the item in the destination; nil if there is none.
    mutating func migrate(_ entry: StoreEntry?, inDestination existing: StoreEntry?)
        async throws(StoreError)
    {
        guard let entry else {
            report.vanished += 1
            return
        }
        guard let existing else { return try await addToBatch(entry, isNew: true) }
        if existing.isSame(as: entry) {
            if migration.removesFromSource {
                try await requireTwoStores(entry, inDestination: existing)
                try await removeFromSource(entry)
            }
            report.alreadyThere += 1
        } else if try wins(entry, over: existing) {
            try await addToBatch(entry, isNew: false)
        } else {
            report.kept += 1
        }
    }

    /// Writes the items of the batch, and reads each back before it counts.
    mutating func writeBatch() async throws(StoreError) {
        guard !batch.isEmpty else { return }
        try await migration.destination.put(batch.map { NewItem($0.entry) })
        for (entry, isNew) in batch {
            try await requireInDestination(entry)
            if migration.removesFromSource { try await removeFromSource(entry) }
            if isNew { report.added += 1 } else { report.replaced += 1 }
        }
        batch = []
        batchByteCount = 0
    }

    /// Whether the source's item replaces the destination's, which differs.
    private func wins(_ entry: StoreEntry, over existing: StoreEntry) throws(StoreError) -> Bool {
        switch migration.conflictPolicy {
        case .keep: false
        case .replace: true
        case .newer: entry.item.modified > existing.item.modified
        // The first check did not find this: another writer uses the destination.
        case .refuse: throw StoreMigration.refused(1, first: entry.item.key)
        }
    }

    /// The bytes of values at which a batch is written: some megabytes in memory, whatever the
    /// values are.
    private static let batchByteCount = 4 << 20

    private mutating func addToBatch(
        _ entry: StoreEntry, isNew: Bool
    ) async throws(StoreError) {
        batch.append((entry, isNew))
        batchByteCount += entry.value.byteCount
        if batch.count >= migration.batchCount || batchByteCount >= Self.batchByteCount {
            try await writeBatch()
        }
    }

    /// Reads an item back from the destination.
    private func requireInDestination(_ entry: StoreEntry) async throws(StoreError) {
        let found = try await migration.destination.entry(entry.item.key)
        guard let found, found.isSame(as: entry) else {
            throw StoreError(
                .conflict,
                "The destination does not give back what was just written to it: another program writes there, or it does not keep what it accepts. The source keeps the item."
            )
        }
    }

    /// Removes an item that the destination was just seen to hold, unless the item in the source
    /// was written since it was read.
    private mutating func removeFromSource(_ entry: StoreEntry) async throws(StoreError) {
        do {
            try await migration.source.replace(
                nil, for: entry.item.key, details: nil, ifRevision: entry.item.revision)
            // The destination was written after this item was read, and the item here did not
            // change.
            areTwoStores = true
            report.removedFromSource += 1
        } catch {
            guard error.code == .conflict else { throw error }
            report.changedInSource += 1
        }
    }

    /// Two objects may be one store (the same file opened twice), in which a removal would lose the
    /// item. To find out, an item that the two hold alike is written once more to the destination:
    /// it must keep its revision in the source.
    private mutating func requireTwoStores(
        _ entry: StoreEntry, inDestination existing: StoreEntry
    ) async throws(StoreError) {
        guard !areTwoStores else { return }
        try await migration.destination.replace(
            existing.value, for: existing.item.key, details: nil,
            ifRevision: existing.item.revision)
        let now = try await migration.source.item(entry.item.key)
        guard let now, now.revision == entry.item.revision else {
            throw StoreError(
                .invalidParameter,
                "Source and destination are the same store, or another program writes to the source: nothing was removed."
            )
        }
        areTwoStores = true
    }
}

extension NewItem {
    /// An item as a store has it, including its times.
    package init(_ entry: StoreEntry) {
        self.init(
            key: entry.item.key, value: entry.value, details: entry.item.details,
            created: entry.item.created, modified: entry.item.modified)
    }
}
