// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault
import TestSupport
import Testing

@Suite("A vault in a file")
struct FileVaultTests {
    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    @Test("Every object of a vault sees an item set, replaced or removed")
    func anItemIsThereForEveryObjectAndAfterAnUnlock() throws {
        let vault = try folder.vault()
        #expect(try vault.entry(ItemKey("alice")) == nil)
        let details = ItemDetails(
            label: "Work", comment: "c", attributes: ["url": "https://example.com"])
        try vault.set(SecretValue("hunter2"), for: ItemKey("alice"), details: details)
        let second = try folder.another()
        for vault in [vault, second] {
            let entry = try #require(try vault.entry(ItemKey("alice")))
            #expect(entry.value.text == "hunter2")
            #expect(entry.value.type == .string)
            #expect(entry.item.details == details)
            #expect(try vault.item(ItemKey("alice")) == entry.item)
            #expect(try vault.entry(ItemKey("bob")) == nil)
        }
        #expect(second.id == vault.id)
        try second.set(SecretValue("better"), for: ItemKey("alice"), details: nil)
        let entry = try #require(try vault.entry(ItemKey("alice")))
        #expect(entry.value.text == "better")
        #expect(entry.item.details == details)
        #expect(try vault.remove(ItemKey("alice")))
        #expect(try !second.remove(ItemKey("alice")))
        #expect(try second.entry(ItemKey("alice")) == nil)
        #expect(try second.verify().isClean)
    }

    @Test(
        "Values of all lengths up to 16 MiB come back",
        arguments: [0, 1, 59, 60, 61, 4091, 4092, 4093, 100_000, 16_777_216])
    func valuesOfAllLengthsComeBack(count: Int) throws {
        let vault = try folder.vault()
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = count > 200_000 ? [UInt8](repeating: 7, count: count) : generator.bytes(count)
        try vault.set(SecretValue(bytes: bytes), for: ItemKey("a"), details: nil)
        #expect(try vault.entry(ItemKey("a"))?.value == SecretValue(bytes: bytes))
        #expect(try vault.verify().isClean)
    }

