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
    private func desk() throws -> Desk {
        let desk = try Desk()
        try desk.makeVault()
        for account in ["a", "b"] { try desk.keep("value of \(account)", "s", account) }
        try desk.vault(
            [
                "set", "--service", "t", "--class", "token", "--label", "A label", "--attribute",
                "x=y",
            ],
            input: [0, 1, 2])
        #expect(try desk.signet("vault init --vault other.signet --new-key-file vault.key").isGood)
        return desk
    }

    private let other = "--vault other.signet --key-file vault.key"

    @Test("An export, an import and a migration carry the items")
    func oneItem() throws {
        let desk = try Desk()
        try desk.makeVault()
        try desk.keep("value", "s")
        #expect(try desk.vault("export --output backup --new-key-file backup.key").isGood)
        #expect(try desk.signet("vault init --vault other.signet --new-key-file vault.key").isGood)
        #expect(
            try desk.signet("vault import --input backup --from-key-file backup.key \(other)")
                .isGood)
        let migrated = try desk.signet(
            "vault migrate --from file:vault.signet --from-key-file vault.key"
                + " --to file:other.signet --to-key-file vault.key --json"
        )
        #expect(try migrated.isGood && migrated.json["alreadyThere"] == .integer(1), "\(migrated)")
    }

    @Test("An export is one sealed file, and an import gives everything back", .tags(.commandLine))
    func roundTrip() throws {
        let desk = try desk()
        try desk.write("words", "ein Wort und noch eines\n")
        let exported = try desk.vault("export --output backup --new-passphrase-file words")
        #expect(exported.isGood && exported.text.contains("3 items: 3 added"), "\(exported)")
        #expect(try desk.permissions("backup") == 0o600)
        #expect(
            try desk.names().filter { $0.hasPrefix("backup") || $0.hasPrefix(".") } == ["backup"])
        #expect(!String(decoding: try desk.read("backup"), as: UTF8.self).contains("value of"))
        #expect(
            try desk.vault("export --output backup --new-passphrase-file words").failed(
                1, "alreadyExists"))
        let imported = try desk.signet(
            "vault import --input backup --from-passphrase-file words \(other) --json")
        #expect(try imported.isGood && imported.json["added"] == .integer(3), "\(imported)")
        let item = "get --service t --class token"
        #expect(try desk.signet("vault \(item) \(other)").output == [0, 1, 2])
        #expect(
            try desk.signet("vault \(item) --json \(other)").output
                == desk.vault("\(item) --json").output)
        let again = try desk.signet(
            "vault import --input backup --from-passphrase-file words \(other) --json")
        #expect(try again.json["alreadyThere"] == .integer(3) && again.json["added"] == .integer(0))
        try desk.write("wrong", "kein Wort\n")
        #expect(
            try desk.signet("vault import --input backup --from-passphrase-file wrong \(other)")
                .failed(
                    1, "authenticationFailure"))
    }

    @Test("Only the requested items are carried", .tags(.commandLine))
    func filtered() throws {
        let desk = try desk()
        let exported = try desk.vault(
            "export --output part --new-key-file part.key --service s --account a --progress")
        #expect(exported.status == 0 && exported.text.contains("1 item: 1 added"), "\(exported)")
        #expect(exported.errors.contains("exporting: 1 of 1"))
        let list = try desk.signet("vault list --vault part --key-file part.key --json").json
        guard case .array(let items)? = list["items"] else {
            Issue.record("no list")
            return
        }
        #expect(items.map { $0["account"]?.text } == ["a"])
    }

    @Test("A damaged export imports nothing", .tags(.commandLine))
    func damaged() throws {
        let desk = try desk()
        #expect(try desk.vault("export --output backup --new-key-file backup.key").isGood)
        var bytes = try desk.read("backup")
        bytes[7 * 4096 - 1] ^= 1
        try desk.write("backup", bytes)
        let outcome = try desk.signet(
            "vault import --input backup --from-key-file backup.key \(other)")
        #expect(outcome.failed(1, "corrupt"), "\(outcome)")
        #expect(try desk.signet("vault list \(other) --json").json["items"] == .array([]))
    }

    @Test(
        "Differing items are refused as a whole, kept, replaced, or resolved by time",
        .tags(.commandLine))
    func conflicts() throws {
        let desk = try desk()
        let set = try desk.signet("vault set --service s --account a \(other)", input: "theirs")
        #expect(set.isGood)
        let migrate =
            "vault migrate --from file:vault.signet --from-key-file vault.key --to file:other.signet --to-key-file vault.key"
        let refused = try desk.signet(migrate)
        #expect(refused.failed(1, "conflict"), "\(refused)")
        #expect(try desk.signet("vault get --service t --class token \(other)").failed(1, "absent"))
        let kept = try desk.signet(migrate + " --on-conflict keep --json")
        #expect(
            try kept.json["kept"] == .integer(1) && kept.json["added"] == .integer(2), "\(kept)")
        #expect(try desk.signet("vault get --service s --account a \(other)").text == "theirs")
        #expect(
            try desk.signet(migrate + " --on-conflict newer --json").json["kept"] == .integer(1))
        #expect(
            try desk.signet(migrate + " --on-conflict replace --json").json["replaced"]
                == .integer(1))
        #expect(try desk.signet("vault get --service s --account a \(other)").text == "value of a")
        let moved = try desk.signet(migrate + " --move --json")
        #expect(try moved.json["removedFromSource"] == .integer(3), "\(moved)")
        #expect(try desk.items("list") == [])
        #expect(try desk.signet("vault get --service s --account b \(other)").text == "value of b")
    }

    @Test("A store named twice, files that are not stores and contradictory keys are refused")
    func usage() {
        let (v, w) = ("file:\(Desk.nowhere)/v", "file:\(Desk.nowhere)/w")
        for line in [
            "--from \(v) --to \(v)", "--from nowhere --to \(v)", "--from file: --to \(v)",
            "--from \(v)",
            "--from secret-service --from-key-file k --to \(v)",
            "--from \(v) --from-key-file k --from-passphrase --to \(w)",
            "--from \(v) --to \(w) --on-conflict both",
        ] {
            #expect(Desk.inProcess("vault migrate \(line)").failed(2, "usage"), "\(line)")
        }
    }

    @Test("A vault is not moved into itself under another name", .tags(.commandLine))
    func sameFile() throws {
        let desk = try desk()
        let linked = try desk.signet(
            "vault migrate --from file:vault.signet --from-key-file vault.key --to file:./vault.signet --to-key-file vault.key --move"
        )
        #expect(linked.status != 0, "\(linked)")
        #expect(try desk.items("list").count == 3)
    }

    @Test(
        "Killed again and again, a finished migration has lost and doubled nothing",
        .tags(.commandLine))
    func killed() throws {
        let desk = try Desk()
        let key = SecretKey(copying: (0..<32).map { UInt8($0) })
        try desk.write("vault.key", (0..<32).map { UInt8($0) })
        let count = 2000
        do {
            let vault = try FileVault.create(
                at: desk.url.appendingPathComponent("vault.signet").path, with: RawKeyUnlock(key))
            try vault.put(
                (0..<count).map {
                    NewItem(
                        key: ItemKey(service: "s", account: "\($0)"),
                        value: SecretValue(bytes: Array("value \($0)".utf8)))
                })
            vault.close()
        }
        #expect(try desk.signet("vault init --vault other.signet --new-key-file vault.key").isGood)
        let outcome = try desk.bash(
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
        #expect(try desk.items("list") == [])
        let vault = try FileVault.open(at: desk.url.appendingPathComponent("other.signet").path)
        try vault.unlock(with: RawKeyUnlock(key))
        let accounts = try vault.allItems().map(\.key.account)
        #expect(accounts.count == count && Set(accounts).count == count)
        for index in [0, 1, 999, 1999] {
            #expect(
                try desk.signet("vault get --service s --account \(index) \(other)").text
                    == "value \(index)")
        }
        #expect(try desk.signet("vault verify \(other)").isGood && desk.vault("verify").isGood)
    }
}
