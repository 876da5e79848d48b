// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet vault: ways in")
struct VaultUnlockTests {
    /// A vault with a passphrase, and a token in it.
    private func folder() throws -> CommandFolder {
        let folder = try CommandFolder()
        try folder.write("old", "ein altes Wort\n")
        try folder.write("new", "ein neues Wort\n")
        #expect(try folder.signet("vault init --vault v --new-passphrase-file old").isGood)
        let set = try folder.signet(
            "vault set --vault v --passphrase-file old --service s", input: "token")
        #expect(set.isGood, "\(set)")
        return folder
    }

    private func kinds(_ folder: CommandFolder) throws -> [String] {
        let outcome = try folder.signet("vault slot list --vault v --json")
        guard case .array(let slots)? = try outcome.json["slots"] else { return [] }
        return slots.compactMap { $0["kind"]?.text }.sorted()
    }

    @Test("A way in is added, replaced and removed; the data key is rotated")
    func ways() throws {
        let folder = try CommandFolder()
        #expect(
            try folder.signet("vault init --vault vault.signet --new-key-file vault.key").isGood)
        #expect(
            try folder.permissions("vault.key") == 0o600
                && folder.permissions("vault.signet") == 0o600)
        let added = try folder.vault("slot add --new-key-file second.key")
        #expect(added.isGood && added.line.count == 32, "\(added)")
        let listed = try folder.vault("slot list")
        #expect(listed.isGood && listed.text.contains(added.line), "\(listed)")
        #expect(try folder.vault("slot remove \(added.line)").isGood)
        #expect(try folder.vault("rotate data").isGood)
        #expect(try folder.vault("passwd --new-key-file third.key").isGood)
        #expect(try folder.vault("list").failed(1, "authenticationFailure"))
    }

    @Test("A slot is named by four or more digits", arguments: ["xyz", "12", ""])
    func slotNames(_ slot: String) {
        let place = "--vault \(CommandFolder.nowhere)/v --key-file \(CommandFolder.nowhere)/k"
        let outcome = CommandFolder.inProcess("vault slot remove \(slot) \(place)")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test(
        "passwd: only the new passphrase opens",
        .tags(.commandLine))
    func passwd() throws {
        let folder = try folder()
        #expect(
            try folder.signet("vault get --vault v --passphrase-file new --service s").failed(
                1, "authenticationFailure"))
        let changed = try folder.bash(
            "\"$SIGNET\" vault passwd --vault v --passphrase-fd 3 --new-passphrase-fd 4 3< old 4< new"
        )
        #expect(changed.isGood, "\(changed)")
        #expect(
            try folder.signet("vault get --vault v --passphrase-file new --service s").text
                == "token"
        )
        for command in [
            "get --service s", "list", "set --service s", "verify", "rotate data",
            "passwd --new-key-file k",
        ] {
            let refused = try folder.signet("vault \(command) --vault v --passphrase-file old")
            #expect(refused.failed(1, "authenticationFailure"), "\(command): \(refused)")
        }
        #expect(try kinds(folder).count == 1)
    }

    @Test("Slots are added, listed and removed; the last one stays", .tags(.commandLine))
    func slots() throws {
        let folder = try folder()
        let added = try folder.signet(
            "vault slot add --vault v --passphrase-file old --new-key-file k")
        #expect(added.isGood && added.line.count == 32, "\(added)")
        #expect(try folder.permissions("k") == 0o600)
        #expect(try folder.signet("vault get --vault v --key-file k --service s").text == "token")
        let kinds = try kinds(folder)
        #expect(
            kinds.count == 2 && kinds.contains("key")
                && kinds.contains { $0.hasPrefix("passphrase-") })
        let table = try folder.signet("vault slot list --vault v")
        #expect(table.isGood && table.text.contains(added.line))
        let proved = try folder.signet("vault slot list --vault v --key-file k --json")
        #expect(try proved.json["proved"] == .bool(true))
        #expect(
            try folder.signet(
                "vault slot remove \(String(repeating: "0", count: 32)) --vault v --key-file k"
            )
            .failed(1, "absent"))
        let removed = try folder.signet(
            "vault slot remove \(added.line.prefix(12)) --vault v --passphrase-file old")
        #expect(removed.isGood, "\(removed)")
        #expect(
            try folder.signet("vault get --vault v --key-file k --service s").failed(
                1, "authenticationFailure")
        )
        let last = try folder.signet("vault slot list --vault v --json").json
        guard case .array(let left)? = last["slots"], let id = left.first?["id"]?.text else {
            Issue.record("no slot")
            return
        }
        let refused = try folder.signet("vault slot remove \(id) --vault v --passphrase-file old")
        #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
        #expect(
            try folder.signet("vault get --vault v --passphrase-file old --service s").text
                == "token"
        )
    }

    @Test(
        "An existing key file is used and not replaced; a malformed one is refused",
        .tags(.commandLine))
    func keyFiles() throws {
        let folder = try folder()
        try folder.write(
            "k", String(repeating: "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA", count: 1))
        let before = try folder.text("k")
        #expect(
            try folder.signet("vault slot add --vault v --passphrase-file old --new-key-file k")
                .isGood)
        #expect(try folder.text("k") == before)
        #expect(try folder.signet("vault get --vault v --key-file k --service s").text == "token")
        try folder.write("short", "abc")
        #expect(
            try folder.signet("vault get --vault v --key-file short --service s").failed(
                1, "invalidKeySize"))
        #expect(
            try folder.signet("vault get --vault v --key-file absent --service s").failed(
                3, "missingKeyFile"))
        #expect(!folder.exists("absent"))
    }

    @Test("A systemd credential unlocks", .tags(.commandLine))
    func credential() throws {
        let folder = try folder()
        try folder.bash(
            "mkdir -m 700 credentials; head -c 32 /dev/urandom > credentials/vault; chmod 400 credentials/vault"
        )
        let environment = ["CREDENTIALS_DIRECTORY": folder.url.path + "/credentials"]
        func signet(_ line: String) throws -> Outcome {
            try folder.signet(line.split(separator: " ").map(String.init), environment: environment)
        }
        let added = try signet(
            "vault slot add --vault v --passphrase-file old --new-credential vault")
        #expect(added.isGood, "\(added)")
        #expect(try signet("vault get --vault v --credential vault --service s").text == "token")
        #expect(try signet("vault get --vault v --credential other --service s").status != 0)
        #expect(try signet("vault get --vault v --credential ../old --service s").status != 0)
        #expect(try folder.signet("vault get --vault v --credential vault --service s").status == 3)
    }

    @Test(
        "The data key and the root key are rotated, and the kept ways in still open",
        .tags(.commandLine))
    func rotation() throws {
        let folder = try folder()
        #expect(
            try folder.signet("vault slot add --vault v --passphrase-file old --new-key-file k")
                .isGood)
        #expect(
            try folder.signet("vault slot add --vault v --passphrase-file old --new-key-file l")
                .isGood)
        let data = try folder.signet("vault rotate data --vault v --key-file k --progress")
        #expect(data.status == 0 && data.errors.contains("of 1"), "\(data)")
        let stopped = try folder.signet("vault rotate root --vault v --key-file k")
        #expect(stopped.status == 1, "\(stopped)")
        #expect(try kinds(folder).count == 3)
        let root = try folder.signet(
            "vault rotate root --vault v --key-file k --keep-passphrase-file old --drop-others")
        #expect(root.isGood, "\(root)")
        #expect(try kinds(folder).count == 2)
        #expect(try folder.signet("vault get --vault v --key-file k --service s").text == "token")
        #expect(
            try folder.signet("vault get --vault v --passphrase-file old --service s").text
                == "token"
        )
        #expect(
            try folder.signet("vault get --vault v --key-file l --service s").failed(
                1, "authenticationFailure")
        )
        #expect(try folder.signet("vault verify --vault v --key-file k").isGood)
    }

    @Test(
        "A new passphrase is asked for twice, a known one once, and neither is shown",
        .tags(.commandLine),
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func prompts() throws {
        let folder = try CommandFolder()
        let made = try folder.terminal(["ein Wort", "ein Wort"], "vault init --vault v")
        #expect(made.status == 0 && made.text.contains("made v"), "\(made)")
        let set = try folder.terminal(
            ["ein Wort", "ein Wort2", "ein Wort2"], "vault set --vault v --service s")
        #expect(set.status == 0, "\(set)")
        let wrong = try folder.terminal(["kein Wort"], "vault list --vault v")
        #expect(wrong.status == 1 && wrong.text.contains("[authenticationFailure]"), "\(wrong)")
        let different = try folder.terminal(
            ["ein Wort", "zwei Worte", "kein Wort"], "vault passwd --vault v")
        #expect(
            different.status == 1 && different.text.contains("[passphraseMismatch]"), "\(different)"
        )
        let changed = try folder.terminal(
            ["ein Wort", "zwei Worte", "zwei Worte"], "vault passwd --vault v")
        #expect(changed.status == 0 && changed.text.contains("New passphrase: "), "\(changed)")
        #expect(try folder.terminal(["zwei Worte"], "vault list --vault v").status == 0)
        for outcome in [made, set, wrong, different, changed] {
            #expect(!outcome.text.contains("Wort"))
        }
    }

    @Test(
        "Without a terminal nothing is asked, and standard input is no answer",
        .tags(.commandLine))
    func noTerminal() throws {
        let folder = try folder()
        let outcome = try folder.bash(
            "setsid --wait \"$SIGNET\" vault get --vault v --service s",
            input: Array("ein altes Wort\n".utf8)
        )
        #expect(
            outcome.failed(3, "system") && outcome.errors.contains("--passphrase-fd"), "\(outcome)")
    }

    @Test(
        "Exactly one way in must be named",
        arguments: [
            "get --service s --passphrase --key-file k",
            "passwd --passphrase-file old --new-key-file a --new-credential b",
            "init --new-key-file \(CommandFolder.nowhere)/a --passphrase-file old",
            "get --service s --passphrase hunter2", "passwd --new-passphrase=hunter2",
            "init --backend secret-service --new-key-file \(CommandFolder.nowhere)/k",
            "verify --backend secret-service",
        ])
    func usage(_ line: String) {
        let place = line.contains("secret-service") ? "" : " --vault \(CommandFolder.nowhere)/v"
        let outcome = CommandFolder.inProcess("vault \(line)\(place)", input: "x")
        #expect(
            outcome.failed(2, "usage") && !outcome.errors.contains("hunter2"), "\(line): \(outcome)"
        )
    }

    @Test("Standard input cannot be both the value and the passphrase", .tags(.commandLine))
    func standardInput() throws {
        let outcome = try CommandFolder().signet(
            "vault set --service s --passphrase-fd 0 --vault v", input: "x")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test("A new passphrase is neither empty nor too long", .tags(.commandLine))
    func newPassphrases() throws {
        let folder = try CommandFolder()
        for words in ["", "\n"] {
            try folder.write("empty", words)
            #expect(
                try folder.signet("vault init --vault w --new-passphrase-file empty").failed(
                    1, "passphraseEmpty"))
        }
        try folder.write("long", String(repeating: "a", count: 1025))
        #expect(try folder.signet("vault init --vault w --new-passphrase-file long").status == 1)
        #expect(!folder.exists("w"))
    }
}
