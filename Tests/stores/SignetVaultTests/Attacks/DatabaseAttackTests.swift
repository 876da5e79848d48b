// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// Pages whose order is broken, rows of other types, indexes that do not fit, missing log files.
@Suite("Databases that make SQLite answer wrongly")
struct DatabaseAttackTests {
    let folder: VaultFolder
    let corrupt = StoreError(.corrupt, "")

    init() throws { folder = try VaultFolder() }

    /// Two items of one bucket, alone on their page.
    private func twoInOneBucket() throws -> [ItemKey] {
        let vault = try folder.vault("vault", VaultOptions(level: .lazy))
        defer { vault.close() }
        var number = 0
        var bucket: String?
        while bucket == nil {
            try vault.put(
                (number..<number + 50).map {
                    NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)"))
                })
            number += 50
            bucket = try folder.text(
                "SELECT substr(hex(id),1,3) FROM item GROUP BY 1 HAVING count(*)=2 LIMIT 1")
        }
        let generations = try #require(
            try folder.text(
                "SELECT group_concat(hex(id)) FROM item WHERE substr(hex(id),1,3)='\(bucket ?? "")'"
            ))
        var kept: [ItemKey] = []
        for item in try vault.allItems() {
            // An item is in the bucket if removing it removes one of the two.
            let count = try folder.number(
                "SELECT count(*) FROM item WHERE instr('\(generations)',hex(id))")
            let value = try #require(try vault.entry(item.key)).value
            try vault.remove(item.key)
            guard
                try folder.number(
                    "SELECT count(*) FROM item WHERE instr('\(generations)',hex(id))") != count
            else { continue }
            try vault.set(value, for: item.key, details: nil)
            kept.append(item.key)
        }
        return kept
    }

    /// Swaps the two cells on the root page of a table.
    private func reverseRows(_ table: String) throws {
        let page = try #require(
            try folder.number("SELECT rootpage FROM sqlite_schema WHERE name='\(table)'"))
        let url = URL(fileURLWithPath: folder.file())
        var file = try Data(contentsOf: url)
        let start = Int(page - 1) * 4096
        // A leaf of an index's tree with two cells.
        try #require(file[start] == 0x0A && file[start + 3] == 0 && file[start + 4] == 2)
        let cells = file[(start + 8)..<(start + 12)]
        file.replaceSubrange((start + 8)..<(start + 12), with: cells.suffix(2) + cells.prefix(2))
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: file)
        try handle.close()
    }

    /// The bucket's rows are all there, in sequence, and SQLite does not find one of them by its
    /// id.
    @Test("A row that a search misses is corrupt, not absent")
    func rowThatSearchingMissesIsNotAbsent() throws {
        let keys = try twoInOneBucket()
        try #require(keys.count == 2)
        try reverseRows("item")
        let vault = try folder.another("vault", VaultOptions(level: .lazy))
        for key in keys {
            for level in [ReadLevel.strict] {
                do throws(StoreError) {
                    let entry = try vault.entry(key, level: level)
                    let item = try vault.item(key, level: level)
                    #expect(entry != nil && item != nil, "\(level)")
                } catch {
                    #expect(error == corrupt)
                }
            }
        }
        #expect(throws: corrupt) {
            for key in keys { _ = try vault.entry(key, level: .strict) }
        }
        vault.close()
        let strict = try FileVault.open(at: folder.file(), options: VaultOptions(level: .strict))
        try strict.unlock(with: VaultFolder.key(1))
        #expect(throws: corrupt) {
            for key in keys {
                try strict.replace(SecretValue("new"), for: key, details: nil, ifRevision: nil)
            }
        }
        #expect(throws: corrupt) { for key in keys { _ = try strict.remove(key) } }
        // Removing the one that is found repairs the page: both are gone, or the call reports that
        // they are not.
        do throws(StoreError) {
            let count = try strict.clear(service: "example.com", itemClass: nil, accessGroup: "")
            let left = try strict.allItems()
            #expect(count == 2 && left.isEmpty)
        } catch {
            #expect(error == corrupt)
        }
    }

    /// Rows that no batch of a rotation reaches, and that name another key forever.
    @Test(
        "A rotation ends with an error on rows that it cannot reach",
        .timeLimit(.minutes(20)),
        arguments: ["'text'", "x''", "substr(id,1,31)"])
    func rotationEndsWhateverTheRows(id: String) throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        try folder.tamper("vault", "INSERT INTO item SELECT \(id),grp,kid,gen,v,meta,vt FROM item")
        #expect(throws: corrupt) { try vault.rotateDataKey() }
        #expect(throws: corrupt) { try vault.rotateDataKey() }
    }

    @Test("A cleared service has no items left, or the call reports corruption")
    func clearingIsVerified() throws {
        let vault = try folder.vault()
        try vault.put((0..<5).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)")) })
        try folder.tamper(
            "vault", "CREATE TABLE kept AS SELECT * FROM item",
            "DELETE FROM item WHERE id=(SELECT max(id) FROM item)")
        #expect(throws: corrupt) {
            try vault.clear(service: "example.com", itemClass: nil, accessGroup: "")
        }
        try folder.tamper(
            "vault", "DELETE FROM item", "INSERT INTO item SELECT * FROM kept", "DROP TABLE kept")
        #expect(try vault.clear(service: "example.com", itemClass: nil, accessGroup: "") == 5)
        #expect(try vault.verify().isClean)
    }

    /// More items than a list proves by itself: an export claims to be complete.
    @Test("An export or migration of 1,001 items fails if one is missing")
    func exportOfManyItemsIsVerified() async throws {
        let vault = try folder.vault()
        try await vault.put(
            (0..<1001).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)")) })
        try folder.tamper("vault", "DELETE FROM item WHERE id=(SELECT max(id) FROM item)")
        let export = VaultExport(from: vault, to: folder.file("export"), with: VaultFolder.key(2))
        await #expect(throws: corrupt) { try await export.run() }
        #expect(!FileManager.default.fileExists(atPath: folder.file("export")))
        let other = try folder.vault("other")
        let migration = StoreMigration(from: vault, to: other)
        await #expect(throws: corrupt) { try await migration.run() }
    }

    /// What is written to an unlinked log is lost with the process.
    @Test("A write without its log file fails", arguments: ["-wal", "-shm"])
    func writeWithoutItsLogIsNoWrite(suffix: String) throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        try FileManager.default.removeItem(atPath: folder.file() + suffix)
        #expect(throws: StoreError(.unavailable, "")) {
            try vault.set(SecretValue("w"), for: ItemKey("a"), details: nil)
        }
    }

    /// The object knows the generation that it saw.
    @Test("An open vault notices that an older state was put back")
    func openVaultNoticesAnOlderState() throws {
        let anchor = FileAnchor(path: folder.file("anchor"))
        var options = VaultOptions()
        options.anchor = anchor
        let vault = try folder.vault("vault", options)
        try vault.set(SecretValue("old"), for: ItemKey("a"), details: nil)
        let tables = ["item", "val", "bucket", "state", "head", "slot", "ring"]
        for table in tables {
            try folder.tamper("vault", "CREATE TABLE old_\(table) AS SELECT * FROM \(table)")
        }
        try vault.set(SecretValue("new"), for: ItemKey("a"), details: nil)
        try vault.set(SecretValue("newer"), for: ItemKey("a"), details: nil)
        _ = try vault.allItems()
        for table in tables {
            try folder.tamper(
                "vault", "DELETE FROM \(table)", "INSERT INTO \(table) SELECT * FROM old_\(table)",
                "DROP TABLE old_\(table)")
        }
        let rolledBack = StoreError(.rolledBack, "")
        #expect(throws: rolledBack) { try vault.allItems() }
        #expect(throws: rolledBack) { try vault.entry(ItemKey("a"), level: .strict) }
        // Three writes would pass what the anchor has noted, and no one would ever know.
        for _ in 0..<3 {
            #expect(throws: rolledBack) {
                try vault.set(SecretValue("x"), for: ItemKey("b"), details: nil)
            }
        }
        #expect(throws: rolledBack) { try folder.another("vault", options) }
    }

    /// An anchor whose failure looks like a lost race: the write took place, and must not be
    /// repeated.
    @Test("An update whose anchor fails is not repeated")
    func failingAnchorRepeatsNoUpdate() async throws {
        let vault = try folder.vault()
        let counter = ItemKey("counter")
        try await vault.set(SecretValue("0"), for: counter, details: nil)
        var options = VaultOptions()
        options.anchor = ConflictingAnchor()
        let other = try FileVault.open(at: folder.file(), options: options)
        try other.unlock(with: VaultFolder.key(1))
        await #expect(throws: StoreError(.unavailable, "")) {
            try await other.update(counter) { old in
                SecretValue("\((Int(old?.text ?? "") ?? 0) + 1)")
            }
        }
        #expect(try await vault.entry(counter)?.value.text == "1")
    }
}

/// Notes nothing, with an error that a store uses for something else.
private final class ConflictingAnchor: RollbackAnchor {
    func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64? { nil }

    func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        guard generation <= 2 else { throw StoreError(.conflict, "Somebody else notes.") }
    }
}
