// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import SignetVault
import TestSupport
import Testing

@Suite("signet vault export, import and migrate")
struct VaultMovingTests {
    /// `vault.signet` with items of two services, and an empty `other.signet` that opens with the same key.
    private func folder() throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.makeVault()
        for account in ["a", "b"] { try folder.keep("value of \(account)", "s", account) }
        try folder.vault(
            [
                "set", "--service", "t", "--class", "token", "--label", "A label", "--attribute",
                "x=y",
            ],
            input: [0, 1, 2])
        #expect(
            try folder.signet("vault init --vault other.signet --new-key-file vault.key").isGood)
        return folder
    }

    private let other = "--vault other.signet --key-file vault.key"

    @Test("An export, an import and a migration carry the items")
    func oneItem() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("value", "s")
        #expect(try folder.vault("export --output backup --new-key-file backup.key").isGood)
        #expect(
            try folder.signet("vault init --vault other.signet --new-key-file vault.key").isGood)
        #expect(
            try folder.signet("vault import --input backup --from-key-file backup.key \(other)")
                .isGood)
        let migrated = try folder.signet(
            "vault migrate --from file:vault.signet --from-key-file vault.key"
                + " --to file:other.signet --to-key-file vault.key --json"
        )
        #expect(try migrated.isGood && migrated.json["alreadyThere"] == .integer(1), "\(migrated)")
    }

    @Test("An export is one sealed file, and an import gives everything back", .tags(.commandLine))
    func roundTrip() throws {
        let folder = try folder()
        try folder.write("words", "ein Wort und noch eines\n")
        let exported = try folder.vault("export --output backup --new-passphrase-file words")
        #expect(exported.isGood && exported.text.contains("3 items: 3 added"), "\(exported)")
        #expect(try folder.permissions("backup") == 0o600)
        #expect(
            try folder.names().filter { $0.hasPrefix("backup") || $0.hasPrefix(".") } == ["backup"])
        #expect(!String(decoding: try folder.read("backup"), as: UTF8.self).contains("value of"))
        #expect(
            try folder.vault("export --output backup --new-passphrase-file words").failed(
                1, "alreadyExists"))
        let imported = try folder.signet(
            "vault import --input backup --from-passphrase-file words \(other) --json")
        #expect(try imported.isGood && imported.json["added"] == .integer(3), "\(imported)")
        let item = "get --service t --class token"
        #expect(try folder.signet("vault \(item) \(other)").output == [0, 1, 2])
        #expect(
            try folder.signet("vault \(item) --json \(other)").output
                == folder.vault("\(item) --json").output)
        let again = try folder.signet(
            "vault import --input backup --from-passphrase-file words \(other) --json")
        #expect(try again.json["alreadyThere"] == .integer(3) && again.json["added"] == .integer(0))
        try folder.write("wrong", "kein Wort\n")
        #expect(
            try folder.signet("vault import --input backup --from-passphrase-file wrong \(other)")
                .failed(
                    1, "authenticationFailure"))
    }

    @Test("Only the requested items are carried", .tags(.commandLine))
    func filtered() throws {
        let folder = try folder()
        let exported = try folder.vault(
            "export --output part --new-key-file part.key --service s --account a --progress")
        #expect(exported.status == 0 && exported.text.contains("1 item: 1 added"), "\(exported)")
        #expect(exported.errors.contains("exporting: 100%"))
        let list = try folder.signet("vault list --vault part --key-file part.key --json").json
        guard case .array(let items)? = list["items"] else {
            Issue.record("no list")
            return
        }
        #expect(items.map { $0["account"]?.text } == ["a"])
    }

    @Test("A damaged export imports nothing", .tags(.commandLine))
    func damaged() throws {
        let folder = try folder()
        #expect(try folder.vault("export --output backup --new-key-file backup.key").isGood)
        var bytes = try folder.read("backup")
        bytes[7 * 4096 - 1] ^= 1
        try folder.write("backup", bytes)
        let outcome = try folder.signet(
            "vault import --input backup --from-key-file backup.key \(other)")
        #expect(outcome.failed(1, "corrupt"), "\(outcome)")
        #expect(try folder.signet("vault list \(other) --json").json["items"] == .array([]))
    }

    @Test(
        "Differing items are refused as a whole, kept, replaced, or resolved by time",
        .tags(.commandLine))
    func conflicts() throws {
        let folder = try folder()
        let set = try folder.signet("vault set --service s --account a \(other)", input: "theirs")
        #expect(set.isGood)
        let migrate =
            "vault migrate --from file:vault.signet --from-key-file vault.key --to file:other.signet --to-key-file vault.key"
        let refused = try folder.signet(migrate)
        #expect(refused.failed(1, "conflict"), "\(refused)")
        #expect(
            try folder.signet("vault get --service t --class token \(other)").failed(1, "absent"))
        let kept = try folder.signet(migrate + " --on-conflict keep --json")
        #expect(
            try kept.json["kept"] == .integer(1) && kept.json["added"] == .integer(2), "\(kept)")
        #expect(try folder.signet("vault get --service s --account a \(other)").text == "theirs")
        #expect(
            try folder.signet(migrate + " --on-conflict newer --json").json["kept"] == .integer(1))
        #expect(
            try folder.signet(migrate + " --on-conflict replace --json").json["replaced"]
                == .integer(1))
        #expect(
            try folder.signet("vault get --service s --account a \(other)").text == "value of a")
        let moved = try folder.signet(migrate + " --move --json")
        #expect(try moved.json["removedFromSource"] == .integer(3), "\(moved)")
        #expect(try folder.items("list") == [])
        #expect(
            try folder.signet("vault get --service s --account b \(other)").text == "value of b")
    }

    @Test("A store named twice, files that are not stores and contradictory keys are refused")
    func usage() {
        let (v, w) = ("file:\(CommandFolder.nowhere)/v", "file:\(CommandFolder.nowhere)/w")
        for line in [
            "--from \(v) --to \(v)", "--from nowhere --to \(v)", "--from file: --to \(v)",
            "--from \(v)",
            "--from secret-service --from-key-file k --to \(v)",
            "--from \(v) --from-key-file k --from-passphrase --to \(w)",
            "--from \(v) --to \(w) --on-conflict both",
        ] {
            #expect(CommandFolder.inProcess("vault migrate \(line)").failed(2, "usage"), "\(line)")
        }
    }

    @Test("A vault is not moved into itself under another name", .tags(.commandLine))
    func sameFile() throws {
        let folder = try folder()
        let linked = try folder.signet(
            "vault migrate --from file:vault.signet --from-key-file vault.key --to file:./vault.signet --to-key-file vault.key --move"
        )
        #expect(linked.status != 0, "\(linked)")
        #expect(try folder.items("list").count == 3)
    }

    @Test(
        "Killed again and again, a finished migration has lost and doubled nothing",
        .tags(.commandLine))
    func killed() throws {
        let folder = try CommandFolder()
        let key = SecretKey(copying: (0..<32).map { UInt8($0) })
        try folder.write("vault.key", (0..<32).map { UInt8($0) })
        let count = 2000
        do {
            let vault = try FileVault.create(
                at: folder.url.appendingPathComponent("vault.signet").path, with: RawKeyUnlock(key))
            try vault.put(
                (0..<count).map {
                    NewItem(
                        key: ItemKey(service: "s", account: "\($0)"),
                        value: SecretValue(bytes: Array("value \($0)".utf8)))
                })
            vault.close()
        }
        #expect(
            try folder.signet("vault init --vault other.signet --new-key-file vault.key").isGood)
        let outcome = try folder.bash(
            """
            command=("$SIGNET" vault migrate --from file:vault.signet --from-key-file vault.key
                --to file:other.signet --to-key-file vault.key --move --json)
            kills=0
            for pause in 0.3 0.5 0.7 0.9; do
                "${command[@]}" > /dev/null 2>&1 & pid=$!
                sleep $pause
                kill -9 $pid 2> /dev/null && kills=$((kills + 1))
                wait $pid 2> /dev/null
            done
            "${command[@]}" > report || exit 1
            echo $kills
            """)
        #expect(outcome.status == 0 && outcome.line != "0", "\(outcome)")
        #expect(try folder.items("list") == [])
        let vault = try FileVault.open(at: folder.url.appendingPathComponent("other.signet").path)
        try vault.unlock(with: RawKeyUnlock(key))
        let accounts = try vault.allItems().map(\.key.account)
        #expect(accounts.count == count && Set(accounts).count == count)
        for index in [0, 1, 999, 1999] {
            #expect(
                try folder.signet("vault get --service s --account \(index) \(other)").text
                    == "value \(index)")
        }
        #expect(try folder.signet("vault verify \(other)").isGood && folder.vault("verify").isGood)
    }
}
