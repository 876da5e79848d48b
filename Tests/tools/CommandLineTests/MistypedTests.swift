// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("What people mistype gets a sentence that helps")
struct MistypedTests {
    @Test(
        "An unknown command names the closest one",
        arguments: [
            ("jwt show x", "signet jwt inspect"), ("jwt decoed x", "signet jwt decode"),
            ("decode x", "signet jwt decode"), ("vualt list", "signet vault"),
            ("vault lst", "signet vault list"), ("vault del --key-file k", "signet vault remove"),
            ("vault slot ls", "signet vault slot list"), ("vault show", "signet vault get"),
            ("jwk pubic --key k", "signet jwk public"), ("jwe decript", "signet jwe decrypt"),
            ("jwk create", "signet jwk generate"),
            ("lgoin", "signet login"), ("sign-out", "signet logout"), ("encrypt", "signet seal"),
            ("rotate", "signet vault rotate"), ("vault rotate rot", "signet vault rotate root"),
            ("vault slots", "signet vault slot"), ("audit verfy r", "signet audit verify"),
            ("audit check r --key k", "signet audit verify"),
            ("thumbprint --key k", "signet jwk thumbprint"),
        ])
    func closest(_ line: String, _ wanted: String) {
        let outcome = CommandFolder.inProcess(line)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(outcome.errors.contains("There is no command 'signet "), "\(outcome)")
        #expect(outcome.errors.contains("Did you mean: \(wanted)?"), "\(outcome)")
        #expect(!outcome.errors.contains("Usage:"), "\(outcome)")
    }

    @Test(
        "A word like no command is told where they are listed, and a long one is not repeated",
        arguments: ["nonsense", "jwk nonsense", "vault Zb7mK9qV2xW5nR8t", "eyJhbGciOiJIUzI1NiJ9"])
    func nothingClose(_ line: String) {
        let outcome = CommandFolder.inProcess(line)
        #expect(outcome.failed(2, "usage") && outcome.errors.contains("--help says"), "\(outcome)")
        #expect(!outcome.errors.contains("Did you mean"), "\(outcome)")
        #expect(!outcome.errors.contains("eyJ"), "\(outcome)")
    }

    @Test(
        "An option in front of its command is told where it goes",
        arguments: [
            ("vault --vault v list", "signet vault list --vault …"),
            ("--vault=v vault list", "signet vault list --vault …"),
            ("vault --key-file k slot list", "signet vault slot list --key-file …"),
            ("jwk --key k public", "signet jwk public --key …"),
            ("audit --key k verify r", "signet audit verify --key …"),
        ])
    func misplaced(_ line: String, _ wanted: String) {
        let outcome = CommandFolder.inProcess(line)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(
            outcome.errors.contains("stands before the command")
                && outcome.errors.contains("Write: \(wanted)"), "\(outcome)")
    }

