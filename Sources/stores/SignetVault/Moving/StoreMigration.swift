// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Copies or moves the items of a store to another store of any kind: for example from the Secret
/// Service to a vault, or between two vaults.
///
/// ```swift
/// print(try await StoreMigration(from: again, to: other).run())
/// ```
///
/// You can interrupt it at any moment, by an error, a cancellation or a kill, and run it again: it
/// keeps no state, and skips an item that the destination already holds with the same value and
/// details. It reads back and compares everything that it writes. When moving, it removes an item
/// from the source only after reading it back from the destination, and only if the item in the
/// source did not change in the meantime.
///
/// Items keep their times as far as the destination supports that; items that differ only in times
/// count as the same. **Not** done: a snapshot of either store. Each item is as it was when it was
/// read, and another writer's change to the same item in the destination between comparison and
/// write is overwritten.
public struct StoreMigration: Sendable {
    /// The rule for an item that the destination already has with a different value or different
    /// details.
    public enum ConflictPolicy: String, Sendable, CaseIterable {
        /// The destination's item stays.
        case keep
        /// The source's item replaces it.
        case replace
        /// The source's item replaces it if it was modified later; otherwise the destination's
        /// stays.
        case newer
        /// If any item differs, nothing is written and `conflict` is thrown. See
        /// ``StoreMigration/conflicts(progress:)``.
        case refuse
    }

    /// The source. It must be unlocked.
    public let source: any SecureStore
    /// The destination. It must be unlocked.
    public let destination: any SecureStore
    /// The rule for items that differ.
    public var conflictPolicy: ConflictPolicy
    /// Whether to remove an item from the source once the destination holds the same item.
    public var removesFromSource: Bool
    /// The number of items in a transaction of the destination, 1 to 10,000. Large values end a
    /// batch sooner.
    public var batchCount = 100
    /// Selects the items, without their values.
    public var includes: @Sendable (StoredItem) -> Bool = { _ in true }

    /// Makes a migration, which does nothing before it runs.
    public init(
        from source: any SecureStore, to destination: any SecureStore,
        conflictPolicy: ConflictPolicy = .refuse, removesFromSource: Bool = false
    ) {
        self.source = source
        self.destination = destination
        self.conflictPolicy = conflictPolicy
        self.removesFromSource = removesFromSource
    }

    /// The items that exist in the two stores and differ, in order. Writes nothing.
    ///
    /// - Parameter progress: items examined and items in all.
    public func conflicts(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> [ItemKey]
    {
        let items = try await sourceItems()
        var conflicts: [ItemKey] = []
        for (index, item) in items.enumerated() {
            let (from, to) = try await entries(of: item)
            if let from, let to, !to.isSame(as: from) { conflicts.append(item.key) }
            progress?(index + 1, items.count)
        }
        return conflicts
    }

    /// Copies or moves the items.
    ///
    /// - Parameter progress: items done and items in all.
    /// - Throws: `conflict` under ``ConflictPolicy/refuse``, or if the destination does not return
    ///   what was written; `invalidParameter` if items were to be removed from the very store that
    ///   they go to; `cancelled`; the stores' errors. What was written before is whole, and running
    ///   again continues from there.
    public func run(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> MigrationReport
    {
        guard (1...10_000).contains(batchCount) else {
            throw StoreError(
                .invalidParameter, "A batch has 1 to 10,000 items, not \(batchCount).")
        }
        // Under `refuse` everything is read twice, and the first pass is half of the progress: of 5
        // items it counts 1 to 5 of 10, and the second pass 6 to 10.
        let looksFirst = conflictPolicy == .refuse
        if looksFirst {
            let conflicts = try await conflicts { progress?($0, 2 * $1) }
            if let first = conflicts.first { throw Self.refused(conflicts.count, first: first) }
        }
        let items = try await sourceItems()
        let (before, all) = looksFirst ? (items.count, 2 * items.count) : (0, items.count)
        var step = MigrationStep(self)
        for item in items {
            let (from, to) = try await entries(of: item)
            try await step.migrate(from, inDestination: to)
            progress?(before + step.doneCount, all)
        }
        try await step.writeBatch()
        progress?(before + step.doneCount, all)
        return step.report
    }

    static func refused(_ count: Int, first: ItemKey) -> StoreError {
        let others: ErrorMessage = count > 1 ? ", the first of \(count) such items," : ""
        return StoreError(
            .conflict,
            "The item with \(first.inWords)\(others) is in the destination with another value or other details, and stays as it is there. Choose a policy for conflicts."
        )
    }

    /// The source's items in a fixed order, so runs and their reports can be compared.
    private func sourceItems() async throws(StoreError) -> [StoredItem] {
        try await everyItem().filter(includes).sorted { $0.key < $1.key }
    }

    /// An item missing from this list would be lost unnoticed, so a vault proves that its list is
    /// complete, however long.
    private func everyItem() async throws(StoreError) -> [StoredItem] {
        guard let vault = source as? FileVault else { return try await source.allItems() }
        return try await vault.reading { (reader) throws(StoreError) in try reader.allItems(.strict)
        }
    }

    /// Reads an item on both sides. If the item is gone from the source, it is not read from the
    /// destination.
    private func entries(
        of item: StoredItem
    ) async throws(StoreError) -> (from: StoreEntry?, to: StoreEntry?) {
        guard !Task.isCancelled else { throw StoreError.cancelledBeforeStart }
        guard let from = try await source.entry(item.key) else { return (nil, nil) }
        return (from, try await destination.entry(item.key))
    }
}
