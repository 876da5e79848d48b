// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault

/// Two sealing keys, as two programs make them at the same moment; another program then deletes
/// one.
enum LostKeys {
    private static let first = ItemKey(service: "one", account: "a")
    private static let second = ItemKey(service: "two", account: "b")
    private static let absent = ItemKey(service: "three", account: "c")

    static func run() async throws {
        try await Daemon.start()
        let (firstKey, secondKey) = try await makeTwoKeys()
        let store = try makeStore()
        try await isWhole(store)
        try await isWhole(makeStore())
        // Whichever of the two writes.
        for (lost, isFirst) in [(firstKey, true), (secondKey, false)] {
            let (lostItem, keptItem) = isFirst ? (first, second) : (second, first)
            try await Raw.delete(lost.attributes)
            // What it sealed is still there.
            try checkEqual(try await Raw.search(["signet:kind": "key"]).count, 1)
            try checkEqual(try await Raw.search(["signet:kind": "item"]).count, 2)
            for store in [store, try makeStore()] { try await isDamaged(store, lostItem, keptItem) }
            // Nothing was written or removed, and once the key is back everything works.
            try await put(lost)
            try await isWhole(store)
        }
        try await Raw.delete(firstKey.attributes)
        try checkEqual(try await store.erase(), 2)
        try await isEmpty(store)
        try await isEmpty(makeStore())
        try await store.set(SecretValue("new"), for: first, details: nil)
        try checkEqual(try await makeStore().entry(first)?.value, SecretValue("new"))
        try check(try await store.entry(absent) == nil, "not absent")
        try checkEqual(try await Raw.search(["signet:kind": "key"]).count, 1)
    }

    /// An item whose attribute names another key than the one that sealed it, or none.
    static func renamed() async throws {
        try await Daemon.start()
        let store = try makeStore()
        try await store.set(SecretValue("x"), for: first, details: nil)
        guard let item = try await Raw.search(["signet:kind": "item"]).first else {
            throw Failed(description: "no item")
        }
        let names = try await Raw.search(["signet:kind": "key"]).map { $0.attributes["signet:key"] }
        try checkEqual(names, [item.attributes["signet:key"]])
        for name in [nil, "", "00112233445566778899aabbccddeeff"] as [String?] {
            try await Raw.delete(["signet:kind": "item"])
            var attributes = item.attributes
            attributes["signet:key"] = name
            try await Raw.store(item.text, attributes, schema: "signet.Item")
            try await expect(.corrupt) { try await store.entry(first) }
            try await expect(.corrupt) { try await store.allItems() }
            try await expect(.corrupt) { try await store.entry(second) }
            try await expect(.corrupt) {
                try await store.set(SecretValue("y"), for: second, details: nil)
            }
        }
        try check(try await store.remove(first), "it names the item")
        try await isEmpty(store)
    }

    private static func makeTwoKeys() async throws -> (Raw.Item, Raw.Item) {
        try await makeStore().set(SecretValue("1"), for: first, details: nil)
        let before = try await Raw.search(["signet:v": "1"])
        try checkEqual(before.count, 2)
        try await Raw.delete(["signet:v": "1"])
        try await makeStore().set(SecretValue("2"), for: second, details: nil)
        let secondKey = try await Raw.search(["signet:kind": "key"]).first
        for item in before { try await put(item) }
        let firstKey = before.first { $0.attributes["signet:kind"] == "key" }
        guard let firstKey, let secondKey else { throw Failed(description: "no keys") }
        try check(
            firstKey.attributes["signet:key"] != secondKey.attributes["signet:key"], "one key")
        return (firstKey, secondKey)
    }

    private static func put(_ item: Raw.Item) async throws {
        try await Raw.store(item.text, item.attributes, label: item.label, schema: "signet.Item")
    }

    private static func isWhole(_ store: SecretServiceStore) async throws {
        try checkEqual(try await store.entry(first)?.value, SecretValue("1"))
        try checkEqual(try await store.entry(second)?.value, SecretValue("2"))
        try check(try await store.entry(absent) == nil, "not absent")
        try check(try await store.item(absent) == nil, "not absent")
        try check(try await !store.remove(absent), "not absent")
        try checkEqual(try await store.allItems().map(\.key).sorted(), [first, second])
        for key in [first, second] {
            try checkEqual(
                try await store.list(service: key.service, itemClass: nil, accessGroup: "").map(
                    \.key), [key])
        }
        try checkEqual(
            try await store.list(service: "three", itemClass: nil, accessGroup: "").count, 0)
        try checkEqual(try await store.clear(service: "three", itemClass: nil, accessGroup: ""), 0)
    }

    private static func isDamaged(_ store: SecretServiceStore, _ lost: ItemKey, _ kept: ItemKey)
        async throws
    {
        let value = SecretValue("y")
        // What is found is found.
        let entry = try await store.entry(kept)
        try checkEqual(entry?.value, SecretValue(kept == first ? "1" : "2"))
        for key in [lost, absent] {
            try await expect(.corrupt) { try await store.entry(key) }
            try await expect(.corrupt) { try await store.item(key) }
            try await expect(.corrupt) { try await store.set(value, for: key, details: nil) }
            try await expect(.corrupt) {
                try await store.set(value, for: key, details: ItemDetails(label: "new"))
            }
            try await expect(.corrupt) {
                try await store.put([NewItem(key: key, value: value, details: nil)])
            }
            try await expect(.corrupt) {
                try await store.replace(value, for: key, details: nil, ifRevision: nil)
            }
            try await expect(.corrupt) {
                try await store.replace(nil, for: key, details: nil, ifRevision: nil)
            }
            for replacement in [value, nil] {
                try await expect(.corrupt) {
                    try await store.replace(
                        replacement, for: key, details: nil, ifRevision: entry?.item.revision)
                }
            }
            try await expect(.corrupt) { try await store.remove(key) }
        }
        for service in ["one", "two", "three"] {
            try await expect(.corrupt) {
                try await store.list(service: service, itemClass: nil, accessGroup: "")
            }
            try await expect(.corrupt) {
                try await store.clear(service: service, itemClass: nil, accessGroup: "")
            }
        }
        try await expect(.corrupt) { try await store.allItems() }
    }

    private static func isEmpty(_ store: SecretServiceStore) async throws {
        for key in [first, second] { try check(try await store.entry(key) == nil, "not erased") }
        try checkEqual(try await store.allItems().count, 0)
        try checkEqual(
            try await store.list(service: "one", itemClass: nil, accessGroup: "").count, 0)
        try check(try await !store.remove(first), "not erased")
    }
}