    @Test("A group of commands is named with all of its words, and -- before a command is left out")
    func groups() {
        #expect(
            CommandFolder.inProcess("vault slot").errors.contains("signet vault slot --help says"))
        #expect(
            CommandFolder.inProcess("vault rotate").errors.contains(
                "signet vault rotate --help says"))
        for line in ["-- vault get", "vault -- get --service s"] {
            let outcome = CommandFolder.inProcess(line)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            #expect(outcome.errors.contains("Leave it out: signet vault get"), "\(outcome)")
        }
    }

    @Test("Help for a command that there is not names the closest one")
    func unknownHelp() {
        let outcome = CommandFolder.inProcess("help vualt")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(outcome.errors.contains("Did you mean: signet vault?"), "\(outcome)")
        for line in ["help", "help vault", "help vault get", "help jwt verify"] {
            #expect(CommandFolder.inProcess(line).isGood, "\(line)")
        }
    }

    @Test("A message of any length still says where more is")
    func longMessages() {
        let many = (1...300).map(String.init)
        for line in [["token"] + many, ["jwt", "verify", "--nonsense"], ["jwt", "sign", "--key"]] {
            let outcome = CommandFolder.inProcess(line)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            let command = line.prefix(line[0] == "token" ? 1 : 2).joined(separator: " ")
            #expect(outcome.advice == "signet \(command) --help says more.", "\(outcome)")
        }
    }

    @Test("A path of any length leaves room for what is wrong with it")
    func longPath() {
        let name = String(repeating: "x", count: 5_000)
        for line in [["jwk", "public", "--key", name], ["open", "--key-file", name]] {
            let outcome = CommandFolder.inProcess(line, input: Array("SIGNETS1".utf8))
            #expect(outcome.status == 3 || outcome.status == 1, "\(outcome)")
            #expect(outcome.errors.utf8.count < 600, "\(outcome)")
        }
        let outcome = CommandFolder.inProcess(["jwk", "public", "--key", name])
        #expect(outcome.failed(3, "system"), "\(outcome)")
        #expect(outcome.errors.contains("File name too long"), "\(outcome)")
    }

    @Test("A value that begins with a dash is told how it is given")
    func dashes() {
        let outcome = CommandFolder.inProcess("jwt verify --audience -api")
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(outcome.advice?.contains("dash: --audience=…") == true, "\(outcome)")
        let other = CommandFolder.inProcess("jwt verify --audience --issuer i")
        #expect(other.failed(2, "usage") && !other.errors.contains("dash"), "\(other)")
    }

    @Test("An argument forges no line of a message")
    func lines() {
        for argument in ["a\nsignet: ok", "b\u{1b}[2K", "\n"] {
            let outcome = CommandFolder.inProcess(["token", argument])
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            #expect(!outcome.errors.contains("\nsignet: ok"), "\(outcome)")
            #expect(outcome.advice == "signet token --help says more.", "\(outcome)")
        }
    }

    @Test("An option that the command does not have is not to be written after it")
    func misplacedUnknown() {
        for line in ["--config c vault get", "vault --service s slot list"] {
            let outcome = CommandFolder.inProcess(line)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            #expect(outcome.errors.contains("--help says which options there are"), "\(outcome)")
        }
    }

    @Test("A passphrase in the wrong place is still told to be none of the arguments")
    func passphrase() {
        for line in ["vault --passphrase hunter2 list", "vault lst --passphrase=hunter2"] {
            let outcome = CommandFolder.inProcess(line)
            #expect(outcome.failed(2, "usage") && !outcome.errors.contains("hunter2"))
            #expect(outcome.errors.contains("A passphrase is never an argument"), "\(outcome)")
        }
    }

    @Test("No example of the help has a token among the arguments")
    func examples() {
        for command in HelpTests.commands {
            let help = CommandFolder.inProcess("\(command) --help").text
            #expect(!help.contains("-- \"$TOKEN\""), "\(command)")
        }
    }

    @Test("A ~ that no shell has expanded is named, and nothing is made (W02)")
    func tilde() throws {
        let folder = try CommandFolder()
        let key = try folder.fixture("seal.key")
        let lines = [
            "vault list --vault=~/x.signet --key-file \(key)",
            "vault init --vault=~/x.signet --new-key-file kk",
            "vault init --vault v.signet --new-key-file=~/kk",
            "vault list --key-file=~/k", "seal --key-file \(key) --output=~/o.sealed",
            "vault migrate --from file:~/x.signet --to file",
            "vault init --vault=~root/x.signet --new-key-file kk",
        ]
        for line in lines {
            let outcome = try folder.signet(line)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            #expect(outcome.errors.contains("The shell does not expand ~ there"), "\(outcome)")
            #expect(outcome.errors.contains("\"$HOME/"), "\(outcome)")
            #expect(!outcome.errors.contains("mkdir"), "\(outcome)")
        }
        let named = try folder.signet(
            ["vault", "list", "--key-file", key], environment: ["SIGNET_VAULT": "~/x.signet"])
        #expect(
            named.failed(2, "usage") && named.errors.contains("SIGNET_VAULT is '~/x.signet'")
                && named.errors.contains("\"$HOME/"), "\(named)")
        #expect(try folder.names() == [key])
        let mark = try folder.signet([
            "vault", "migrate", "--from", "file:\u{301}x", "--to", "file",
        ])
        #expect(mark.failed(3, "unavailable"), "\(mark)")
        // A file that is named so, or begins with ~, is taken.
        let made = try folder.bash(
            "echo a > '~a'; \"$SIGNET\" seal --key-file \(key) --input '~a' --output './~'")
        #expect(made.status == 0 && folder.exists("~"), "\(made)")
    }

    @Test("A vault's file that has no name is told by the option that gave it")
    func vaultNames() throws {
        let folder = try CommandFolder()
        for (line, option) in [
            ("vault import --input -", "--input"), ("vault export --output -", "--output"),
            ("vault list --vault -", "--vault"), ("vault restore --input -", "--input"),
        ] {
            let outcome = try folder.signet(line)
            #expect(outcome.failed(2, "usage"), "\(outcome)")
            #expect(outcome.errors.contains("\(option) takes the name of a file"), "\(outcome)")
        }
        let named = try folder.signet(["vault", "list"], environment: ["SIGNET_VAULT": "-"])
        #expect(
            named.failed(2, "usage") && named.errors.contains("SIGNET_VAULT takes the name"),
            "\(named)")
    }

    @Test("A folder that cannot be made has a reason (C01e)")
    func homeWithoutRoom() throws {
        let folder = try CommandFolder()
        let outcome = try folder.signet(
            ["vault", "init", "--new-key-file", "k"], environment: ["HOME": "/dev/null"])
        #expect(
            outcome.failed(3, "system") && outcome.errors.contains("Not a directory")
                && outcome.errors.contains("--vault FILE"), "\(outcome)")
        #expect(try folder.names().isEmpty)
    }

    @Test("A value at a terminal ends its line, and elsewhere it is the bytes alone")
    func terminal() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("hunter2", "a")
        try folder.keep("ended\n", "b")
        let way = "--vault vault.signet --key-file vault.key"
        #expect(try folder.terminal([], "vault get --service a \(way)").text == "hunter2\r\n")
        #expect(try folder.terminal([], "vault get --service b \(way)").text == "ended\r\n")
        #expect(
            try folder.terminal([], "vault get --service a --newline \(way)").text == "hunter2\r\n")
        #expect(try folder.signet("vault get --service a \(way)").text == "hunter2")
        #expect(try folder.signet("vault get --service b \(way)").text == "ended\n")
    }
}
