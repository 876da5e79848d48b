// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// One damaged byte, or one lost row, of each kind, against each call (review S3): what is damaged
/// is an error, the rest can still be read, and a salvage saves it.
@Suite("One damaged byte") struct DamagedByteTests {
    /// What a call returns.
    enum Answer: String, Sendable { case good, corrupt, authenticationFailure }

    struct Damage: Sendable, CustomTestStringConvertible {
        let name: String
        let sql: String
        var unlock = Answer.good
        /// The damaged item with its value, and without.
        var victim = Answer.corrupt
        var victimsItem = Answer.corrupt
        /// An item of another bucket, and one that is not there.
        var other = Answer.good
        var absent = Answer.good
        var list = Answer.corrupt
        /// Of 20 items; nil where no key is left.
        var saved: Int? = 20
        /// Whether errors name the item.
        var isNamed = false

        var testDescription: String { name }
    }

    private static func flip(_ column: String, at place: Int, in table: String, _ rows: String = "")
        -> String
    {
        "UPDATE \(table) SET \(column)=CAST(substr(\(column),1,\(place - 1))"
            + "||CASE substr(\(column),\(place),1) WHEN x'00' THEN x'01' ELSE x'00' END"
            + "||substr(\(column),\(place + 1)) AS BLOB) \(rows)"
    }

    /// The last item that was written.
    private static let victim = "WHERE gen=(SELECT max(gen) FROM item)"
    private static let victimsValue = "WHERE v=(SELECT v FROM item \(victim))"
    private static let victimsBucket = "WHERE substr(b,1,8)=(SELECT max(substr(b,1,8)) FROM bucket)"

    static let table: [Damage] = [
        Damage(name: "head, code", sql: flip("b", at: 90, in: "head"), unlock: .corrupt),
        Damage(name: "head, epoch", sql: flip("b", at: 39, in: "head"), unlock: .corrupt),
        Damage(
            name: "head, vault id", sql: flip("b", at: 20, in: "head"),
            unlock: .authenticationFailure,
            saved: nil),
        Damage(
            name: "another slot", sql: flip("b", at: 100, in: "slot", "WHERE id<>x'$first'"),
            unlock: .corrupt),
        Damage(
            name: "the slot, sealed key", sql: flip("b", at: 100, in: "slot", "WHERE id=x'$first'"),
            unlock: .corrupt, saved: nil),
        Damage(
            name: "the slot, commitment", sql: flip("b", at: 30, in: "slot", "WHERE id=x'$first'"),
            unlock: .authenticationFailure, saved: nil),
        Damage(
            name: "ring, data key",
            sql: flip("b", at: 50, in: "ring", "WHERE kid=(SELECT kid FROM item LIMIT 1)"),
            unlock: .corrupt, saved: nil),
        Damage(
            name: "ring, other keys",
            sql: flip("b", at: 50, in: "ring", "WHERE kid<>(SELECT kid FROM item LIMIT 1)"),
            unlock: .corrupt),
        Damage(name: "state", sql: flip("b", at: 60, in: "state"), unlock: .corrupt),
        Damage(name: "state, lost", sql: "DELETE FROM state", unlock: .corrupt),
        // A list needs no bucket; a read of one item needs its own, and the codes of all.
        Damage(
            name: "bucket, sealed sum", sql: flip("b", at: 40, in: "bucket", victimsBucket),
            list: .good),
        Damage(
            name: "bucket, code", sql: flip("b", at: 80, in: "bucket", victimsBucket),
            other: .corrupt,
            absent: .corrupt, list: .good),
        Damage(
            name: "bucket, lost", sql: "DELETE FROM bucket \(victimsBucket)", other: .corrupt,
            absent: .corrupt, list: .good),
        Damage(name: "item, metadata", sql: flip("meta", at: 60, in: "item", victim), saved: 19),
        Damage(name: "item, generation", sql: "UPDATE item SET gen=gen+1 \(victim)", saved: 19),
        Damage(name: "item, key", sql: flip("kid", at: 3, in: "item", victim)),
        Damage(name: "item, group", sql: flip("grp", at: 3, in: "item", victim)),
        Damage(
            name: "item, tag of the value", sql: flip("vt", at: 3, in: "item", victim),
            isNamed: true),
        Damage(name: "item, lost", sql: "DELETE FROM item \(victim)", saved: 19),
        Damage(
            name: "item, number of the value", sql: "UPDATE item SET v=1000 \(victim)",
            victimsItem: .good, list: .good, saved: 19, isNamed: true),
        Damage(
            name: "value", sql: flip("b", at: 60, in: "val", victimsValue), victimsItem: .good,
            list: .good, saved: 19, isNamed: true),
        Damage(
            name: "value, lost", sql: "DELETE FROM val \(victimsValue)", victimsItem: .good,
            list: .good,
            saved: 19, isNamed: true),
    ]

    let folder: VaultFolder

    init() throws { folder = try VaultFolder() }

