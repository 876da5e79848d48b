// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting

/// A source with items of several classes, groups and times, and what both sides hold.
enum MigrationFixture {
    static let count = 12

    static func key(_ number: Int) -> ItemKey {
        ItemKey(
            service: "service \(number % 3)", account: "account \(number)",
            itemClass: ItemClass.allCases[number % 5], accessGroup: number % 2 == 0 ? "" : "group")
    }

    static func item(_ number: Int, value: String? = nil, modified: UInt64 = 2000) -> NewItem {
        NewItem(
            key: key(number), value: SecretValue(value ?? "value \(number)"),
            details: ItemDetails(label: "Label \(number)", attributes: ["number": "\(number)"]),
            created: ItemTime(milliseconds: 1000 + UInt64(number)),
            modified: ItemTime(milliseconds: modified)
        )
    }

    static func source() async throws -> InMemoryStore {
        let store = InMemoryStore()
        try await store.put((0..<count).map { item($0) })
        return store
    }

    /// What a store holds, without its revisions.
    struct Content: Hashable, CustomStringConvertible {
        let key: ItemKey
        let details: ItemDetails
        let created: ItemTime
        let modified: ItemTime
        let value: String

        var description: String { "\(key): \(value)" }
    }

    static func contents(of store: some SecureStore) async throws -> Set<Content> {
        var contents = Set<Content>()
        for item in try await store.allItems() {
            contents.insert(
                Content(
                    key: item.key, details: item.details, created: item.created,
                    modified: item.modified,
                    value: try await store.get(item.key)?.string() ?? "absent"))
        }
        return contents
    }
}
