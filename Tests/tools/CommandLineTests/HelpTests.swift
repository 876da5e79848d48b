// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("Help, the version, completion and exit statuses")
struct HelpTests {
    static let commands = [
        "jwk", "jwk generate", "jwk public", "jwk thumbprint", "jwk convert", "jws", "jws sign",
        "jws verify", "jwe", "jwe encrypt", "jwe decrypt",
        "jwt",
        "jwt sign", "jwt verify", "jwt inspect", "run", "seal", "open", "audit", "audit verify",
        "audit diff", "vault",
        "vault init",
        "vault set", "vault get", "vault list", "vault search", "vault copy", "vault remove",
        "vault passwd",
        "vault slot",
        "vault slot list", "vault slot add", "vault slot remove", "vault rotate",
        "vault rotate data",
        "vault rotate root", "vault verify", "vault export", "vault import", "vault migrate",
        "email", "email check", "jwks", "jwks fetch", "idtoken", "idtoken verify", "accesstoken",
        "accesstoken verify", "login", "whoami", "token", "logout", "account", "account list",
        "account delete",
    ]

    @Test(
        "Help has three forms, with an example",
        arguments: ["jwk generate", "seal", "email check", "vault verify"])
    func help(_ command: String) {
        let help = CommandFolder.inProcess("\(command) --help")
        #expect(help.isGood && help.text.contains("USAGE: signet \(command)"), "\(help)")
        #expect(help.text.contains("EXAMPLES") && help.text.contains("signet \(command) "))
        #expect(
            CommandFolder.inProcess("\(command) -h").output == help.output
                && CommandFolder.inProcess("help \(command)").output == help.output)
    }

    // The parser asks the terminal for its width: a child process has none, and gets 80 columns.
    @Test(
        "Every command has help in three forms, with an example where it takes options",
        .tags(.commandLine), arguments: commands)
    func everyHelp(_ command: String) throws {
        let folder = try CommandFolder()
        let help = try folder.signet("\(command) --help")
        #expect(help.isGood && help.text.contains("USAGE: signet \(command)"), "\(help)")
        #expect(
            try folder.signet("\(command) -h").output == help.output
                && folder.signet("help \(command)").output == help.output)
        #expect(
            help.text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE") },
            "\(help)"
        )
        guard
            ![
                "jwk", "jws", "jwe", "jwt", "jwks", "email", "vault slot", "vault rotate",
                "idtoken",
                "accesstoken", "account",
            ].contains(command)
        else {
            return
        }
        #expect(help.text.contains("EXAMPLES") && help.text.contains("signet \(command) "))
    }

    @Test(
        "Help at the end of any line goes to standard error, never with status 0",
        arguments: [
            "vault get --service x",
            "jwt verify --key \(CommandFolder.nowhere)/k --issuer i --any-audience",
            "audit --json",
            "seal --key-file \(CommandFolder.nowhere)/k --input \(CommandFolder.nowhere)/i",
        ])
    func helpAtTheEnd(_ line: String) {
        let command = line.prefix { $0 != "-" }.trimmingCharacters(in: .whitespaces)
        for word in ["--help", "-h"] {
            let outcome = CommandFolder.inProcess("\(line) \(word)")
            #expect(
                outcome.status == 2 && outcome.errors.contains("USAGE: signet \(command)"),
                "\(outcome)")
            #expect(outcome.output.isEmpty || line.contains("--json"), "\(outcome)")
            #expect(outcome.errors.contains("nothing else was done. [usage]"))
        }
    }

    @Test(
        "A wrong line is reported before a file is read",
        arguments: [
            "seal --new-key - --input \(CommandFolder.nowhere)/i",
            "jwt sign --key \(CommandFolder.nowhere)/k --lifetime 0",
            "jwt sign --key \(CommandFolder.nowhere)/k --lifetime=-1",
            "jwt sign --key \(CommandFolder.nowhere)/k --lifetime 315360001",
            "idtoken verify --provider google --client-id c --nonce-sha256 --jwks \(CommandFolder.nowhere)/j",
        ])
    func early(_ line: String) {
        let outcome = CommandFolder.inProcess(line)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
    }

    @Test("The top-level help names every command and documents the statuses")
    func root() {
        let help = CommandFolder.inProcess("--help")
        #expect(help.isGood)
        for command in Self.commands where !command.contains(" ") {
            #expect(help.text.contains("  \(command) "))
        }
        for status in [
            "0  good", "1  refused", "2  usage", "3  unavailable", "4  signed out", "5  locked",
        ] {
            #expect(help.text.contains(status))
        }
        // Where the line ends depends on the terminal.
        #expect(
            help.text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
                "never from an argument"))
    }

    @Test("--version prints the number and the commit")
    func version() throws {
        let version = try CommandFolder().signet("--version")
        let parts = version.line.split(separator: " ")
        try #require(version.isGood && parts.count == 3, "\(version)")
        #expect(parts[0].split(separator: ".").allSatisfy { Int($0) != nil })
        #expect(parts[1] == "(commit" && parts[2].hasSuffix(")"))
        let commit = parts[2].dropLast()
        let rest = commit.drop { $0.isHexDigit }
        #expect(
            commit == "unknown" || ["", "-dirty"].contains(rest) && commit.count >= 40,
            "\(version)")
    }

    @Test("bash accepts its completion script")
    func bashCompletion() throws { try expectCompletion("bash", at: CommandFolder()) }

    @Test(
        "Each shell gets its completion script", .tags(.commandLine),
        arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) throws {
        let folder = try CommandFolder()
        try expectCompletion(shell, at: folder)
        let glued = CommandFolder.inProcess("--generate-completion-script=\(shell)")
        #expect(try glued.output == folder.read("script"))
    }

    private func expectCompletion(_ shell: String, at folder: CommandFolder) throws {
        let script = CommandFolder.inProcess("--generate-completion-script \(shell)")
        #expect(
            script.isGood && script.text.contains("thumbprint")
                && script.text.contains("passphrase-fd"))
        try folder.write("script", script.output)
        // Where the shell is not installed there is nothing to ask.
        let check = try folder.bash(
            "if command -v \(shell) > /dev/null; then \(shell) -n script; fi")
        #expect(check.status == 0, "\(check)")
    }

    @Test("An unknown shell is a usage error")
    func unknownShell() {
        #expect(CommandFolder.inProcess("--generate-completion-script tcsh").failed(2, "usage"))
    }

    @Test("Statuses 0, 1, 2 and 3 each come with their JSON")
    func statuses() throws {
        let folder = try CommandFolder()
        try folder.makeKeys()
        let token = CommandFolder.inProcess(
            ["jws", "sign", "--key", folder.path("key.json")], input: [0x78]
        )
        .line
        let cases: [(Int32, String)] = [
            (0, "jws verify --json --key jwks.json \(token)"),
            (1, "jws verify --json --key jwks.json \(token)A"),
            (2, "jws verify --json --key jwks.json --nonsense \(token)"),
            (3, "jws verify --json --key absent.json \(token)"),
        ]
        for (status, command) in cases {
            let outcome = try folder.signet(command)
            #expect(outcome.status == status && !outcome.wasKilled)
            let json = try outcome.json
            #expect(
                status == 0
                    ? json["valid"] == .bool(true) : json["exitStatus"] == .integer(Int64(status)))
            #expect(status == 0 || json["error"]?["message"]?.text?.isEmpty == false)
        }
    }

    @Test(
        "Only commands that answer yes or no give a verdict, however they end",
        arguments: [
            ("jws verify --key \(CommandFolder.nowhere)/k", true),
            ("jwt verify --key \(CommandFolder.nowhere)/k --any-issuer --any-audience", true),
            (
                "idtoken verify --provider google --client-id c --jwks \(CommandFolder.nowhere)/j",
                true
            ),
            (
                "accesstoken verify --profile spring --issuer i --audience a --jwks \(CommandFolder.nowhere)/j",
                true
            ),
            ("email check --allow-domain company.example user@other.example", true),
            ("audit verify \(CommandFolder.nowhere)/r --key \(CommandFolder.nowhere)/k", true),
            ("audit diff \(CommandFolder.nowhere)/a \(CommandFolder.nowhere)/b", false),
            ("jwk thumbprint --key \(CommandFolder.nowhere)/k", false), ("jwt inspect x", false),
            ("jwe decrypt --key \(CommandFolder.nowhere)/k", false),
            ("vault verify --backend secret-service --vault \(CommandFolder.nowhere)/v", false),
        ])
    func verdicts(_ line: String, _ isVerdict: Bool) throws {
        let outcome = CommandFolder.inProcess("\(line) --json", input: "x")
        #expect(outcome.status != 0 && outcome.errors.hasPrefix("signet: "), "\(outcome)")
        #expect(try outcome.json["valid"] == (isVerdict ? .bool(false) : nil), "\(outcome)")
    }

    @Test(
        "A line that does not parse is no verdict either",
        arguments: [
            "jws verify --nonsense", "jwt verify --key", "idtoken verify --provider nobody",
            "accesstoken verify", "email check --allow-domain", "jwt verify --key k --help",
            "audit verify --nonsense", "audit verify r --key k --slow",
        ])
    func unparsed(_ line: String) throws {
        let outcome = CommandFolder.inProcess(
            line.split(separator: " ").map(String.init) + ["--json", "x"])
        #expect(outcome.status == 2, "\(outcome)")
        #expect(try outcome.json["valid"] == .bool(false), "\(outcome)")
        let marks = String(repeating: "\u{301}", count: 40)
        let words = line.split(separator: " ").prefix(2).map(String.init)
        let combined = CommandFolder.inProcess(words + ["--json", "--", "a\(marks)"])
        #expect(combined.status == 2, "\(combined)")
        #expect(try combined.json["valid"] == .bool(false), "\(combined)")
    }

    @Test(
        "Usage errors say what was expected",
        arguments: [
            "jws verify", "jwk convert --key \(CommandFolder.nowhere)/k",
            "jwk convert --key \(CommandFolder.nowhere)/k --to x",
            "jwt sign --key", "--nonsense",
        ])
    func usage(_ command: String) {
        let outcome = CommandFolder.inProcess(command)
        #expect(outcome.failed(2, "usage"), "\(outcome)")
        #expect(
            outcome.errors.contains("Usage: signet") && outcome.errors.contains("--help"),
            "\(outcome)")
    }
}
