// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Moves the items of one store to another, of whatever kind: from the Secret Service to a vault,
/// from one vault to the next.
///
/// ```swift
/// print(try await StoreMigration(from: again, to: other).run())
/// ```
///
/// It may be interrupted at any moment, by an error, a cancellation or a kill, and run again: it
/// keeps no state of its own, because an item that the destination holds with the same value and
/// details is skipped. Everything that is written is read back and compared. If asked to move, it
/// removes an item from the source only after reading it back from the destination, and only if the
/// item in the source did not change meanwhile.
///
/// Times go along with an item that is written, as far as the destination keeps them; items that
/// differ in nothing but times are the same. **Not** done: a snapshot of either store. Each item is
/// as it was when it was read, and what others write to the destination under the same key between
/// its comparison and its writing is overwritten.
public struct StoreMigration: Sendable {
    /// What happens to an item that the destination has already, with another value or other
    /// details.
    public enum ConflictPolicy: String, Sendable, CaseIterable {
        /// The destination's item stays.
        case keep
        /// The source's item takes its place.
        case replace
        /// The source's item takes its place if it was modified later; if at the same time, the
        /// destination's stays.
        case newer
        /// Nothing at all is written if there is any: `conflict` is thrown. See
        /// ``StoreMigration/conflicts(progress:)``.
        case refuse
    }

    /// Where the items come from. It must be unlocked.
    public let source: any SecureStore
    /// Where they go. It must be unlocked.
    public let destination: any SecureStore
    /// What happens to items that differ.
    public var conflictPolicy: ConflictPolicy
    /// Whether items that the destination holds the same are removed from the source.
    public var removesFromSource: Bool
    /// Items in one transaction of the destination, 1 to 10 000; large values make a batch end
    /// sooner.
    public var batchCount = 100
    /// Which items go along; the value is not looked at.
    public var includes: @Sendable (StoredItem) -> Bool = { _ in true }

    /// A migration, which does nothing before it runs.
    public init(
        from source: any SecureStore, to destination: any SecureStore,
        conflictPolicy: ConflictPolicy = .refuse, removesFromSource: Bool = false
    ) {
        self.source = source
        self.destination = destination
        self.conflictPolicy = conflictPolicy
        self.removesFromSource = removesFromSource
    }

    /// The items that both stores have and that differ, in their order. Writes nothing.
    ///
    /// - Parameter progress: items looked at, items in all.
    public func conflicts(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> [ItemKey]
    {
        let items = try await sourceItems()
        var conflicts: [ItemKey] = []
        for (index, item) in items.enumerated() {
            if case (let from?, let to?) = try await entries(of: item), !to.isSame(as: from) {
                conflicts.append(item.key)
            }
            progress?(index + 1, items.count)
        }
        return conflicts
    }

    /// Moves the items.
    ///
    /// - Parameter progress: items done, items in all.
    /// - Throws: `conflict` under ``ConflictPolicy/refuse``, or when the destination does not give
    ///   back what was written; `invalidParameter` when items were to be removed from the very
    ///   store that they go to; `cancelled`; what the stores throw. What was written until then is
    ///   whole, and running again goes on from there.
    public func run(progress: ((Int, Int) -> Void)? = nil) async throws(StoreError)
        -> MigrationReport
    {
        guard (1...10_000).contains(batchCount) else {
            throw StoreError(.invalidParameter, "A batch has 1 to 10 000 items.")
        }
        // Under that policy everything is looked at twice, which is half of the way.
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
            try await step.take(from, to)
            progress?(before + step.doneCount, all)
        }
        try await step.finish()
        progress?(before + step.doneCount, all)
        return step.report
    }

    static func refused(_ count: Int, first: ItemKey) -> StoreError {
        let others = count > 1 ? ", the first of \(count) such items," : ""
        return StoreError(
            .conflict,
            "The item with \(first.inWords)\(others) is in the destination with another value or other details, and stays as it is there. Choose a policy for conflicts."
        )
    }

    /// In a fixed order, so that runs and their reports can be compared.
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

    /// Reads an item on both sides; what the source has no more is not looked for in the
    /// destination.
    private func entries(
        of item: StoredItem
    ) async throws(StoreError) -> (from: StoreEntry?, to: StoreEntry?) {
        guard !Task.isCancelled else { throw StoreError.cancelledBeforeStart }
        guard let from = try await source.entry(item.key) else { return (nil, nil) }
        return (from, try await destination.entry(item.key))
    }
}
