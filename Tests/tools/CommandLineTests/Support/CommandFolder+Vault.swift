// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import SignetVault
import Testing

extension CommandFolder {
    /// `vault.signet`, opened by `vault.key`: no derivation makes the tests slow.
    func makeVault() throws {
        let key = (1...32).map { UInt8($0) }
        try write("vault.key", key)
        try FileVault.create(at: path("vault.signet"), with: RawKeyUnlock(SecretKey(copying: key)))
            .close()
    }

    /// Runs `signet vault` on that vault.
    @discardableResult
    func vault(_ line: String, input: [UInt8] = []) throws -> Outcome {
        try vault(line.split(separator: " ").map(String.init), input: input)
    }

    /// Runs `signet vault` on that vault, with arguments that hold spaces.
    @discardableResult
    func vault(_ arguments: [String], input: [UInt8] = []) throws -> Outcome {
        try signet(
            ["vault"] + arguments + ["--vault", "vault.signet", "--key-file", "vault.key"],
            input: input)
    }

    /// Keeps a text in it.
    func keep(_ text: String, _ service: String, _ account: String = "") throws {
        let outcome = try vault(
            ["set", "--service", service, "--account", account], input: Array(text.utf8))
        #expect(outcome.isGood, "\(outcome)")
    }

    /// Runs `signet` at a terminal of its own, where the answers are typed one at each prompt.
    ///
    /// - Parameter environment: settings of the kind of terminal, as the shell takes them.
    func terminal(
        _ answers: [String], _ command: String, environment: String = "TERM=dumb"
    ) throws -> Outcome {
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/terminal", withExtension: "py"))
        let list = "[" + answers.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        return try bash(
            "\(environment) python3 -B '\(script.path)' '\(list)' \"$SIGNET\" \(command)")
    }

    /// Runs Python on the vault as a database, without Signet, as a person with a hex editor would.
    func tamper(_ statements: String) throws {
        let outcome = try bash(
            """
            python3 -B -c '
            import sqlite3, sys
            database = sqlite3.connect("vault.signet", isolation_level=None)
            for statement in sys.argv[1].split(";"): database.execute(statement)
            ' "\(statements)"
            """)
        #expect(outcome.status == 0, "\(outcome)")
    }

    /// The names of the items that a list or a search shows, as `service/account`.
    func items(_ line: String) throws -> [String] {
        let outcome = try vault(line + " --json")
        #expect(outcome.isGood, "\(outcome)")
        guard case .array(let items)? = try outcome.json["items"] else { return [] }
        return items.map { "\($0["service"]?.text ?? "?")/\($0["account"]?.text ?? "?")" }
    }
}
