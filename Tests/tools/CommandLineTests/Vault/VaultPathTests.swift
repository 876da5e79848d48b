// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

@Suite("signet vault: the file and its place")
struct VaultPathTests {
    @Test("An existing vault is not replaced, and a missing one is status 3")
    func thereAndAbsent() throws {
        let folder = try CommandFolder()
        try folder.write("v", "precious")
        #expect(
            try folder.signet("vault init --vault v --new-key-file k").failed(1, "alreadyExists"))
        #expect(try folder.text("v") == "precious" && folder.names() == ["v"])
        #expect(
            try folder.signet("vault list --vault absent --key-file k").failed(3, "unavailable"))
    }

    @Test("What makes a missing vault names its file, and is followed")
    func makingMissing() throws {
        let folder = try CommandFolder()
        let outcome = try folder.signet(["vault", "list", "--vault", "it's", "--key-file", "k"])
        #expect(outcome.failed(3, "unavailable"), "\(outcome)")
        let command = #"signet vault init --vault 'it'\''s'"#
        #expect(outcome.advice?.hasSuffix(command) == true, "\(outcome)")
        let made = try folder.bash(
            command.replacing("signet ", with: "\"$SIGNET\" ") + " --new-key-file k")
        #expect(made.status == 0 && folder.exists("it's"), "\(made)")
        let moved = try folder.signet("vault migrate --from file:gone --to file:there")
        #expect(moved.failed(3, "unavailable"), "\(moved)")
        #expect(moved.errors.contains("Name another: --from file:FILE."), "\(moved)")
        #expect(moved.errors.contains("signet vault init --vault 'gone'"), "\(moved)")
        #expect(!moved.errors.contains("another: --vault"), "\(moved)")
    }

    @Test(
        "The default is $SIGNET_VAULT, $XDG_DATA_HOME or ~/.local/share, in a private folder",
        .tags(.commandLine))
    func places() throws {
        let folder = try CommandFolder()
        let home = folder.url.path
        func signet(_ line: String, _ environment: [String: String]) throws -> Outcome {
            try folder.signet(
                line.split(separator: " ").map(String.init), input: [1],
                environment: environment.merging(["HOME": home]) { a, _ in a })
        }
        let cases: [([String: String], String)] = [
            (["XDG_DATA_HOME": home + "/data"], "data/signet/vault.signet"),
            ([:], ".local/share/signet/vault.signet"),
            (
                ["XDG_DATA_HOME": "relative", "SIGNET_VAULT": ""],
                ".local/share/signet/vault.signet"
            ),
            (["SIGNET_VAULT": "named"], "named"),
        ]
        for (environment, place) in cases {
            let taken = folder.exists(place)
            let made = try signet("vault init --new-key-file k --json", environment)
            guard !taken else {
                #expect(made.status == 1, "\(made)")
                continue
            }
            #expect(
                try made.isGood && made.json["vault"]?.text?.hasSuffix(place) == true, "\(made)")
            #expect(try folder.permissions(place) == 0o600)
            #expect(try signet("vault set --service s --key-file k", environment).isGood)
            #expect(try signet("vault get --service s --key-file k", environment).output == [1])
        }
        #expect(
            try folder.permissions("data/signet") == 0o700
                && folder.permissions(".local/share/signet") == 0o700)
        let homeless = try folder.bash(
            "env -u HOME -u XDG_DATA_HOME -u SIGNET_VAULT \"$SIGNET\" vault list")
        #expect(!homeless.failed(2, "usage"), "the account's home is known: \(homeless)")
    }

    @Test("init replaces neither a vault nor any other file", .tags(.commandLine))
    func neverReplaced() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("x", "s")
        try folder.write("other", "precious")
        for name in ["vault.signet", "other", "."] {
            let outcome = try folder.signet("vault init --vault \(name) --new-key-file k")
            #expect(outcome.failed(1, "alreadyExists"), "\(outcome)")
        }
        #expect(
            try folder.text("other") == "precious" && folder.vault("get --service s").text == "x")
        #expect(!folder.exists("k"))
        #expect(try folder.signet("vault init --vault absent/v --new-key-file k").status == 3)
    }

    @Test("A missing file: status 3 with advice", .tags(.commandLine))
    func absent() throws {
        let folder = try CommandFolder()
        try folder.write("k", [UInt8](1...32))
        for command in [
            "get --service s", "list", "verify", "slot list", "passwd --new-key-file n",
            "rotate data",
        ] {
            let outcome = try folder.signet("vault \(command) --vault absent --key-file k")
            #expect(
                outcome.failed(3, "unavailable") && outcome.errors.contains("vault init"),
                "\(command): \(outcome)")
        }
        #expect(try folder.names() == ["k"])
    }

    @Test(
        "A file, link or folder that others can change is refused, with the command that fixes it",
        .tags(.commandLine))
    func permissions() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("x", "s")
        for mode in ["644", "640", "602"] {
            try folder.bash("chmod \(mode) vault.signet")
            let outcome = try folder.vault("get --service s")
            #expect(
                outcome.failed(1, "insecureFile") && outcome.errors.contains("chmod 600"),
                "\(mode): \(outcome)")
        }
        try folder.bash(
            "chmod 600 vault.signet; ln -s vault.signet link; mkdir open; cp vault.signet open; chmod 777 open"
        )
        #expect(try folder.vault("get --service s").text == "x")
        #expect(
            try folder.signet("vault get --service s --vault link --key-file vault.key").failed(
                1, "insecureFile"))
        let open = try folder.signet(
            "vault get --service s --vault open/vault.signet --key-file vault.key")
        #expect(open.failed(1, "insecureFile"), "\(open)")
    }

    @Test(
        "A file that is not a vault is refused", .tags(.commandLine),
        arguments: ["", "x", String(repeating: "SQLite format 3\0", count: 300)])
    func noVault(_ content: String) throws {
        let folder = try CommandFolder()
        try folder.write("v", content)
        try folder.write("k", [UInt8](1...32))
        let outcome = try folder.signet("vault get --service s --vault v --key-file k")
        #expect(outcome.status == 1 && !outcome.wasKilled && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errors.contains("[notAVault]") || outcome.errors.contains("[corrupt]"),
            "\(outcome)")
        #expect(try folder.text("v") == content)
    }

    @Test("A file-size limit: status 3, and the vault is unchanged", .tags(.commandLine))
    func fileSizeLimit() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        try folder.keep("x", "s")
        let outcome = try folder.bash(
            """
            ulimit -f 0; \
            printf y | "$SIGNET" vault set --service s --vault vault.signet --key-file vault.key
            """)
        #expect(outcome.status == 3 && !outcome.wasKilled, "\(outcome)")
        #expect(try folder.vault("get --service s").text == "x")
        #expect(try folder.vault("verify").isGood)
    }
}
