// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetVault
import SignetVaultTesting
import TestSupport
import Testing

/// One damaged byte, or one lost row, against each call that writes (review V5): what is "kept" can
/// be read, and what cannot be kept is refused.
@Suite("Writes beside damage") struct DamagedWriteTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let sql: String
        /// Whether writing the victim again is possible, and mends it.
        var mends = false
        /// Whether there is a row of the victim to remove.
        var isThere = true
        /// Whether its absence is proved after that.
        var provesAbsence = false

        var testDescription: String { name }
    }

    private static let victim = "WHERE gen=(SELECT max(gen) FROM item)"
    private static let victimsValue = "WHERE v=(SELECT v FROM item \(victim))"
    private static let victimsBucket = "WHERE substr(b,1,8)=(SELECT max(substr(b,1,8)) FROM bucket)"

    private static func flip(_ column: String, at place: String, _ table: String, _ rows: String)
        -> String
    {
        "UPDATE \(table) SET \(column)=CAST(substr(\(column),1,\(place)-1)"
            + "||CASE substr(\(column),\(place),1) WHEN x'00' THEN x'01' ELSE x'00' END"
            + "||substr(\(column),\(place)+1) AS BLOB) \(rows)"
    }

    static let table: [Damage] = [
        Damage(name: "item, lost", sql: "DELETE FROM item \(victim)", isThere: false),
        Damage(name: "item, generation", sql: "UPDATE item SET gen=gen-1 \(victim)"),
        Damage(
            name: "item, metadata", sql: flip("meta", at: "60", "item", victim),
            provesAbsence: true),
        Damage(name: "item, tag", sql: flip("meta", at: "length(meta)", "item", victim)),
        Damage(name: "item, tag of the value", sql: flip("vt", at: "3", "item", victim)),
        Damage(name: "item, key", sql: flip("kid", at: "3", "item", victim), provesAbsence: true),
        Damage(name: "bucket, sum", sql: flip("b", at: "40", "bucket", victimsBucket)),
        Damage(name: "bucket, code", sql: flip("b", at: "80", "bucket", victimsBucket)),
        Damage(name: "bucket, lost", sql: "DELETE FROM bucket \(victimsBucket)"),
        Damage(
            name: "value", sql: flip("b", at: "60", "val", victimsValue), mends: true,
            provesAbsence: true),
        Damage(
            name: "value, tag", sql: flip("b", at: "length(b)", "val", victimsValue), mends: true,
            provesAbsence: true),
        Damage(
            name: "value, lost", sql: "DELETE FROM val \(victimsValue)", mends: true,
            provesAbsence: true),
    ]

    let folder: VaultFolder
    private let victimKey = ItemKey("19")
    private let corrupt = StoreError(.corrupt, "")

    init() throws { folder = try VaultFolder() }

    /// 20 items, each of a transaction of its own. The last one is damaged.
    private func damaged(_ damage: Damage) throws -> FileVault {
        let vault = try folder.vault()
        for number in 0..<20 { try vault.keep("\(number)") }
        vault.close()
        try folder.tamper("vault", damage.sql)
        return try folder.another()
    }

    @Test(
        "What set keeps is read again; otherwise it is refused, named and with the remedy",
        arguments: table)
    func set(damage: Damage) throws {
        let vault = try damaged(damage)
        if damage.mends {
            try vault.set(SecretValue("new"), for: victimKey)
            #expect(try vault.entry(victimKey)?.value.text == "new")
            #expect(try vault.verify().isClean)
            return
        }
        let before = try folder.text("SELECT group_concat(hex(meta)) FROM item")
        let error = #expect(throws: StoreError.self) {
            try vault.set(SecretValue("new"), for: victimKey)
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("not written") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("salvage") == true)
        #expect(try folder.text("SELECT group_concat(hex(meta)) FROM item") == before)
    }

    @Test("update and import refuse a damaged bucket", arguments: table.filter { !$0.mends })
    func updateAndImport(damage: Damage) async throws {
        let vault = try damaged(damage)
        await #expect(throws: corrupt) {
            _ = try await vault.update(victimKey) { _ in SecretValue("new") }
        }
        let source = InMemoryStore()
        try await source.set("new", for: victimKey)
        await #expect(throws: corrupt) {
            _ = try await StoreMigration(from: source, to: vault, conflictPolicy: .replace).run()
        }
        #expect(throws: corrupt) {
            try vault.put([NewItem(key: victimKey, value: SecretValue("new"))])
        }
        #expect(throws: corrupt) {
            try vault.replace(SecretValue("new"), for: victimKey, ifRevision: nil)
        }
    }

    @Test("remove removes what is there, and says whether its absence is proved", arguments: table)
    func remove(damage: Damage) throws {
        let vault = try damaged(damage)
        guard damage.isThere else {
            let error = #expect(throws: StoreError.self) { try vault.remove(victimKey) }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("cannot be proved") == true)
            return
        }
        let unproved = try vault.writing { (writer) throws(StoreError) -> StoreError? in
            #expect(try writer.remove(victimKey))
            return writer.unprovedAbsence
        }
        #expect((unproved == nil) == damage.provesAbsence, "\(unproved?.message ?? "")")
        #expect(try folder.number("SELECT count(*) FROM item") == 19)
        if damage.provesAbsence {
            #expect(try vault.entry(victimKey) == nil)
            #expect(try vault.verify().isClean)
        } else {
            #expect(unproved?.message.contains("salvage") == true)
            #expect(throws: corrupt) { try vault.entry(victimKey) }
        }
    }

    @Test("A rotation proves everything before its first batch", arguments: table)
    func rotate(damage: Damage) throws {
        let vault = try damaged(damage)
        let keys = try folder.number("SELECT count(*) FROM ring")
        let error = #expect(throws: StoreError.self) { try vault.rotateDataKey() }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("salvage") == true)
        #expect(try folder.number("SELECT count(*) FROM ring") == keys)
    }

    @Test("Damage behind an open vault that has just written is found at the next write")
    func behindAnOpenVault() throws {
        let vault = try folder.vault()
        for number in 0..<20 { try vault.keep("\(number)") }
        try vault.keep("19")
        try folder.tamper("vault", "DELETE FROM item \(Self.victim)")
        #expect(throws: corrupt) { try vault.keep("19") }
    }

    @Test("Removing a row that was put back hides no item that was lost")
    func lostBesideRemoved() throws {
        let vault = try folder.vault()
        try vault.keep("a")
        try folder.tamper("vault", "UPDATE item SET vt=zeroblob(16)")
        #expect(try vault.remove(ItemKey("a")))
        #expect(throws: corrupt) { try vault.entry(ItemKey("a")) }
        #expect(try !vault.verify().isClean)
    }

    @Test("Every row can be removed, also when more were put back than the state counts")
    func moreThanCounted() throws {
        let vault = try folder.vault()
        try vault.keep("a", "b", "c")
        for table in ["item", "val"] {
            try folder.tamper("vault", "CREATE TABLE old_\(table) AS SELECT * FROM \(table)")
        }
        for name in ["a", "b", "c"] { #expect(try vault.remove(ItemKey(name))) }
        try vault.keep("d")
        for table in ["item", "val"] {
            try folder.tamper(
                "vault", "INSERT OR REPLACE INTO \(table) SELECT * FROM old_\(table)",
                "DROP TABLE old_\(table)")
        }
        for name in ["a", "b", "c", "d"] { #expect(try vault.remove(ItemKey(name)), "\(name)") }
        #expect(try folder.number("SELECT count(*) FROM item") == 0)
        // What was removed without a proof is not taken for the truth.
        #expect(throws: corrupt) { try vault.allItems() }
        try vault.keep("e")
        #expect(throws: corrupt) { try vault.allItems() }
        #expect(try vault.entry(ItemKey("e"))?.value.text == "e")
    }

    @Test("A value that two items name is written over by neither")
    func sharedValue() throws {
        let vault = try folder.vault()
        try vault.keep("a", "b")
        try folder.tamper("vault", "UPDATE item SET v=(SELECT min(v) FROM item)")
        try vault.keep("b")
        #expect(try vault.entry(ItemKey("a"))?.value.text == "a")
        #expect(try vault.entry(ItemKey("b"))?.value.text == "b")
    }
}
