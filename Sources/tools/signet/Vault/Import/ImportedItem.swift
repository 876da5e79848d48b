// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetPlatform
internal import SignetVault

/// An item that a file of another program's gives.
struct ImportedItem: Sendable {
    let key: ItemKey
    let value: SecretValue
    let details: ItemDetails
    /// The first line of the file that it came from.
    let line: Int

    /// - Throws: what of it does not fit into a store, by the line.
    init(
        line: Int, service: String, account: String, value: SecretValue,
        details: ItemDetails = ItemDetails()
    ) throws {
        key = ItemKey(service: service, account: account)
        self.value = value
        self.details = details
        self.line = line
        do { try ItemLimits.check(key: key, value: value, details: details) } catch {
            throw CommandFailure.refused(line: line, because: "\(messageOf: error)")
        }
    }

    /// Whether a store has the value and the note already. The value's type may be another one.
    func isThere(_ entry: StoreEntry) -> Bool {
        entry.value.key == value.key
            && (details.comment.isEmpty || hasNote(of: entry.item.details))
    }

    /// The details to write over those that are there: what the file does not give stays.
    func details(over old: ItemDetails) -> ItemDetails {
        var merged = old
        if !details.label.isEmpty { merged.label = details.label }
        if !details.comment.isEmpty { merged.comment = details.comment }
        merged.attributes.merge(details.attributes) { _, new in new }
        return merged
    }

    private func hasNote(of other: ItemDetails) -> Bool {
        details.comment.utf8.elementsEqual(other.comment.utf8)
    }

    /// The items without repetitions, each with all its notes.
    ///
    /// - Parameter refused: receives the items with the name of an earlier one and another value.
    static func once(
        _ items: [ImportedItem], refused: inout RefusedLines
    ) throws -> [ImportedItem] {
        var first: [ItemKey: ImportedItem] = [:]
        var order: [ItemKey] = []
        for item in items {
            guard let known = first[item.key] else {
                first[item.key] = item
                order.append(item.key)
                continue
            }
            guard known.value == item.value else {
                refused.add(
                    item.line,
                    because:
                        "it has the name of line \(known.line) and another value. Take one of them out."
                )
                continue
            }
            first[item.key] =
                try refused.collecting(item.line) { try known.withNote(of: item) } ?? known
        }
        return order.compactMap { first[$0] }
    }

    /// The item with another one's note below its own.
    private func withNote(of other: ImportedItem) throws -> ImportedItem {
        guard !other.details.comment.isEmpty, !other.hasNote(of: details) else { return self }
        var all = details
        all.comment += (all.comment.isEmpty ? "" : "\n") + other.details.comment
        // The note of this line is what may be too much.
        return try ImportedItem(
            line: other.line, service: key.service, account: key.account, value: value, details: all
        )
    }
}

extension CommandFailure {
    /// The refusal of a file with secrets. It shows nothing of the line, which may be secret.
    static func refused(line: Int, because what: ErrorMessage) -> CommandFailure {
        .refused("malformed", "Line \(line): \(what)", advice: "Nothing was imported.")
    }
}
