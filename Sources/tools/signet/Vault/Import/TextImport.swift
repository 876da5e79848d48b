// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetVault

/// Writes the items of another program's file into a store.
struct TextImport: Sendable {
    let items: [ImportedItem]
    /// Whether an item that is there with another value or note is replaced.
    let replaces: Bool

    /// Writes nothing if an item would be replaced that may not be. An item with the same value
    /// and note stays as it is, so an interrupted import can be run again.
    ///
    /// - Parameter progress: items done and items in all.
    func run(
        into store: any SecureStore, progress: (Int, Int) -> Void
    ) async throws -> MovedItems {
        var found: [ItemKey: StoreEntry] = [:]
        for item in items { found[item.key] = try await store.entry(item.key) }
        let differing = items.filter { item in
            found[item.key].map { !item.isThere($0) } ?? false
        }
        if let first = differing.first, !replaces {
            let more: ErrorMessage =
                differing.count > 1 ? ", the first of \(differing.count) such items," : ""
            throw CommandFailure.refused(
                StoreError.Code.conflict.rawValue,
                "The item of line \(first.line)\(more) is there with another value or note.",
                advice: "Nothing was imported. To replace what is there: --force")
        }
        var added = 0
        var replaced = 0
        for (index, item) in items.enumerated() {
            let old = found[item.key]
            if !(old.map(item.isThere) ?? false) {
                do {
                    // Refused if another writer came in between.
                    _ = try await store.replace(
                        item.value, for: item.key,
                        details: old.map { item.details(over: $0.item.details) } ?? item.details,
                        ifRevision: old?.item.revision)
                } catch {
                    throw raced(error, after: index)
                }
                if old == nil { added += 1 } else { replaced += 1 }
            }
            progress(index + 1, items.count)
        }
        let others = items.count - added - replaced
        return MovedItems(
            total: items.count,
            counts: [
                MovedItems.Count(name: "added", words: "added", count: added),
                MovedItems.Count(name: "replaced", words: "replaced", count: replaced),
                MovedItems.Count(name: "alreadyThere", words: "there already", count: others),
            ])
    }

    /// The failure of writing an item; by its line, if another program wrote it meanwhile.
    private func raced(_ error: any Error, after count: Int) -> any Error {
        guard let error = error as? StoreError, items.indices.contains(count),
            [.conflict, .alreadyExists].contains(error.code)
        else { return error }
        return CommandFailure.refused(
            error.code.rawValue,
            """
            Another program wrote the item of line \(items[count].line) meanwhile. Done before it: \
            \(count) of \(items.count) items.
            """,
            advice: "Look at that item, and run the same command again.")
    }
}
