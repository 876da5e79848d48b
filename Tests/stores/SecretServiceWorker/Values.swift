// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetSecretService
import SignetVault

/// Values come back as they were stored.
enum Values {
    static func run(alias: String) async throws {
        try await Daemon.start()
        let store = try makeStore(alias)
        let key = ItemKey(service: "mail.example", account: "alice")
        try check(try await store.entry(key) == nil, "there is something in a new store")
        try check(try await store.item(key) == nil, "there is something in a new store")
        try check(try await !store.remove(key), "something was removed from a new store")
        try check(
            try await store.list(service: "mail.example", itemClass: nil, accessGroup: "").isEmpty,
            "not empty")

        let details = ItemDetails(label: "Post", comment: "für Alice", attributes: ["port": "993"])
        let first = try await store.set(SecretValue("hunter2"), for: key, details: details)
        let entry = try await store.entry(key)
        try checkEqual(entry?.value, SecretValue("hunter2"))
        try checkEqual(entry?.item.details, details)
        try checkEqual(entry?.item.revision, first)
        try checkEqual(try await store.item(key)?.valueType, .string)

        // Replacing keeps the details and the time of making.
        let second = try await store.set(SecretValue("hunter3"), for: key, details: nil)
        try check(first != second, "two writes have one revision")
        let replaced = try await store.entry(key)
        try checkEqual(replaced?.value, SecretValue("hunter3"))
        try checkEqual(replaced?.item.details, details)
        try checkEqual(replaced?.item.created, entry?.item.created)
        try checkEqual(replaced?.item.revision, second)
        try checkEqual(try await store.allItems().count, 1)

        try await sizes(store)
        try await comparing(store)
        try check(try await store.remove(key), "it was not there")
        try check(try await store.entry(key) == nil, "it is still there")
        try check(try await !store.remove(key), "it was removed twice")
        try await nothingReadable()
        _ = try await store.erase()
        try checkEqual(try await Raw.search(["signet:v": "1"]).count, 0)
    }

    private static func sizes(_ store: SecretServiceStore) async throws {
        let all = (0...255).map { UInt8($0) }
        let million = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        for (account, bytes) in [("all", all), ("none", []), ("one", [0]), ("million", million)] {
            let key = ItemKey(service: "sizes", account: account, itemClass: .key)
            try await store.set(SecretValue(bytes: bytes), for: key, details: nil)
            let value = try await store.entry(key)?.value
            try check(value == SecretValue(bytes: bytes), "\(account) came back as something else")
            try checkEqual(value?.type, .bytes)
        }
        // Names of any octets that are UTF-8; composed and decomposed are two.
        for account in [
            "", "\u{e9}", "e\u{301}", "a\u{0}b", "{REF:P@I:0}", String(repeating: "x", count: 1024),
        ] {
            let key = ItemKey(service: "names", account: account, accessGroup: "g")
            try await store.set(
                SecretValue(account), for: key, details: ItemDetails(label: "a\u{0}b"))
            try checkEqual(try await store.entry(key)?.value, SecretValue(account))
        }
        try checkEqual(
            try await store.list(service: "names", itemClass: nil, accessGroup: "g").count, 6)
        try await expect(.invalidItem) {
            try await store.entry(
                ItemKey(service: "s", account: String(repeating: "x", count: 1025)))
        }
        try await expect(.tooLarge) {
            try await store.set(
                SecretValue(bytes: [UInt8](repeating: 1, count: 16_777_217)),
                for: ItemKey(service: "s", account: ""),
                details: nil)
        }
    }

    private static func comparing(_ store: SecretServiceStore) async throws {
        let key = ItemKey(service: "compare", account: "swap")
        let other = ItemKey(service: "compare", account: "other")
        let revision = try await store.replace(
            SecretValue("a"), for: key, details: nil, ifRevision: nil)
        try await expect(.alreadyExists) {
            try await store.replace(SecretValue("b"), for: key, details: nil, ifRevision: nil)
        }
        try await expect(.alreadyExists) {
            try await store.replace(nil, for: key, details: nil, ifRevision: nil)
        }
        let next = try await store.replace(
            SecretValue("b"), for: key, details: nil, ifRevision: revision)
        try await expect(.conflict) {
            try await store.replace(SecretValue("c"), for: key, details: nil, ifRevision: revision)
        }
        try await expect(.conflict) {
            try await store.replace(
                SecretValue("c"), for: other, details: nil, ifRevision: revision)
        }
        try await expect(.conflict) {
            try await store.replace(nil, for: key, details: nil, ifRevision: revision)
        }
        try checkEqual(try await store.entry(key)?.value, SecretValue("b"))
        let gone = try await store.replace(nil, for: key, details: nil, ifRevision: next)
        try check(gone == nil, "a removal has a revision")
        try check(try await store.entry(key) == nil, "it is still there")
        try await expect(.conflict) {
            try await store.replace(nil, for: key, details: nil, ifRevision: next)
        }

        // Eight tasks that add one each: nothing is lost within a process.
        let counter = ItemKey(service: "compare", account: "counter")
        try await store.set(SecretValue("0"), for: counter, details: nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while true {
                        guard let entry = try await store.entry(counter) else {
                            throw Failed(description: "gone")
                        }
                        let number = entry.value.withExposedBytes { bytes in
                            Int(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self))
                                ?? -100
                        }
                        do throws(StoreError) {
                            _ = try await store.replace(
                                SecretValue(String(number + 1)), for: counter, details: nil,
                                ifRevision: entry.item.revision)
                            return
                        } catch {
                            guard error.code == .conflict else { throw error }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try checkEqual(try await store.entry(counter)?.value, SecretValue("8"))
    }

    /// Others see neither names nor values; the label shows application and service, so that a
    /// person who is asked about an item knows which it is.
    private static func nothingReadable() async throws {
        for item in try await Raw.search(["signet:v": "1"]) {
            let texts = item.attributes.map { $0.key + $0.value }
            try check(!item.label.contains("alice"), "an account is readable in \(item.label)")
            for word in ["alice", "mail.example", "hunter", "compare", "counter", "Post"] {
                try check(!texts.contains { $0.contains(word) }, "\(word) is readable in \(texts)")
            }
            try check(item.text.starts(with: "signet1".utf8), "a secret is not sealed")
        }
    }

    static func large() async throws {
        try await Daemon.start()
        let store = try makeStore()
        let bytes = [UInt8](repeating: 0xA5, count: 16_777_216)
        let key = ItemKey(service: "large", account: "16 MiB")
        try await store.set(SecretValue(bytes: bytes), for: key, details: nil)
        try check(
            try await store.entry(key)?.value == SecretValue(bytes: bytes),
            "16 MiB came back as something else")
    }

    static func changes() async throws {
        try await Daemon.start()
        let (one, two) = (try makeStore(), try makeStore())
        var stream = two.changes().makeAsyncIterator()
        let key = ItemKey(service: "s", account: "a")
        try await one.set(SecretValue("x"), for: key, details: nil)
        try await one.remove(key)
        try await one.remove(key)
        try await one.set(SecretValue("x"), for: key, details: nil)
        try await one.clear(service: "s", itemClass: nil, accessGroup: "")
        for expected in [
            StoreChange.set(key), .removed(key), .set(key), .cleared(service: "s", count: 1),
        ] {
            try checkEqual(await stream.next(), expected)
        }
    }
}
