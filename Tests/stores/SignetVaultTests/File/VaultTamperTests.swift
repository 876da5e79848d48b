// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport
import Testing

/// An attacker with write access changes the file behind the vault's back. Each test names the
/// level that notices.
@Suite("Changes to a vault's file by an attacker")
struct VaultTamperTests {
    let folder: VaultFolder
    let corrupt = StoreError(.corrupt, "")

    init() throws { folder = try VaultFolder() }

    private func filled(_ count: Int = 50) throws -> FileVault {
        let vault = try folder.vault()
        try vault.put(
            (0..<count).map { NewItem(key: ItemKey("\($0)"), value: SecretValue("\($0)")) })
        return vault
    }

    @Test(
        "Verification finds every change",
        arguments: [
            "DELETE FROM item WHERE id=(SELECT min(id) FROM item)",
            "DELETE FROM item; DELETE FROM val",
            "DELETE FROM item; DELETE FROM val; DELETE FROM bucket",
            "DELETE FROM bucket WHERE n=(SELECT min(n) FROM bucket)",
            "INSERT INTO bucket SELECT (SELECT max(n) FROM bucket WHERE n<4095)+1,b FROM bucket LIMIT 1",
            "UPDATE bucket SET n=(SELECT max(n)+1 FROM bucket) WHERE n=(SELECT min(n) FROM bucket)",
            "UPDATE bucket SET b=(SELECT b FROM bucket ORDER BY n DESC LIMIT 1)",
            "UPDATE item SET gen=gen+1",
            "UPDATE item SET grp=x'00000000000000000000000000000000'",
            "UPDATE item SET kid=x'00000000000000000000000000000000'",
            "UPDATE item SET meta=(SELECT meta FROM item ORDER BY id DESC LIMIT 1)",
            "UPDATE item SET vt=x'00000000000000000000000000000000'",
            "UPDATE item SET vt='0123456789abcdef'",
            "UPDATE item SET gen='1'",
            "UPDATE item SET v=v+1",
            "UPDATE item SET v=-1",
            "UPDATE item SET id=substr(id,1,31)",
            "UPDATE item SET meta=zeroblob(1000000)",
            "UPDATE val SET b=(SELECT b FROM val LIMIT 1)",
            "UPDATE val SET b=zeroblob(20000000) WHERE v=1",
            "UPDATE state SET b=zeroblob(168)",
            "DELETE FROM state",
            "UPDATE state SET k=2",
            "UPDATE head SET b=zeroblob(104)",
            "UPDATE slot SET b=zeroblob(100000)",
            "UPDATE ring SET kid=x'00'||substr(kid,2) WHERE kid=(SELECT min(kid) FROM ring)",
            "DELETE FROM ring WHERE kid=(SELECT min(kid) FROM ring)",
        ])
    func everyChangeIsFoundByVerification(sql: String) throws {
        let vault = try filled()
        try folder.tamper("vault", sql)
        #expect(try !vault.verify().isClean)
    }

    @Test("A value without an item is found")
    func orphanValuesAreFound() throws {
        let vault = try filled()
        try folder.tamper("vault", "INSERT INTO val SELECT 1000,b FROM val WHERE v=1")
        let report = try vault.verify()
        #expect(report.findings.map(\.place) == ["value"])
        #expect(report.findings.map(\.identifier) == ["00000000000003e8"])
    }

