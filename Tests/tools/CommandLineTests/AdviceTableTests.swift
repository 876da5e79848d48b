// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Testing
import signet

@Suite("The table of advice") struct AdviceTableTests {
    @Test("Every command is in exactly one situation")
    func situations() {
        let named = Situation.allCases.flatMap(\.commands)
        #expect(named.sorted() == CommandOptions.all.keys.sorted())
    }

    @Test("Every option that a row names is one of the commands in its situations")
    func options() {
        #expect(Advice.table.count > 40)
        for row in Advice.table {
            for command in row.situations.flatMap(\.commands) {
                #expect(CommandOptions.unknown(in: row.text, of: command).isEmpty, "\(row.text)")
            }
        }
    }

    @Test("No row that is not of making says to make a key or a vault")
    func making() {
        for row in Advice.table where !row.situations.contains(.makingKeys) {
            for words in ["new one", "generate", "vault init", "new-key", "openssl rand"] {
                #expect(!row.text.contains(words), "\(row.text)")
            }
        }
    }

    @Test("The options behind another command are that command's")
    func reading() {
        let options = Advice.options(
            in: "See 'signet jwt inspect'. Try: signet vault verify{--vault} --read lazy. Or --x-1."
        )
        #expect(options.map(\.option) == ["--vault", "--read", "--x-1"])
        #expect(options.map(\.command) == ["vault verify", "vault verify", nil])
    }

    @Test("Of an option given twice the last value is repeated, as a shell's word")
    func repeatsLast() throws {
        let folder = try CommandFolder()
        let (vault, key) = (folder.path("it's\nv"), folder.path("v.key"))
        let made = CommandFolder.inProcess([
            "vault", "init", "--vault", vault, "--new-key-file", key,
        ])
        #expect(made.status == 0, "\(made)")
        try folder.write("other.key", String(repeating: "A", count: 42) + "E=")
        let outcome = CommandFolder.inProcess([
            "vault", "list", "--vault", folder.path("first"), "--vault=\(vault)", "--key-file",
            folder.path("other.key"),
        ])
        #expect(outcome.failed(1, "authenticationFailure"), "\(outcome)")
        let word = "$'\(folder.path("it\\'s\\012v"))'"
        #expect(outcome.advice?.hasSuffix("--vault \(word)") == true, "\(outcome)")
        #expect(try folder.bash("test -e \(word)").status == 0)
    }

    @Test(
        "The line's own path and options are repeated",
        arguments: [
            ("--vault", "--vault 'VAULT'"), ("--vault=", "--vault 'VAULT'"),
        ])
    func repeats(_ option: String, _ wanted: String) throws {
        let folder = try CommandFolder()
        let (vault, key) = (folder.path("v.signet"), folder.path("v.key"))
        let made = CommandFolder.inProcess([
            "vault", "init", "--vault", vault, "--new-key-file", key,
        ])
        #expect(made.status == 0, "\(made)")
        try folder.write("other.key", String(repeating: "A", count: 42) + "E=")
        // The parser takes the last.
        let given =
            ["--vault", folder.path("another")]
            + (option.hasSuffix("=") ? [option + vault] : [option, vault])
        let outcome = CommandFolder.inProcess(
            ["vault", "list"] + given + ["--key-file", folder.path("other.key")])
        #expect(outcome.failed(1, "authenticationFailure"), "\(outcome)")
        let advice = "signet vault slot list \(wanted.replacing("VAULT", with: vault))"
        #expect(outcome.advice?.hasSuffix(advice) == true, "\(outcome)")
    }
}
