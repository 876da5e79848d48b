// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetSecretService
import SignetVault

/// What is sealed opens where it was sealed, with the key it was sealed with.
enum Sealing {
    static func tampering() async throws {
        try await Daemon.start()
        let store = try makeStore()
        let (a, b) = (ItemKey(service: "s", account: "a"), ItemKey(service: "s", account: "b"))
        try await store.set(SecretValue("of a"), for: a, details: nil)
        let old = try await Raw.search(["signet:kind": "item"])
        try await store.set(SecretValue("of b"), for: b, details: nil)
        let both = try await Raw.search(["signet:kind": "item"])
        guard let first = old.first, let second = both.first(where: { $0.path != first.path })
        else {
            throw Failed(description: "no items")
        }
        // b's secret in place of a's.
        try await put(second.text, first)
        try await expect(.corrupt) { try await store.entry(a) }
        // Restored: everything works again.
        try await put(first.text, first)
        try checkEqual(try await store.entry(a)?.value, SecretValue("of a"))
        // Every part of the text counts.
        for index in stride(from: 0, to: first.text.count, by: 7) {
            var text = first.text
            text[index] = text[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            try await put(text, first)
            try await expect(.corrupt) { try await store.entry(a) }
        }
        for count in [0, 8, 40, first.text.count - 1, first.text.count - 4] {
            try await put(Array(first.text.prefix(count)), first)
            try await expect(.corrupt) { try await store.entry(a) }
        }
        try await put(first.text, first)
        // The metadata of one write with the value of another, of the same item.
        try await store.set(SecretValue("again"), for: a, details: nil)
        try checkEqual(try await store.entry(a)?.value, SecretValue("again"))
        // An item of another application in this one's place.
        let other = try makeStore(application: "org.example.other")
        try await other.set(SecretValue("other"), for: a, details: nil)
        guard
            let theirs = try await Raw.search([
                "signet:kind": "item", "signet:application": "org.example.other",
            ]).first
        else { throw Failed(description: "no item") }
        try await put(theirs.text, first)
        try await expect(.corrupt) { try await store.entry(a) }
    }

    /// Puts a text in the place of an item's secret.
    private static func put(_ text: [UInt8], _ item: Raw.Item) async throws {
        try await Raw.store(text, item.attributes, schema: "signet.Item")
    }

    static func lostKey() async throws {
        try await Daemon.start()
        let store = try makeStore()
        let key = ItemKey(service: "s", account: "a")
        try await store.set(SecretValue("x"), for: key, details: nil)
        try await Raw.delete(["signet:kind": "key"])
        try await expect(.corrupt) { try await store.entry(key) }
        try await expect(.corrupt) { try await store.set(SecretValue("y"), for: key, details: nil) }
        try await expect(.corrupt) { try await makeStore().entry(key) }
        try checkEqual(try await store.erase(), 1)
        try check(try await store.entry(key) == nil, "not erased")
        try await store.set(SecretValue("y"), for: key, details: nil)
        try checkEqual(try await makeStore().entry(key)?.value, SecretValue("y"))
    }

    static func plainAttributes() async throws {
        try await Daemon.start()
        let plain = try makeStore { $0.plainAttributes = true }
        let key = ItemKey(service: "shop", account: "alice", itemClass: .internet)
        try await plain.set(SecretValue("x"), for: key, details: ItemDetails(label: "My shop"))
        let found = try await Raw.search(["service": "shop", "account": "alice"])
        try checkEqual(found.map(\.label), ["My shop"])
        try checkEqual(found.first?.attributes["class"], "internet")
        try check(
            found.first?.text.starts(with: "signet1:".utf8) == true, "the value is not sealed")
        // The other way of writing replaces it, and the other way round.
        let hashed = try makeStore()
        try checkEqual(try await hashed.entry(key)?.value, SecretValue("x"))
        try await hashed.set(SecretValue("y"), for: key, details: nil)
        try checkEqual(try await Raw.search(["service": "shop"]).count, 0)
        try checkEqual(
            try await Raw.search(["signet:kind": "item"]).map(\.label),
            ["org.example.signet-test: shop"])
        try checkEqual(try await plain.entry(key)?.value, SecretValue("y"))
        try checkEqual(try await plain.entry(key)?.item.details.label, "My shop")
        try await plain.set(SecretValue("z"), for: key, details: nil)
        try checkEqual(try await Raw.search(["signet:kind": "item"]).count, 1)
        try checkEqual(try await hashed.allItems().count, 1)
    }

    static func providedKey() async throws {
        try await Daemon.start()
        let secret = try SecretKey.generate()
        let store = try makeStore { $0.sealingKey = .provided(secret) }
        let key = ItemKey(service: "s", account: "a")
        try check(try await store.entry(key) == nil, "not empty")
        try await store.set(SecretValue("x"), for: key, details: nil)
        try checkEqual(try await store.entry(key)?.value, SecretValue("x"))
        let again = try makeStore { $0.sealingKey = .provided(secret) }
        try checkEqual(try await again.entry(key)?.value, SecretValue("x"))

        let wrongKey = try SecretKey.generate()
        let wrong = try makeStore { $0.sealingKey = .provided(wrongKey) }
        try await expect(.authenticationFailure) { try await wrong.entry(key) }
        try await expect(.authenticationFailure) {
            try await wrong.set(SecretValue("y"), for: key, details: nil)
        }
        try await expect(.authenticationFailure) { try await makeStore().entry(key) }
        try await expect(.invalidParameter) {
            try makeStore { $0.sealingKey = .provided(SecretKey(copying: [1, 2, 3])) }
        }

        let closing = try makeStore {
            $0.sealingKey = .provided(secret)
            $0.locksCollection = false
        }
        try checkEqual(try await closing.entry(key)?.value, SecretValue("x"))
        try await closing.lock()
        try check(try await closing.isLocked(), "not locked")
        try await expect(.locked) { try await closing.entry(key) }
        try await expect(.invalidParameter) { try await closing.unlock() }
        try await closing.unlock(providing: secret)
        try checkEqual(try await closing.entry(key)?.value, SecretValue("x"))
        try checkEqual(try await store.entry(key)?.value, SecretValue("x"))
    }
}
