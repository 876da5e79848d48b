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

/// Both a type of its own and `Codable`: its own form is taken.
private struct Pin: SecretConvertible, Codable, Equatable {
    let digits: String

    init(digits: String) { self.digits = digits }

    init(secretValue: SecretValue) throws(StoreError) { digits = try secretValue.string() }

    func secretValue() -> SecretValue { SecretValue(digits) }
}

struct ConvenienceTests {
    private let store = InMemoryStore()
    private let key = ItemKey(service: "example.com", account: "alice")

    @Test func textAndBytes() async throws {
        try await store.set("token", for: key)
        #expect(try await store.string(for: key) == "token")
        #expect(try await store.get(key, as: String.self) == "token")
        #expect(try await store.get(key) == SecretValue("token"))
        try await store.set(SecretValue(bytes: [0xff]), for: key)
        #expect(try await store.get(key) == SecretValue(bytes: [0xff]))
        await #expect(throws: StoreError(.invalidValue, "")) { try await store.string(for: key) }
    }

    @Test func codableValues() async throws {
        let settings = Settings(host: "db/1", port: 5432)
        try await store.set(encoding: settings, for: key, details: ItemDetails(label: "L"))
        #expect(try await store.get(key, as: Settings.self) == settings)
        #expect(try await store.item(key)?.valueType == .json)
        let written = try await store.update(key, as: Settings.self) { $0?.port = 5433 }
        #expect(written == Settings(host: "db/1", port: 5433))
        #expect(try await store.get(key, as: Settings.self)?.port == 5433)
        #expect(try await store.item(key)?.details.label == "L")
        try await store.update(key, as: Settings.self) { $0 = nil }
        #expect(try await !store.contains(key))
    }

    @Test func aTypesOwnFormComesBeforeJSON() async throws {
        try await store.set(Pin(digits: "1234"), for: key)
        #expect(try await store.string(for: key) == "1234")
        #expect(try await store.get(key, as: Pin.self) == Pin(digits: "1234"))
    }

    @Test func absentIsNil() async throws {
        #expect(try await store.get(key) == nil)
        #expect(try await store.string(for: key) == nil)
        #expect(try await store.get(key, as: Settings.self) == nil)
        #expect(try await store.key(for: key, bitCount: 256) == nil)
        #expect(try await store.updateDetails(of: key) { $0.label = "x" } == false)
    }

    @Test func addDoesNotReplace() async throws {
        try await store.add("one", for: key)
        await #expect(throws: StoreError(.alreadyExists, "")) { try await store.add("two", for: key) }
        await #expect(throws: StoreError(.alreadyExists, "")) {
            try await store.add(encoding: Settings(host: "h", port: 1), for: key)
        }
        #expect(try await store.string(for: key) == "one")
    }

    @Test func detailsChangeInPlace() async throws {
        try await store.set("one", for: key, details: ItemDetails(label: "L", attributes: ["a": "1"]))
        #expect(try await store.updateDetails(of: key) { $0.attributes["b"] = "2" })
        #expect(try await store.item(key)?.details.attributes == ["a": "1", "b": "2"])
        #expect(try await store.string(for: key) == "one")
    }

    @Test func searchLooksAtOctets() async throws {
        for (account, label, attributes) in [
            ("alice", "Mail, work", ["env": "prod"]), ("alina", "mail", ["env": "test", "x": "y"]),
            ("bob", "\u{e9}t\u{e9}", [:]),
        ] {
            try await store.set(
                "v", for: ItemKey(service: "s", account: account),
                details: ItemDetails(label: label, attributes: attributes))
        }
        func accounts(_ query: ItemQuery) async throws -> [String] {
            try await store.search(service: "s", matching: query).map(\.key.account)
        }
        #expect(try await accounts(ItemQuery()) == ["alice", "alina", "bob"])
        #expect(try await accounts(ItemQuery(accountPrefix: "ali")) == ["alice", "alina"])
        #expect(try await accounts(ItemQuery(labelText: "ail")) == ["alice", "alina"])
        #expect(try await accounts(ItemQuery(labelText: "work")) == ["alice"])
        #expect(try await accounts(ItemQuery(labelText: "\u{e9}t")) == ["bob"])
        #expect(try await accounts(ItemQuery(labelText: "e\u{301}t")) == [])
        #expect(try await accounts(ItemQuery(attributes: ["env": "test"])) == ["alina"])
        #expect(try await accounts(ItemQuery(accountPrefix: "ali", attributes: ["env": "dev"])) == [])
        await #expect(throws: StoreError(.emptyMatch, "")) {
            try await store.search(service: "", matching: ItemQuery())
        }
    }

    @Test func listAndClearWithoutAGroup() async throws {
        try await store.set("v", for: key)
        try await store.set("v", for: key.inAccessGroup("g"))
        #expect(try await store.list(service: "example.com").map(\.key) == [key])
        #expect(try await store.clear(service: "example.com") == 1)
        #expect(try await store.contains(key.inAccessGroup("g")))
    }

    @Test func theSameWithoutAsync() throws {
        let token = ItemKey.token(service: "s", account: "a")
        try store.set("one", for: token, details: ItemDetails(label: "L"))
        #expect(try store.string(for: token) == "one")
        #expect(try store.get(token, as: String.self) == "one")
        #expect(try store.contains(token))
        try store.update(token) { SecretValue((try $0?.string() ?? "") + "!") }
        #expect(try store.get(token) == SecretValue("one!"))
        try store.update(token) { (old) throws(StoreError) in SecretValue((try old?.string() ?? "") + "!") }
        #expect(try store.string(for: token) == "one!!")
        try store.set(encoding: Settings(host: "h", port: 1), for: token)
        try store.update(token, as: Settings.self) { $0?.port += 1 }
        #expect(try store.get(token, as: Settings.self) == Settings(host: "h", port: 2))
        #expect(try store.updateDetails(of: token) { $0.label = "M" })
        #expect(try store.search(service: "s", matching: ItemQuery(labelText: "M")).count == 1)
        #expect(throws: StoreError(.alreadyExists, "")) { try store.add("x", for: token) }
        let made = try store.keyMadeIfAbsent(for: .key(service: "s", name: "k"))
        #expect(try store.key(for: .key(service: "s", name: "k"), bitCount: 256) == made)
        #expect(try store.list(service: "s").count == 2)
        #expect(try store.clear(service: "s", itemClass: .key) == 1)
    }
}
