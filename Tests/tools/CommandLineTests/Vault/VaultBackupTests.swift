// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet vault backup, restore, salvage")
struct VaultBackupTests {
    @Test("Set, end, copy: the file alone holds the item, and no other file remains")
    func copies() throws {
        let desk = try Desk()
        try desk.makeVault()
        for round in 0..<3 {
            try desk.keep("\(round)", "s", "a")
            #expect(!desk.exists("vault.signet-wal"))
            try desk.write("copy.signet", desk.read("vault.signet"))
            let got = try desk.signet(
                "vault get --vault copy.signet --key-file vault.key --service s --account a")
            #expect(got.text == "\(round)", "\(got)")
        }
    }

    @Test("A backup is restored")
    func restored() throws {
        let desk = try Desk()
        try desk.makeVault()
        try desk.keep("old", "s", "a")
        #expect(try desk.signet("vault backup --vault vault.signet --output b.signet").isGood)
        #expect(
            try desk.signet("vault backup --vault vault.signet --output b.signet").failed(
                1, "alreadyExists"))
        try desk.keep("new", "s", "a")
        #expect(try desk.signet("vault restore --vault vault.signet --input b.signet").isGood)
        #expect(try desk.vault("get --service s --account a").text == "old")
        try desk.write("text", [UInt8](repeating: 65, count: 5000))
        #expect(
            try desk.signet("vault restore --vault vault.signet --input text").failed(
                1, "notAVault"))
        #expect(try desk.vault("get --service s --account a").text == "old")
    }

    @Test(
        "Salvage copies what is whole and names what is lost",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func salvaged() throws {
        let desk = try Desk()
        try desk.makeVault()
        try desk.keep("good", "s", "a")
        try desk.keep("bad", "s", "b")
        try desk.tamper("UPDATE val SET b = zeroblob(length(b)) WHERE v = 2")
        let get = try desk.vault("get --service s --account b")
        #expect(
            get.failed(1, "corrupt") && get.errors.contains("service 's', account 'b'"), "\(get)")
        #expect(try desk.vault("get --service s --account a").text == "good")
        let verified = try desk.vault("verify")
        #expect(verified.text.contains("DAMAGE value (service 's', account 'b')"), "\(verified)")
        let salvage = try desk.vault("salvage --output saved.signet --new-key-file saved.key")
        #expect(salvage.isGood, "\(salvage)")
        #expect(salvage.text.contains("LOST value (service 's', account 'b')"), "\(salvage)")
        #expect(salvage.text.contains("saved 1 item"), "\(salvage)")
        let saved = try desk.signet(
            "vault get --vault saved.signet --key-file saved.key --service s --account a")
        #expect(saved.text == "good", "\(saved)")
        let json = try desk.vault("salvage --output other.signet --new-key-file saved.key --json")
            .json
        #expect(json["saved"] == .integer(1))
    }

    @Test("Reports name what really happened (review S6)")
    func messages() throws {
        let desk = try Desk()
        try desk.makeVault()
        let help = try desk.signet("vault get --service x --help")
        #expect(help.status == 2 && help.errors.contains("USAGE: signet vault get"), "\(help)")
        try desk.keep("one", "s", "a")
        let exported = try desk.vault("export --output e.signet --new-key-file e.key")
        #expect(exported.status == 0, "\(exported)")
        let again = try desk.vault("export --output e.signet --new-key-file e.key")
        #expect(
            again.errors.contains("--output FILE") && !again.errors.contains("--vault"), "\(again)")
        try desk.keep("two", "s", "a")
        let conflict = try desk.vault("import --input e.signet --from-key-file e.key")
        #expect(
            conflict.failed(1, "conflict") && conflict.errors.contains("--on-conflict")
                && conflict.errors.contains("service 's', account 'a'"), "\(conflict)")
        let missing = try desk.signet("vault list --vault missing.signet --key-file vault.key")
        #expect(missing.errors.contains("signet vault init"), "\(missing)")
    }
}
