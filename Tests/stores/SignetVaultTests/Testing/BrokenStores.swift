// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetMemory
import SignetVault
import SignetVaultTesting

// Each has one fault against the contract.

final class ReadsErrorsAsAbsence: TransparentStore, @unchecked Sendable {
    override func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        (try? await base.entry(key)) ?? nil
    }
}

final class ComposesNames: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(items.map { $0.named(composed($0.key)) })
    }
    override func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try await base.entry(composed(key))
    }
    private func composed(_ key: ItemKey) -> ItemKey {
        key.account == "\u{e9}" ? ItemKey(service: key.service, account: "\u{e9}") : key
    }
}

final class IgnoresClass: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(items.map { $0.named(plain($0.key)) })
    }
    override func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try await base.entry(plain(key))
    }
    private func plain(_ key: ItemKey) -> ItemKey {
        ItemKey(service: key.service, account: key.account, accessGroup: key.accessGroup)
    }
}

final class DropsTypes: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(
            items.map { $0.holding(SecretValue(bytes: $0.value.withExposedBytes { $0.copied() })) })
    }
}

final class EndsAtNUL: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(
            items.map { item in
                let bytes = item.value.withExposedBytes { $0.copied() }
                return item.holding(
                    SecretValue(bytes: bytes.prefix { $0 != 0 }, type: item.value.type))
            })
    }
}

final class ForgetsDetails: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(
            items.map { item in
                var item = item
                item.details = item.details ?? ItemDetails()
                return item
            })
    }
}

final class ForgetsCreation: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(
            items.map {
                NewItem(key: $0.key, value: $0.value, details: $0.details, modified: $0.modified)
            })
    }
}

final class AddReplaces: TransparentStore, @unchecked Sendable {
    override func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        guard revision == nil, let value else {
            return try await base.replace(value, for: key, details: details, ifRevision: revision)
        }
        return try await base.set(value, for: key, details: details)
    }
}

final class IgnoresRevisions: TransparentStore, @unchecked Sendable {
    override func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        let current = try await base.item(key)?.revision
        return try await base.replace(
            value, for: key, details: details, ifRevision: revision == nil ? nil : current)
    }
}

final class SkipsEqualWrites: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        guard let item = items.first, items.count == 1, let old = try await base.entry(item.key),
            old.value == item.value
        else { return try await base.put(items) }
        return [old.item.revision]
    }
}

final class ListsInAnyOrder: TransparentStore, @unchecked Sendable {
    override func list(service: String, itemClass: ItemClass?, accessGroup: String)
        async throws(StoreError) -> [StoredItem]
    {
        try await base.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
            .reversed()
    }
}

final class ListsWhatBeginsAlike: TransparentStore, @unchecked Sendable {
    override func list(service: String, itemClass: ItemClass?, accessGroup: String)
        async throws(StoreError) -> [StoredItem]
    {
        guard !service.isEmpty else { throw StoreError(.emptyMatch, "") }
        return try await base.allItems().filter {
            $0.key.service.hasPrefix(service) && $0.key.accessGroup == accessGroup
                && (itemClass == nil || $0.key.itemClass == itemClass)
        }.sorted { $0.key < $1.key }
    }
}

final class ClearsEveryClass: TransparentStore, @unchecked Sendable {
    override func clear(service: String, itemClass: ItemClass?, accessGroup: String)
        async throws(StoreError) -> Int
    { try await base.clear(service: service, itemClass: nil, accessGroup: accessGroup) }
}

final class ClearsAllWhenEmpty: TransparentStore, @unchecked Sendable {
    override func clear(service: String, itemClass: ItemClass?, accessGroup: String)
        async throws(StoreError) -> Int
    {
        guard service.isEmpty else {
            return try await base.clear(
                service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
        let items = try await base.allItems()
        for item in items { try await base.remove(item.key) }
        return items.count
    }
}

final class CutsOffLongNames: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(
            items.map { item in
                let key = item.key
                return item.named(
                    ItemKey(
                        service: key.service, account: String(key.account.prefix(1024)),
                        itemClass: key.itemClass, accessGroup: key.accessGroup))
            })
    }
}

final class WritesHalfABatch: TransparentStore, @unchecked Sendable {
    override func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        var revisions: [ItemRevision] = []
        for item in items { revisions += try await base.put([item]) }
        return revisions
    }
}

final class NeverLocks: TransparentStore, @unchecked Sendable {
    override func lock() async throws(StoreError) {}
}

final class SaysAbsentWhenLocked: TransparentStore, @unchecked Sendable {
    override func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        do throws(StoreError) {
            return try await base.item(key)
        } catch {
            guard error.code != .locked else { return nil }
            throw error
        }
    }
}

final class ExcludesNone: TransparentStore, @unchecked Sendable {
    override func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value { try await body() }
}

final class ExcludesAll: TransparentStore, @unchecked Sendable {
    override func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        let all = ItemKey(service: "all", account: "")
        return try await base.withExclusiveAccess(to: all, within: limit, body)
    }
}

/// Reports that others have it, which is no answer to a cancelled task.
final class SaysBusyWhenCancelled: TransparentStore, @unchecked Sendable {
    override func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await base.withExclusiveAccess(to: key, within: limit, body)
        } catch let error as StoreError where error.code == .cancelled {
            throw StoreError(.busy, "")
        }
    }
}

final class SaysBusyAtTheLimit: TransparentStore, @unchecked Sendable {
    override func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await base.withExclusiveAccess(to: key, within: limit, body)
        } catch let error as StoreError where error.code == .timedOut {
            throw StoreError(.busy, "")
        }
    }
}

final class NotesWhoHasAccess: TransparentStore, @unchecked Sendable {
    override func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        let answer = try await base.withExclusiveAccess(to: key, within: limit, body)
        try await base.set("me", for: key)
        return answer
    }
}

final class NeedsAnUnlockForAccess: TransparentStore, @unchecked Sendable {
    override func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        _ = try await base.item(key)
        return try await base.withExclusiveAccess(to: key, within: limit, body)
    }
}

extension NewItem {
    fileprivate func named(_ key: ItemKey) -> NewItem {
        var item = self
        item.key = key
        return item
    }

    fileprivate func holding(_ value: SecretValue) -> NewItem {
        var item = self
        item.value = value
        return item
    }
}
