// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import SignetVaultTesting
import Testing

private struct Settings: Codable, Equatable {
    var host: String
    var port: Int
}

/// Both `Codable` and a type with its own form: its own form is used.
private struct Pin: SecretConvertible, Codable, Equatable {
    let digits: String

    init(digits: String) { self.digits = digits }

    init(secretValue: SecretValue) throws(StoreError) { digits = try secretValue.string() }

    func secretValue() -> SecretValue { SecretValue(digits) }
}

struct ConvenienceTests {
    private let store = InMemoryStore()
    private let key = ItemKey(service: "example.com", account: "alice")

    @Test("Text and bytes come back, and bytes that are not UTF-8 are no text")
    func textAndBytes() async throws {
        try await store.set("token", for: key)
        #expect(try await store.get(key)?.string() == "token")
        #expect(try await store.get(key) == SecretValue("token"))
        try await store.set(SecretValue(bytes: [0xff]), for: key)
        #expect(try await store.get(key) == SecretValue(bytes: [0xff]))
        await #expect(throws: StoreError(.invalidValue, "")) { try await store.get(key)?.string() }
    }

    @Test("Codable values are stored as JSON, read and updated")
    func codableValues() async throws {
        let settings = Settings(host: "db/1", port: 5432)
        try await store.set(
            SecretValue(encoding: settings), for: key, details: ItemDetails(label: "L"))
        #expect(try await store.get(key)?.decoded(as: Settings.self) == settings)
        #expect(try await store.item(key)?.valueType == .json)
        let written = try await store.update(key) { old in
            var settings: Settings? = try old?.decoded()
            settings?.port = 5433
            return try settings.map { try SecretValue(encoding: $0) }
        }
        #expect(try written?.decoded() == Settings(host: "db/1", port: 5433))
        #expect(try await store.get(key)?.decoded(as: Settings.self).port == 5433)
        #expect(try await store.item(key)?.details.label == "L")
    }

    @Test("A type's own form is preferred to JSON")
    func aTypesOwnFormComesBeforeJSON() async throws {
        try await store.set(Pin(digits: "1234"), for: key)
        #expect(try await store.get(key)?.string() == "1234")
        #expect(try await store.get(key).map { try Pin(secretValue: $0) } == Pin(digits: "1234"))
    }

    @Test("An absent item is nil in every form")
    func absentIsNil() async throws {
        #expect(try await store.get(key) == nil)
        #expect(try await store.get(key)?.string() == nil)
        #expect(try await store.get(key)?.decoded(as: Settings.self) == nil)
    }

    @Test("Details stay until others are given")
    func detailsStayUntilOthersAreGiven() async throws {
        try await store.set(
            "one", for: key, details: ItemDetails(label: "L", attributes: ["a": "1"]))
        try await store.set("two", for: key)
        #expect(try await store.item(key)?.details.attributes == ["a": "1"])
        try await store.update(key, details: ItemDetails(label: "M")) { $0 }
        #expect(try await store.item(key)?.details == ItemDetails(label: "M"))
        #expect(try await store.get(key)?.string() == "two")
    }

    @Test("A search compares bytes")
    func searchComparesBytes() async throws {
        for (account, label, attributes) in [
            ("alice", "Mail, work", ["env": "prod"]), ("alina", "mail", ["env": "test", "x": "y"]),
            ("bob", "\u{e9}t\u{e9}", [:]),
        ] {
            try await store.set(
                "v", for: ItemKey(service: "s", account: account),
                details: ItemDetails(label: label, attributes: attributes))
        }
        func accounts(_ query: ItemQuery) async throws -> [String] {
            try await store.list(service: "s").filter(query.matches).map(\.key.account)
        }
        #expect(try await accounts(ItemQuery()) == ["alice", "alina", "bob"])
        #expect(try await accounts(ItemQuery(accountPrefix: "ali")) == ["alice", "alina"])
        #expect(try await accounts(ItemQuery(labelText: "ail")) == ["alice", "alina"])
        #expect(try await accounts(ItemQuery(labelText: "work")) == ["alice"])
        #expect(try await accounts(ItemQuery(labelText: "\u{e9}t")) == ["bob"])
        #expect(try await accounts(ItemQuery(labelText: "e\u{301}t")) == [])
        #expect(try await accounts(ItemQuery(attributes: ["env": "test"])) == ["alina"])
        #expect(
            try await accounts(ItemQuery(accountPrefix: "ali", attributes: ["env": "dev"])) == [])
    }

    @Test("Without a group, listing and clearing leave other groups alone")
    func listAndClearWithoutAGroup() async throws {
        try await store.set("v", for: key)
        try await store.set("v", for: key.inAccessGroup("g"))
        #expect(try await store.list(service: "example.com").map(\.key) == [key])
        #expect(try await store.clear(service: "example.com") == 1)
        #expect(try await store.item(key.inAccessGroup("g")) != nil)
    }
}
