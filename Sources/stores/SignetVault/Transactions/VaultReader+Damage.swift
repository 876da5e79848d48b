// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetCrypto

extension VaultReader {
    /// The names of the items that are damaged themselves, for the text of an error: at most ten.
    ///
    /// A missing or outdated item cannot be named, because only its row held its name.
    ///
    /// - Parameter key: limits the search to its bucket; nil for all items.
    func damagedItems(inBucketOf key: ItemKey?) throws(StoreError) -> [ErrorMessage] {
        // The ids to search: from `first` on, below `end`.
        var first: [UInt8] = []
        var end = VaultProof.aboveEveryID
        if let key {
            let id = try unlocked.ring.itemID(for: key)
            if let number = VaultFormat.bucket(ofItem: id.span) {
                first = VaultProof.lowestID(inBucket: number)
                end = VaultProof.lowestID(inBucket: number &+ 1)
            }
        }
        var identifiers: [[UInt8]] = []
        try connection.withRows(of: .itemTags, binding: first, end) { (rows) throws(StoreError) in
            while try rows.step() { if let id = rows.blob(.taggedID) { identifiers.append(id) } }
        }
        var names: [ErrorMessage] = []
        for id in identifiers where names.count < 10 {
            if let name = nameIfDamaged(id) { names.append(name) }
        }
        return names
    }

    /// The name of the item of this id, if the item is damaged; nil if it is whole.
    private func nameIfDamaged(_ id: [UInt8]) -> ErrorMessage? {
        var name: ErrorMessage =
            "item \(shown: Array(id.prefix(8)).hexadecimal), whose name cannot be read"
        do throws(StoreError) {
            guard let row = try findRow(id) else { return name }
            name = try unlocked.metadata(of: row, named: nil).key.inWords
            return try unlocked.value(of: row, on: connection) == nil ? name : nil
        } catch {
            return name
        }
    }
}

extension ItemKey {
    /// The names, safe to show.
    package var inWords: ErrorMessage {
        "service '\(shown: service)', account '\(shown: account)'"
    }
}
