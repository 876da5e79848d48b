// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault

/// Lists and clearances touch what is theirs.
enum Listing {
    static func run() async throws {
        try await Daemon.start()
        // Others' items, one of them with the same names as ours.
        try await Raw.store(
            Array("theirs".utf8), ["app": "other", "service": "shop", "account": "bob"])
        try await Raw.store(
            Array("theirs".utf8), ["app": "other", "signet:application": "org.example.signet-test"])
        try await Raw.store(Array("memory".utf8), ["app": "other"], alias: "session")
        let foreign = try await Raw.search(["app": "other"])
        try checkEqual(foreign.count, 3)

        let store = try makeStore()
        let other = try makeStore(application: "org.example.other")
        let inMemory = try makeStore("session")
        for (number, account) in ["carol", "bob", "alice"].enumerated() {
            let key = ItemKey(service: "shop", account: account)
            try await store.set(
                SecretValue("\(number)"), for: key, details: ItemDetails(label: account))
            try await other.set(SecretValue("other"), for: key, details: nil)
            try await inMemory.set(SecretValue("memory"), for: key, details: nil)
        }
        try await store.set(
            SecretValue("t"), for: ItemKey(service: "shop", account: "alice", itemClass: .token),
            details: nil
        )
        try await store.set(
            SecretValue("g"), for: ItemKey(service: "shop", account: "alice", accessGroup: "g"),
            details: nil)
        try await store.set(
            SecretValue("s"), for: ItemKey(service: "shop2", account: "alice"), details: nil)

        let all = try await store.list(service: "shop", itemClass: nil, accessGroup: "")
        try checkEqual(
            all.map { "\($0.key.itemClass)/\($0.key.account)" },
            ["generic/alice", "generic/bob", "generic/carol", "token/alice"])
        try checkEqual(all.map(\.details.label), ["alice", "bob", "carol", ""])
        let generic = try await store.list(service: "shop", itemClass: .generic, accessGroup: "")
        try checkEqual(generic.count, 3)
        try checkEqual(
            try await store.list(service: "shop", itemClass: nil, accessGroup: "g").count, 1)
        try checkEqual(
            try await store.list(service: "none", itemClass: nil, accessGroup: "").count, 0)
        try checkEqual(try await store.allItems().count, 6)
        try checkEqual(try await other.allItems().count, 3)

        try await expect(.emptyMatch) {
            try await store.clear(service: "", itemClass: nil, accessGroup: "")
        }
        try await expect(.emptyMatch) {
            try await store.list(service: "", itemClass: nil, accessGroup: "")
        }
        try checkEqual(
            try await store.clear(service: "shop", itemClass: .token, accessGroup: ""), 1)
        try checkEqual(try await store.clear(service: "shop", itemClass: nil, accessGroup: ""), 3)
        try checkEqual(try await store.clear(service: "shop", itemClass: nil, accessGroup: ""), 0)
        try checkEqual(try await store.allItems().count, 2)
        try checkEqual(try await other.allItems().count, 3)
        try checkEqual(try await inMemory.allItems().count, 3)
        try checkEqual(try await store.erase(), 2)
        try checkEqual(try await other.allItems().count, 3)
        try checkEqual(try await inMemory.allItems().count, 3)
        try checkEqual(
            try await Raw.search(["app": "other"]), foreign, "foreign items were touched:")
    }

    /// Items that claim to be ours and do not open are damage, and `clear` does not remove them.
    static func imitations() async throws {
        try await Daemon.start()
        let store = try makeStore()
        let key = ItemKey(service: "shop", account: "alice")
        try await store.set(SecretValue("mine"), for: key, details: nil)
        guard let mine = try await Raw.search(["signet:kind": "item"]).first else {
            throw Failed(description: "none")
        }
        var attributes = mine.attributes
        attributes["app"] = "imitation"
        for text in ["", "signet1:", "signet1:AAAA", "plain text", "signet1:\u{e4}"] {
            try await Raw.store(Array(text.utf8), attributes)
            for call in [
                { _ = try await store.entry(key) }, { _ = try await store.item(key) },
                { _ = try await store.set(SecretValue("x"), for: key, details: nil) },
                { _ = try await store.list(service: "shop", itemClass: nil, accessGroup: "") },
                { _ = try await store.allItems() },
                { _ = try await store.clear(service: "shop", itemClass: nil, accessGroup: "") },
            ] as [() async throws -> Void] {
                try await expect(.corrupt, call)
            }
            try checkEqual(try await Raw.search(["app": "imitation"]).count, 1)
        }
        try check(try await store.remove(key), "remove names the item and needs not open it")
        try check(try await store.entry(key) == nil, "something stayed")
    }
}