    @Test("Items over a limit are refused, and leave the vault usable")
    func limitsAreRefusedAndLeaveTheVaultUsable() throws {
        let vault = try folder.vault()
        let long = String(repeating: "x", count: 1025)
        for (key, details, value, code) in [
            (
                ItemKey(service: "", account: "a"), ItemDetails(), SecretValue("v"),
                StoreError.Code.invalidItem
            ),
            (ItemKey(service: long, account: "a"), ItemDetails(), SecretValue("v"), .invalidItem),
            (ItemKey(long), ItemDetails(), SecretValue("v"), .invalidItem),
            (ItemKey("a"), ItemDetails(label: long), SecretValue("v"), .invalidItem),
            (
                ItemKey("a"), ItemDetails(),
                SecretValue(bytes: [UInt8](repeating: 0, count: 16_777_217)),
                .tooLarge
            ),
        ] {
            #expect(throws: StoreError(code, "")) {
                try vault.set(value, for: key, details: details)
            }
        }
        #expect(throws: StoreError(.invalidItem, "")) {
            try vault.entry(ItemKey(service: "", account: ""))
        }
        #expect(try vault.allItems().isEmpty)
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        #expect(try vault.verify().isClean)
    }

    @Test("A batch is one transaction, and the last of equal keys stays")
    func batchIsOneTransactionAndTheLastOfEqualKeysStays() throws {
        let vault = try folder.vault()
        try vault.put(
            (0..<500).map { NewItem(key: ItemKey("\($0 % 400)"), value: SecretValue("\($0)")) })
        #expect(try vault.allItems().count == 400)
        #expect(try vault.entry(ItemKey("99"))?.value.text == "499")
        #expect(try vault.entry(ItemKey("100"))?.value.text == "100")
        #expect(throws: StoreError(.invalidItem, "")) {
            try vault.put([
                NewItem(key: ItemKey("new"), value: SecretValue("v")),
                NewItem(key: ItemKey(service: "", account: ""), value: SecretValue("v")),
            ])
        }
        #expect(try vault.entry(ItemKey("new")) == nil)
        let report = try vault.verify()
        #expect(report.isClean)
        #expect(report.itemCount == 400)
        #expect(report.generation == 2)
    }

    @Test("An item's times come from the clock of the options, or from the import")
    func timesAreThoseOfTheOptionsOrOfTheImport() throws {
        let clock = ManualClock(secondsSince1970: 1)
        var options = VaultOptions()
        options.clock = clock.source
        let vault = try folder.vault("vault", options)
        try vault.set(SecretValue("1"), for: ItemKey("a"), details: nil)
        clock.advance(by: .seconds(1))
        try vault.set(SecretValue("2"), for: ItemKey("a"), details: nil)
        let item = try #require(try vault.item(ItemKey("a")))
        #expect(item.created == ItemTime(milliseconds: 1000))
        #expect(item.modified == ItemTime(milliseconds: 2000))
        try vault.put([
            NewItem(
                key: ItemKey("b"), value: SecretValue("b"), created: ItemTime(milliseconds: 5),
                modified: ItemTime(milliseconds: 6))
        ])
        let imported = try #require(try vault.item(ItemKey("b")))
        #expect(imported.created == ItemTime(milliseconds: 5))
        #expect(imported.modified == ItemTime(milliseconds: 6))
    }

    @Test("Compare-and-swap notices every other writer")
    func compareAndSwapNoticesEveryOtherWriter() throws {
        let vault = try folder.vault()
        let second = try folder.another()
        let key = ItemKey("a")
        let first = try #require(
            try vault.replace(SecretValue("1"), for: key, details: nil, ifRevision: nil))
        #expect(throws: StoreError(.alreadyExists, "")) {
            try second.replace(SecretValue("x"), for: key, details: nil, ifRevision: nil)
        }
        let next = try #require(
            try second.replace(SecretValue("2"), for: key, details: nil, ifRevision: first))
        #expect(next != first)
        #expect(throws: StoreError(.conflict, "")) {
            try vault.replace(SecretValue("x"), for: key, details: nil, ifRevision: first)
        }
        #expect(throws: StoreError(.conflict, "")) {
            try vault.replace(nil, for: key, details: nil, ifRevision: first)
        }
        #expect(try vault.item(key)?.revision == next)
        #expect(try vault.replace(nil, for: key, details: nil, ifRevision: next) == nil)
        #expect(throws: StoreError(.conflict, "")) {
            try vault.replace(SecretValue("x"), for: key, details: nil, ifRevision: next)
        }
        #expect(try vault.entry(key) == nil)
    }

    @Test(
        "Lists and removals keep to their service, class and group",
        arguments: [ReadLevel.lazy, .strict])
    func listsAndRemovalsKeepToTheirService(level: ReadLevel) throws {
        let vault = try folder.vault("vault", VaultOptions(level: level))
        let keys = [
            ItemKey(service: "s", account: "b"), ItemKey(service: "s", account: "a"),
            ItemKey(service: "s", account: "a", itemClass: .token),
            ItemKey(service: "s", account: "a", accessGroup: "g"),
            ItemKey(service: "s2", account: "a"),
            ItemKey(service: "S", account: "a"),
        ]
        try vault.put(keys.map { NewItem(key: $0, value: SecretValue("v")) })
        #expect(
            try vault.list(service: "s", itemClass: nil, accessGroup: "").map(\.key) == [
                keys[1], keys[0], keys[2],
            ])
        #expect(
            try vault.list(service: "s", itemClass: .token, accessGroup: "").map(\.key) == [keys[2]]
        )
        #expect(
            try vault.list(service: "s", itemClass: nil, accessGroup: "g").map(\.key) == [keys[3]])
        #expect(try vault.list(service: "none", itemClass: nil, accessGroup: "").isEmpty)
        #expect(throws: StoreError(.emptyMatch, "")) {
            try vault.list(service: "", itemClass: nil, accessGroup: "")
        }
        #expect(throws: StoreError(.emptyMatch, "")) {
            try vault.clear(service: "", itemClass: nil, accessGroup: "")
        }
        #expect(Set(try vault.allItems().map(\.key)) == Set(keys))
        #expect(try vault.clear(service: "s", itemClass: .generic, accessGroup: "") == 2)
        #expect(Set(try vault.allItems().map(\.key)) == Set(keys[2...]))
        #expect(try vault.clear(service: "s", itemClass: nil, accessGroup: "") == 1)
        #expect(try vault.clear(service: "s", itemClass: nil, accessGroup: "") == 0)
        #expect(try vault.allItems().count == 3)
        #expect(try vault.verify().isClean)
    }

    @Test("More than a thousand items are listed and cleared too")
    func moreThanAThousandItemsAreListedAndClearedToo() throws {
        let vault = try folder.vault()
        try vault.put((0..<1200).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("v")) })
        try vault.set(SecretValue("v"), for: ItemKey(service: "other", account: ""), details: nil)
        #expect(
            try vault.list(service: "example.com", itemClass: nil, accessGroup: "").count == 1200)
        #expect(try vault.allItems().count == 1201)
        #expect(try vault.entry(ItemKey("none")) == nil)
        #expect(try vault.clear(service: "example.com", itemClass: nil, accessGroup: "") == 1200)
        #expect(try vault.allItems().map(\.key.service) == ["other"])
        #expect(try vault.verify().isClean)
    }

    @Test("Async calls give the same answers")
    func asyncCallsAnswerTheSame() async throws {
        let vault = try folder.vault()
        let store: any SecureStore = vault
        try await store.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        #expect(try await store.entry(ItemKey("a"))?.value.text == "v")
        #expect(try await store.remove(ItemKey("a")))
        #expect(try await store.isLocked() == false)
    }

    @Test("Changes are heard through every object, and only real ones", .timeLimit(.minutes(20)))
    func changesAreHeardThroughEveryObject() async throws {
        let vault = try folder.vault()
        let second = try folder.another()
        var changes = vault.changes().makeAsyncIterator()
        try await second.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        try await second.remove(ItemKey("none"))
        try await second.remove(ItemKey("a"))
        try await second.clear(service: "example.com", itemClass: nil, accessGroup: "")
        try await second.set(SecretValue("v"), for: ItemKey("b"), details: nil)
        try await second.clear(service: "example.com", itemClass: nil, accessGroup: "")
        try second.lock()
        #expect(await changes.next() == .set(ItemKey("a")))
        #expect(await changes.next() == .removed(ItemKey("a")))
        // A removal that found nothing changed nothing.
        #expect(await changes.next() == .set(ItemKey("b")))
        #expect(await changes.next() == .cleared(service: "example.com", count: 1))
        #expect(await changes.next() == .locked)
    }
}
