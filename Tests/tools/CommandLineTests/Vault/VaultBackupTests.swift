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
        let folder = try CommandFolder()
        try folder.makeVault()
        for round in 0..<3 {
            try folder.keep("\(round)", "s", "a")
            #expect(!folder.exists("vault.signet-wal"))
            try folder.write("copy.signet", folder.read("vault.signet"))
            let got = try folder.signet(
                "vault get --vault copy.signet --key-file vault.key --service s --account a")
            #expect(got.text == "\(round)", "\(got)")
        }
    }

    @Test("A backup is restored")
    func restored() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("old", "s", "a")
        #expect(try folder.signet("vault backup --vault vault.signet --output b.signet").isGood)
        #expect(
            try folder.signet("vault backup --vault vault.signet --output b.signet").failed(
                1, "alreadyExists"))
        try folder.keep("new", "s", "a")
        #expect(try folder.signet("vault restore --vault vault.signet --input b.signet").isGood)
        #expect(try folder.vault("get --service s --account a").text == "old")
        try folder.write("text", [UInt8](repeating: 65, count: 5000))
        #expect(
            try folder.signet("vault restore --vault vault.signet --input text").failed(
                1, "notAVault"))
        #expect(try folder.vault("get --service s --account a").text == "old")
    }

    @Test(
        "Salvage copies what is whole and names what is lost",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func salvaged() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("good", "s", "a")
        try folder.keep("bad", "s", "b")
        try folder.tamper("UPDATE val SET b = zeroblob(length(b)) WHERE v = 2")
        let get = try folder.vault("get --service s --account b")
        #expect(
            get.failed(1, "corrupt") && get.errors.contains("service 's', account 'b'"), "\(get)")
        #expect(try folder.vault("get --service s --account a").text == "good")
        let verified = try folder.vault("verify")
        #expect(verified.text.contains("DAMAGE value (service 's', account 'b')"), "\(verified)")
        let salvage = try folder.vault("salvage --output saved.signet --new-key-file saved.key")
        #expect(salvage.isGood, "\(salvage)")
        #expect(salvage.text.contains("LOST value (service 's', account 'b')"), "\(salvage)")
        #expect(salvage.text.contains("saved 1 item"), "\(salvage)")
        let saved = try folder.signet(
            "vault get --vault saved.signet --key-file saved.key --service s --account a")
        #expect(saved.text == "good", "\(saved)")
        let json = try folder.vault("salvage --output other.signet --new-key-file saved.key --json")
            .json
        #expect(json["saved"] == .integer(1))
    }

    @Test("Reports name what really happened (review S6)")
    func messages() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let help = try folder.signet("vault get --service x --help")
        #expect(help.status == 2 && help.errors.contains("USAGE: signet vault get"), "\(help)")
        try folder.keep("one", "s", "a")
        let exported = try folder.vault("export --output e.signet --new-key-file e.key")
        #expect(exported.status == 0, "\(exported)")
        let again = try folder.vault("export --output e.signet --new-key-file e.key")
        #expect(
            again.errors.contains("--output FILE") && !again.errors.contains("--vault"), "\(again)")
        try folder.keep("two", "s", "a")
        let conflict = try folder.vault("import --input e.signet --from-key-file e.key")
        #expect(
            conflict.failed(1, "conflict") && conflict.errors.contains("--on-conflict")
                && conflict.errors.contains("service 's', account 'a'"), "\(conflict)")
        let missing = try folder.signet("vault list --vault missing.signet --key-file vault.key")
        #expect(missing.errors.contains("signet vault init"), "\(missing)")
    }
}
