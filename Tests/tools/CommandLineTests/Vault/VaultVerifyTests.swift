// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet vault verify")
struct VaultVerifyTests {
    @Test("A good vault is clean, and a truncated one is refused")
    func cleanAndCut() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let verified = try folder.vault("verify")
        #expect(verified.isGood && verified.text.contains("clean:"), "\(verified)")
        try folder.write("vault.signet", Array(folder.read("vault.signet").prefix(4096)))
        #expect(try folder.vault("verify").status == 1)
    }

    @Test("A clean vault reports what was checked", .tags(.commandLine))
    func clean() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        for index in 1...3 { try folder.keep("value", "s", "\(index)") }
        let verified = try folder.vault("verify")
        #expect(verified.isGood, "\(verified)")
        for line in ["items: 3", "values: 3", "key slots: 1", "data keys: 1", "clean:"] {
            #expect(verified.text.contains(line), "\(line): \(verified)")
        }
        let json = try folder.vault("verify --json").json
        #expect(json["clean"] == .bool(true) && json["items"] == .integer(3))
        #expect(json["findings"] == .array([]))
        let told = try folder.vault("verify --progress")
        #expect(told.status == 0 && told.errors.contains("verifying: 3 of 3"), "\(told)")
    }

    static let damage: [(String, String)] = [
        ("UPDATE val SET b = zeroblob(length(b))", "value"),
        ("UPDATE item SET meta = zeroblob(length(meta))", "item"),
        ("UPDATE item SET gen = gen + 1", "item"),
        ("DELETE FROM item", "state"),
        ("UPDATE bucket SET b = zeroblob(84)", "bucket"),
        ("DELETE FROM val", "value"),
    ]

    @Test(
        "Damage is status 1 with its place, and no read believes it", .tags(.commandLine),
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"),
        arguments: damage)
    func damaged(_ statement: String, _ place: String) throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "s", "a")
        try folder.tamper(statement)
        let verified = try folder.vault("verify")
        #expect(verified.status == 1 && !verified.wasKilled, "\(verified)")
        #expect(
            verified.text.contains("DAMAGE") && verified.text.contains(place),
            "\(statement): \(verified)")
        #expect(!verified.text.contains("hunter2"))
        let json = try folder.vault("verify --json")
        #expect(try json.status == 1 && json.json["clean"] == .bool(false))
        let get = try folder.vault("get --service s --account a")
        #expect(get.failed(1, "corrupt"), "\(statement): \(get)")
    }

    @Test(
        "Beside damage nothing is kept, and remove says that absence is not proved",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func writes() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "s", "a")
        try folder.tamper("UPDATE item SET gen = gen + 1")
        let set = try folder.vault("set --service s --account a", input: Array("new".utf8))
        #expect(set.failed(1, "corrupt") && set.errors.contains("salvage"), "\(set)")
        #expect(try folder.vault("rotate data").failed(1, "corrupt"))
        let removed = try folder.vault("remove --service s --account a --json")
        #expect(
            try removed.json
                == .object(["removed": .bool(true), "absenceProved": .bool(false)]), "\(removed)")
        #expect(removed.status == 0 && removed.errors.contains("cannot be proved"), "\(removed)")
        #expect(try folder.vault("remove --service s --account a").failed(1, "corrupt"))
    }

    @Test(
        "Damage that prevents unlocking is status 1 with its code", .tags(.commandLine),
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"),
        arguments: [
            "UPDATE head SET b = zeroblob(104)", "DELETE FROM head", "DELETE FROM ring",
            "CREATE TRIGGER t AFTER INSERT ON item BEGIN DELETE FROM item; END",
            "CREATE TABLE more(x)",
            "UPDATE slot SET b = x'00'", "PRAGMA user_version = 2", "PRAGMA application_id = 1",
        ])
    func beyond(_ statement: String) throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "s", "a")
        if statement.contains("TRIGGER") {
            let outcome = try folder.bash(
                "python3 -B -c 'import sqlite3; sqlite3.connect(\"vault.signet\").executescript(\"\(statement)\")'"
            )
            #expect(outcome.status == 0, "\(outcome)")
        } else {
            try folder.tamper(statement)
        }
        for command in ["verify", "get --service s --account a", "list"] {
            let outcome = try folder.vault(command)
            #expect(
                outcome.status == 1 && !outcome.wasKilled, "\(statement), \(command): \(outcome)")
            #expect(
                outcome.errors.contains("[corrupt]") || outcome.errors.contains("[notAVault]")
                    || outcome.text.contains("DAMAGE"), "\(statement), \(command): \(outcome)")
            #expect(!outcome.text.contains("hunter2"))
        }
    }

    @Test(
        "Damage that prevents unlocking names salvage exactly where that works",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"),
        arguments: [
            ("UPDATE state SET b = zeroblob(length(b))", true), ("CREATE TABLE more(x)", true),
            ("DELETE FROM ring", false), ("UPDATE slot SET b = x'00'", false),
        ])
    func salvage(_ statement: String, works: Bool) throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "s", "a")
        try folder.tamper(statement)
        let verified = try folder.vault("verify")
        #expect(verified.failed(1, "corrupt"), "\(verified)")
        #expect(
            verified.errors.contains("signet vault salvage --vault 'vault.signet'") == works,
            "\(verified)")
        #expect(verified.errors.contains("No key can be trusted") == !works, "\(verified)")
        let salvaged = try folder.vault("salvage --output saved.signet --new-key-file saved.key")
        #expect(salvaged.isGood == works, "\(salvaged)")
        #expect(salvaged.text.contains("saved 1 item") == works, "\(salvaged)")
    }

    @Test("With --anchor an older copy is refused, and --accept-restored takes it once")
    func anchor() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("x", "s", "a")
        #expect(try folder.signet("vault backup --vault vault.signet --output old.signet").isGood)
        let set = try folder.vault("set --service s --anchor anchor", input: Array("x".utf8))
        #expect(set.isGood, "\(set)")
        #expect(try folder.signet("vault restore --vault vault.signet --input old.signet").isGood)
        let refused = try folder.vault("list --anchor anchor")
        #expect(refused.failed(1, "rolledBack"), "\(refused)")
        #expect(refused.errors.contains("--accept-restored"), "\(refused)")
        #expect(try folder.vault("list --accept-restored").status == 2)
        #expect(try folder.vault("list --anchor anchor --accept-restored").isGood)
        #expect(try folder.vault("list --anchor anchor").isGood)
    }

    @Test("A file truncated at any page is refused", .tags(.commandLine))
    func truncated() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "s", "a")
        let whole = try folder.read("vault.signet")
        for pages in 0..<whole.count / 4096 {
            try folder.write("vault.signet", Array(whole.prefix(pages * 4096)))
            let outcome = try folder.vault("verify")
            #expect(outcome.status == 1 && !outcome.wasKilled, "\(pages): \(outcome)")
            #expect(try folder.vault("get --service s --account a").status == 1, "\(pages)")
        }
    }
}