    @Test(
        "A changed schema is refused on opening",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM val; END", "CREATE TABLE t(a)",
            "CREATE VIEW t AS SELECT 1", "DROP INDEX item_grp", "CREATE INDEX t ON item(gen)",
            "PRAGMA user_version=2", "PRAGMA application_id=1", "PRAGMA journal_mode=DELETE",
        ])
    func changedSchemasAreRefused(sql: String) throws {
        try folder.vault().close()
        try folder.tamper("vault", sql)
        let code: StoreError.Code =
            sql.contains("_version") || sql.contains("_id") ? .notAVault : .corrupt
        #expect(throws: StoreError(code, "")) { try FileVault.open(at: folder.file()) }
    }

    @Test("A deleted row is corrupt, except for reads that prove nothing")
    func deletedRowIsNoAbsence() throws {
        let vault = try filled()
        try folder.tamper("vault", "DELETE FROM item", "DELETE FROM val")
        let key = ItemKey("7")
        #expect(try vault.entry(key, level: .lazy) == nil)
        #expect(throws: corrupt) { try vault.entry(key) }
        #expect(throws: corrupt) { try vault.item(key) }
        #expect(throws: corrupt) { try vault.list(service: "example.com") }
        #expect(throws: corrupt) { try vault.allItems() }
        #expect(try vault.read { try $0.unprovenList(service: "example.com") }.isEmpty)
        #expect(try vault.read { try $0.unprovenItems() }.isEmpty)
        #expect(throws: corrupt) { try vault.remove(key) }
        #expect(throws: corrupt) {
            try vault.replace(SecretValue("x"), for: key, details: nil, ifRevision: nil)
        }
        #expect(throws: corrupt) { try vault.set(SecretValue("x"), for: key, details: nil) }
        #expect(throws: corrupt) { try vault.entry(key, level: .strict) }
        #expect(try !vault.verify().isClean)
    }

    @Test("Clearing reports an item that was moved to another group")
    func itemThatIsFiledElsewhereIsNotLeftBehindByAClear() throws {
        let vault = try filled()
        try folder.tamper(
            "vault", "UPDATE item SET grp=zeroblob(16) WHERE id=(SELECT min(id) FROM item)")
        #expect(throws: corrupt) {
            try vault.clear(service: "example.com", itemClass: nil, accessGroup: "")
        }
        #expect(try folder.number("SELECT count(*) FROM item") == 50)
    }

    @Test("A strict read finds a row that was put back")
    func rowThatWasPutBackIsFoundByStrictReads() throws {
        let vault = try filled()
        try folder.tamper(
            "vault", "CREATE TABLE kept AS SELECT * FROM item",
            "CREATE TABLE keptval AS SELECT * FROM val")
        let key = ItemKey("7")
        try vault.set(SecretValue("new"), for: key, details: nil)
        try vault.set(SecretValue("newer"), for: ItemKey("another"), details: nil)
        try folder.tamper(
            "vault", "DELETE FROM item WHERE gen=3",
            "INSERT OR IGNORE INTO item SELECT * FROM kept",
            "INSERT OR REPLACE INTO val SELECT * FROM keptval", "DROP TABLE kept",
            "DROP TABLE keptval")
        // The old row is authentic; the sums show that it is old.
        #expect(try vault.entry(key, level: .lazy)?.value.text == "7")
        #expect(throws: corrupt) { try vault.entry(key, level: .strict) }
        #expect(throws: corrupt) { try vault.list(service: "example.com") }
        #expect(try !vault.verify().isClean)
    }

    @Test("Rows of another vault are refused")
    func rowsOfAnotherVaultAreNotOurs() throws {
        let vault = try filled(1)
        let other = try folder.vault("other")
        try other.set(SecretValue("other"), for: ItemKey("0"), details: nil)
        other.close()
        vault.close()
        let path = folder.file("other")
        for table in ["head", "slot", "ring", "state", "bucket", "val", "item"] {
            let copy = folder.file("copy-\(table)")
            try FileManager.default.copyItem(atPath: folder.file(), toPath: copy)
            let rows = try #require(try rows(of: table, in: path))
            try folder.tamper("copy-\(table)", "DELETE FROM \(table)", rows)
            #expect(throws: StoreError.self, "\(table)") {
                _ = try folder.another("copy-\(table)").entry(ItemKey("0"))
            }
        }
    }

    /// The rows of a table as SQL that inserts them elsewhere: attached databases are not allowed here.
    private func rows(of table: String, in path: String) throws -> String? {
        let columns = [
            "head": "k,b", "state": "k,b", "bucket": "n,b", "val": "v,b", "slot": "id,b",
            "ring": "kid,b",
        ]
        let names = columns[table] ?? "id,grp,kid,gen,v,meta,vt"
        let quoted = names.split(separator: ",").map { "quote(\($0))" }.joined(separator: "||','||")
        return try folder.text(
            "SELECT group_concat('INSERT INTO \(table) VALUES('||\(quoted)||')',';') FROM \(table)",
            in: path.split(separator: "/").last.map(String.init) ?? "")
    }

    @Test("Huge numbers of rows, or huge rows, are refused on opening")
    func hostileNumbersOfRowsCostNoMemory() throws {
        let vault = try filled(1)
        vault.close()
        try folder.tamper(
            "vault",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<200000) INSERT INTO slot SELECT randomblob(16),zeroblob(165) FROM n"
        )
        #expect(throws: corrupt) { try FileVault.open(at: folder.file()) }
        try folder.tamper("vault", "DELETE FROM slot", "UPDATE head SET b=zeroblob(30000000)")
        #expect(throws: corrupt) { try FileVault.open(at: folder.file()) }
    }

    @Test("A file that was moved away is noticed before a write")
    func replacedFileIsNoticedBeforeAWrite() throws {
        let vault = try filled(1)
        try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file("moved"))
        #expect(throws: StoreError(.unavailable, "")) {
            try vault.set(SecretValue("x"), for: ItemKey("a"), details: nil)
        }
        try FileManager.default.moveItem(atPath: folder.file("moved"), toPath: folder.file())
        try vault.set(SecretValue("x"), for: ItemKey("a"), details: nil)
    }

    @Test("Path, mode, link and content are checked before a vault is opened")
    func placesAreCheckedBeforeAnythingIsOpened() throws {
        #expect(throws: StoreError(.unavailable, "")) { try FileVault.open(at: folder.file()) }
        let vault = try filled(1)
        #expect(throws: StoreError(.alreadyExists, "")) { try folder.vault() }
        vault.close()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: folder.file())
        #expect(throws: StoreError(.insecureFile, "")) { try FileVault.open(at: folder.file()) }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.file())
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"), withDestinationPath: folder.file())
        #expect(throws: StoreError(.insecureFile, "")) {
            try FileVault.open(at: folder.file("link"))
        }
        #expect(throws: StoreError(.insecureFile, "")) {
            try FileVault.create(at: folder.file("link"), with: VaultFolder.key(1))
        }
        for (name, content) in [("empty", Data()), ("text", Data(repeating: 65, count: 5000))] {
            #expect(
                FileManager.default.createFile(
                    atPath: folder.file(name), contents: content,
                    attributes: [.posixPermissions: 0o600]))
            #expect(throws: StoreError(.notAVault, ""), "\(name)") {
                try FileVault.open(at: folder.file(name))
            }
        }
    }

    @Test("Opening removes old files of killed processes, and no others")
    func openingCleansUpAfterKilledProcesses() throws {
        try folder.vault().close()
        let old = [
            ".signet-1f.new", ".signet-1f.new-wal", ".signet-0123456789abcdef.export-shm",
            ".signet-a.tmp",
        ]
        let kept = [
            ".signet-.new", ".signet-xyz.new", ".signet-1f.key", "signet-1f.new", ".signet-2.new",
        ]
        for name in old + kept {
            #expect(
                FileManager.default.createFile(
                    atPath: folder.file(name), contents: Data(),
                    attributes: [.posixPermissions: 0o600]))
            // The last one is recent: a process is writing it.
            let age: Double = name == ".signet-2.new" ? 0 : 100_000
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)],
                ofItemAtPath: folder.file(name))
        }
        try folder.another().close()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(left) == Set(kept + ["vault"]))
    }

    @Test("A created vault leaves no other file, and is closed for good")
    func createdVaultsLeaveNoOtherFile() throws {
        let vault = try folder.vault()
        vault.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["vault"])
        #expect(throws: StoreError(.locked, "")) { try vault.allItems() }
        #expect(throws: StoreError(.unavailable, "")) { try vault.unlock(with: VaultFolder.key(1)) }
    }
}