    /// 20 items, each of a transaction of its own; accounts by bucket. The last one is damaged.
    private func make(_ damage: Damage) throws -> (other: ItemKey, absent: ItemKey) {
        let vault = try folder.vault()
        let first = try #require(try vault.slots().first?.id)
        try vault.addSlot(VaultFolder.key(2))
        for number in 0..<20 {
            try vault.set(SecretValue("\(number)"), for: ItemKey("\(number)"), details: nil)
        }
        let buckets = try (0..<20).map { number in
            try folder.text(
                "SELECT substr(hex(id),1,3) FROM item ORDER BY gen LIMIT 1 OFFSET \(number)")
        }
        let other = try #require(buckets.firstIndex { $0 != buckets[19] })
        vault.close()
        let hex = first.map { String(format: "%02x", $0) }.joined()
        try folder.tamper("vault", damage.sql.replacingOccurrences(of: "$first", with: hex))
        return (ItemKey("\(other)"), ItemKey("absent"))
    }

    private func answer(_ body: () throws(StoreError) -> Void) -> (answer: Answer?, message: String)
    {
        do throws(StoreError) {
            try body()
            return (.good, "")
        } catch {
            return (Answer(rawValue: error.code.rawValue), error.message)
        }
    }

    @Test("Each call gives the answer in the table", arguments: table)
    func calls(damage: Damage) throws {
        let (otherKey, absentKey) = try make(damage)
        let victimKey = ItemKey("19")
        let opened = answer { () throws(StoreError) in
            let vault = try FileVault.open(at: folder.file())
            defer { vault.close() }
            try vault.unlock(with: VaultFolder.key(1))
        }
        #expect(opened.answer == damage.unlock)
        if damage.unlock == .good {
            let vault = try folder.another()
            let victim = answer { () throws(StoreError) in _ = try vault.entry(victimKey) }
            #expect(victim.answer == damage.victim)
            let item = answer { () throws(StoreError) in _ = try vault.item(victimKey) }
            #expect(item.answer == damage.victimsItem)
            let other = answer { () throws(StoreError) in _ = try vault.entry(otherKey) }
            #expect(other.answer == damage.other)
            let absent = answer { () throws(StoreError) in _ = try vault.entry(absentKey) }
            #expect(
                absent.answer == damage.absent
                    || damage.absent == .good && absent.answer == .corrupt)
            let list = answer { () throws(StoreError) in _ = try vault.allItems() }
            #expect(list.answer == damage.list)
            let service = answer { () throws(StoreError) in
                _ = try vault.list(service: "example.com", itemClass: nil, accessGroup: "")
            }
            #expect(service.answer == damage.list)
            let report = try vault.verify()
            #expect(!report.isClean)
            if damage.isNamed {
                #expect(
                    victim.message.contains("service 'example.com', account '19'"),
                    "\(victim.message)")
            }
            vault.close()
        }
        try salvage(damage)
    }

    private func salvage(_ damage: Damage) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        let salvage = VaultSalvage(
            of: folder.file(), with: VaultFolder.key(1), to: folder.file("saved"),
            with: VaultFolder.key(3))
        guard let saved = damage.saved else {
            #expect(throws: StoreError.self) { try salvage.run() }
            #expect(!FileManager.default.fileExists(atPath: folder.file("saved")))
            return
        }
        let report = try salvage.run()
        #expect(report.savedCount == saved)
        #expect(saved == 20 || !report.losses.isEmpty)
        if saved < 20, damage.isNamed {
            #expect(report.losses.map(\.item) == [ItemKey("19")])
        }
        let vault = try FileVault.open(at: folder.file("saved"))
        try vault.unlock(with: VaultFolder.key(3))
        for item in try vault.allItems() {
            #expect(try vault.entry(item.key)?.value.text == item.key.account)
        }
        vault.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == before)
    }

    @Test("A salvage reports that the vault is older than its anchor")
    func anchor() throws {
        let vault = try folder.vault()
        try vault.set(SecretValue("v"), for: ItemKey("a"), details: nil)
        vault.close()
        var options = VaultOptions()
        let anchor = FileAnchor(path: folder.file("anchor"))
        options.anchor = anchor
        try anchor.advance(vault: vault.id, to: 9)
        #expect(throws: StoreError(.rolledBack, "")) { try folder.another("vault", options) }
        let report = try VaultSalvage(
            of: folder.file(), with: VaultFolder.key(1), to: folder.file("saved"),
            with: VaultFolder.key(1), options: options
        ).run()
        #expect(report.isOlderThanAnchor == true && report.savedCount == 1)
        #expect(report.generation == 2 && report.anchoredGeneration == 9)
        #expect(throws: StoreError(.alreadyExists, "")) {
            try VaultSalvage(
                of: folder.file(), with: VaultFolder.key(1), to: folder.file("saved"),
                with: VaultFolder.key(1)
            ).run()
        }
    }
}
