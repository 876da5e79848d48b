// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

/// What can be broken, times every command with sessions: the command works, or names one that
/// does. The keyring's rows are in `LoginKeyringTests`.
@Suite("Starting over always works", .enabled(if: isHere, "python3 is not here"))
struct StartingOverTests {
    /// Something broken, and what the commands do then.
    struct Broken: Sendable, CustomTestStringConvertible {
        let name: String
        /// Breaks it, after a sign-in. `$VAULT` and `$KEY` are the files.
        let script: String
        let status: Int32
        let code: String
        /// The command that mends it, as it is named.
        let remedy: String
        /// The commands that work all the same.
        var works: Set<String> = []
        var testDescription: String { name }
    }

    private static let commands = [
        "login --issuer $ISSUER $CLIENT", "token", "whoami", "logout", "logout --forget --yes",
        "account list", "account delete --yes --url $ISSUER/account",
    ]

    private static let files = """
        VAULT=home/.local/share/signet/sessions.signet KEY=home/.local/state/signet/sessions.key
        tamper() {
            python3 -B -c '
        import sqlite3, sys
        sqlite3.connect(sys.argv[1], isolation_level=None).execute(sys.argv[2])' $VAULT "$1"
        }

        """

    private static func vault(_ name: String, _ script: String, _ status: Int32, _ code: String)
        -> Broken
    {
        Broken(
            name: name, script: script, status: status, code: code,
            remedy: "signet login --new-sessions", works: ["logout --forget --yes"])
    }

    private static func account(_ name: String, _ script: String) -> Broken {
        Broken(
            name: name, script: script, status: 1, code: "corrupt",
            remedy: "signet logout --forget", works: ["logout --forget --yes", "account list"])
    }

    private static let zero = "SET b = zeroblob(length(b))"

    @Test(
        "Each command works or names one that does", .tags(.commandLine),
        arguments: [
            vault("key file gone", "rm $KEY", 3, "missingKeyFile"),
            vault(
                "key file a link to nothing", "rm $KEY; ln -s gone $KEY", 3, "missingKeyFile"),
            vault(
                "key of another vault", "openssl rand -base64 32 > $KEY", 1, "authenticationFailure"
            ),
            vault("key file damaged", "echo x > $KEY", 1, "invalidValue"),
            vault("state damaged", "tamper 'UPDATE state \(zero)'", 1, "corrupt"),
            vault("head damaged", "tamper 'UPDATE head \(zero)'", 1, "corrupt"),
            vault("file cut off", "truncate -s 5000 $VAULT", 1, "corrupt"),
            vault("not SQLite", "head -c 20000 /dev/urandom > $VAULT", 1, "notAVault"),
            vault("a newer vault", "tamper 'PRAGMA user_version = 2'", 1, "notAVault"),
            vault("file empty", "truncate -s 0 $VAULT", 1, "notAVault"),
            account(
                "settings damaged",
                "tamper 'UPDATE val \(zero) WHERE v = (SELECT min(v) FROM val)'"),
            account(
                "session damaged",
                "tamper 'UPDATE val \(zero) WHERE v = (SELECT max(v) FROM val)'"),
            account("both damaged", "tamper 'UPDATE val \(zero)'"),
            account("item damaged", "tamper 'UPDATE item SET meta = zeroblob(length(meta))'"),
            account("item rolled back", "tamper 'UPDATE item SET gen = gen + 1'"),
            account("items gone", "tamper 'DELETE FROM item'"),
            account("buckets damaged", "tamper 'UPDATE bucket SET b = zeroblob(84)'"),
        ])
    func broken(_ broken: Broken) async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        let broke = try fixture.run("\(Self.files)\(broken.script) && mv home broken")
        #expect(broke.isGood, "\(broke)")
        let path = fixture.folder.path("home") + "/.local/share/signet/sessions.signet"
        func restore() throws { _ = try fixture.run("rm -rf home; cp -a broken home") }
        for line in Self.commands {
            try restore()
            let outcome = try fixture.run("DISPLAY=:0 \"$SIGNET\" \(line) < /dev/null")
            if broken.works.contains(line) {
                #expect(outcome.status == 0 && !outcome.wasKilled, "\(line): \(outcome)")
            } else {
                #expect(outcome.failed(broken.status, broken.code), "\(line): \(outcome)")
                #expect(outcome.errors.contains(broken.remedy), "\(line): \(outcome)")
                #expect(outcome.errors.contains(path), "\(line): \(outcome)")
            }
        }
        #expect(try fixture.facts()["deletions"] == 0)
        // The command that was named, and then a sign-in.
        try restore()
        let options = broken.remedy.contains("login") ? "--issuer $ISSUER $CLIENT" : "--yes"
        let mended = try fixture.run(
            "DISPLAY=:0 \(broken.remedy.replacingOccurrences(of: "signet", with: "\"$SIGNET\"")) \(options)"
        )
        #expect(mended.status == 0, "\(mended)")
        if options == "--yes" { try fixture.signIn() }
        #expect(try fixture.run("\"$SIGNET\" token").isGood)
        #expect(try fixture.run("\"$SIGNET\" whoami").isGood)
    }

    @Test("Sessions that are set aside keep their files, and are said to live on")
    func setAside() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        try fixture.signIn("--account work")
        let gone = try fixture.run(
            "\(Self.files) mv $KEY key; touch $VAULT-wal; chmod 600 $VAULT-wal")
        #expect(gone.isGood, "\(gone)")
        let anew = try fixture.run(
            "DISPLAY=:0 \"$SIGNET\" login --new-sessions --issuer $ISSUER $CLIENT")
        #expect(anew.status == 0 && anew.errors.contains("still live at their servers"), "\(anew)")
        let names = try fixture.run("ls -A home/.local/share/signet").text
        #expect(names.contains("sessions.signet.unreadable-20"), "\(names)")
        #expect(!names.contains("sessions.signet-wal\n"), "\(names)")
        #expect(try fixture.run("\"$SIGNET\" token").isGood)
        #expect(try fixture.run("\"$SIGNET\" token --account work").failed(4, "signedOut"))
        // With the key, the old sessions are there.
        let back = try fixture.run(
            "\(Self.files) mv key $KEY; rm $VAULT; mv $VAULT.unreadable-????-??-?? $VAULT; \"$SIGNET\" token --account work"
        )
        #expect(back.isGood, "\(back)")
        // Nothing is set aside that opens.
        let signedIn = try fixture.run("\"$SIGNET\" login --new-sessions")
        #expect(signedIn.failed(1, "signedIn"), "\(signedIn)")
    }

    @Test("Forgetting a damaged account keeps the others, however deep the damage is")
    func othersStay() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        try fixture.signIn("--account work")
        let work = try fixture.run("\"$SIGNET\" token --account work").line
        let broke = try fixture.run(
            "\(Self.files) tamper 'UPDATE val \(Self.zero) WHERE v = (SELECT min(v) FROM val)'")
        #expect(broke.isGood, "\(broke)")
        let forgotten = try fixture.run("\"$SIGNET\" logout --forget < /dev/null")
        #expect(forgotten.status == 0, "\(forgotten)")
        #expect(try fixture.run("\"$SIGNET\" token").failed(4, "signedOut"))
        #expect(try fixture.run("\"$SIGNET\" token --account work").line == work)
        let list = try fixture.run("\"$SIGNET\" account list")
        #expect(list.isGood && !list.text.contains("default"), "\(list)")
    }

    @Test("At a terminal the sign-in asks before it sets anything aside", .tags(.commandLine))
    func question() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        _ = try fixture.run("\(Self.files) rm $KEY")
        let line = "login --no-browser --timeout 1 --issuer \(fixture.issuer) --client-id cli"
        // Without the vault nobody knows the server, so there is nothing to ask yet.
        for plain in ["login", "login --new-sessions"] {
            let said = try fixture.terminal([], plain)
            #expect(said.status == 3 && said.text.contains("[missingKeyFile]"), "\(said)")
            #expect(said.text.contains("home/.local/share/signet/sessions.signet"), "\(said)")
            #expect(said.text.contains("is gone"), "\(said)")
            #expect(said.text.contains("signet login --new-sessions --issuer URL"), "\(said)")
        }
        let kept = try fixture.terminal(["n"], line)
        #expect(kept.status == 3 && kept.text.contains("[missingKeyFile]"), "\(kept)")
        #expect(try !fixture.run("ls home/.local/share/signet").text.contains(".unreadable-"))
        let anew = try fixture.terminal(["y"], line)
        #expect(anew.text.contains("[expired]"), "the sign-in began: \(anew)")
        #expect(try fixture.run("ls home/.local/share/signet").text.contains(".unreadable-20"))
        let forgotten = try fixture.run(
            "\(Self.files) rm $KEY; \"$SIGNET\" logout --forget < /dev/null")
        #expect(forgotten.status == 3 && forgotten.errors.contains("--yes"), "\(forgotten)")
    }

    @Test("Where there are no sessions, nothing is asked about them", .tags(.commandLine))
    func remains() async throws {
        let fixture = try await LoginFixture()
        let made = try fixture.run(
            "\(Self.files) mkdir -p -m 700 home/.local/state/signet; echo x > $KEY; chmod 600 $KEY")
        #expect(made.isGood, "\(made)")
        let login = try fixture.terminal(
            [], "login --no-browser --timeout 1 --issuer \(fixture.issuer) --client-id cli")
        #expect(login.status == 1 && login.text.contains("[invalidValue]"), "\(login)")
        #expect(!login.text.contains("[y/N]"), "\(login)")
    }

    @Test("A vault that opens by the time of the answer is not set aside", .tags(.commandLine))
    func opensByNow() async throws {
        for command in ["login --no-browser --issuer $ISSUER --client-id cli", "logout --forget"] {
            let fixture = try await LoginFixture()
            try fixture.signIn()
            let line = command.replacingOccurrences(of: "$ISSUER", with: fixture.issuer)
            let broke = try fixture.run("\(Self.files) mv $KEY key")
            #expect(broke.isGood)
            // While the question waits, the key is put back.
            async let back = fixture.run(
                "\(Self.files) until [ -e answer.asked ]; do sleep 0.05; done; mv key $KEY; echo y > answer"
            )
            let asked = try fixture.terminal(["file answer"], line)
            #expect(try await back.isGood)
            #expect(asked.status == 1 && asked.text.contains("[changed]"), "\(asked)")
            #expect(try fixture.run("\"$SIGNET\" token").isGood)
            let names = try fixture.run("ls home/.local/share/signet").text
            #expect(!names.contains("unreadable"), "\(names)")
        }
    }

    @Test("If the other accounts cannot be moved to a new vault, they stay where they were")
    func salvageFails() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        try fixture.signIn("--account work")
        let broke = try fixture.run("\(Self.files) tamper 'UPDATE bucket SET b = zeroblob(84)'")
        #expect(broke.isGood, "\(broke)")
        // No file may be as long as a vault.
        let full = try fixture.run("ulimit -f 40; \"$SIGNET\" logout --forget --yes")
        #expect(full.status == 3 && full.errors.contains("put back as"), "\(full)")
        #expect(try fixture.run("\"$SIGNET\" token --account work").failed(1, "corrupt"))
        let forgotten = try fixture.run("\"$SIGNET\" logout --forget --yes")
        #expect(forgotten.status == 0, "\(forgotten)")
        #expect(try fixture.run("\"$SIGNET\" token --account work").isGood)
    }

    @Test("The second vault, too, is set aside by the command that its messages name")
    func secondVault() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        _ = try fixture.run(
            "cd home/.local/share/signet; cp sessions.signet sessions-file.signet; ls")
        let list = try fixture.run("\"$SIGNET\" account list")
        #expect(list.errors.contains("begin anew: signet login --new-sessions"), "\(list)")
        try fixture.signIn("--account work --new-sessions")
        let after = try fixture.run("\"$SIGNET\" account list")
        #expect(after.isGood && after.text.contains("default"), "\(after)")
        let names = try fixture.run("ls home/.local/share/signet").text
        #expect(names.contains("sessions-file.signet.unreadable-"), "\(names)")
    }

    @Test(
        "In a folder that cannot be searched nobody is said to be signed out", .tags(.commandLine),
        arguments: ["home/.local/share/signet", "home/.local/share"])
    func unsearchable(_ path: String) async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        // Permissions stop root only without its capabilities.
        let drop = getuid() == 0 ? "setpriv --bounding-set -all --inh-caps -all " : ""
        for line in ["token", "whoami", "account list", "logout", "logout --forget --yes"] {
            let outcome = try fixture.run(
                "chmod 0 \(path); \(drop)\"$SIGNET\" \(line); S=$?; chmod 700 \(path); exit $S"
            )
            #expect(outcome.failed(3, "unavailable"), "\(line): \(outcome)")
        }
        #expect(try fixture.run("\"$SIGNET\" token").isGood)
    }

    /// Whether this process may mount: root, where namespaces are allowed.
    static let mounts: Bool = {
        let outcome = try? CommandFolder().bash("mkdir m && unshare -m mount --bind m m")
        return outcome?.status == 0
    }()

    @Test(
        "In a read-only folder a fresh token is given, and nothing is begun at a server",
        .tags(.commandLine), .enabled(if: mounts, "mounting is not allowed here"))
    func readOnly() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        func mounted(_ line: String) throws -> Outcome {
            try fixture.run(
                "D=home/.local/share; export SIGNET ISSUER CLIENT; unshare -m bash -c 'mount --bind $0 $0 && mount -o remount,ro,bind $0 && DISPLAY=:0 \"$SIGNET\" \(line)' $D"
            )
        }
        for line in ["token", "whoami", "account list"] {
            #expect(try mounted(line).isGood, "\(line)")
        }
        for line in [
            "login --account b --issuer $ISSUER $CLIENT", "logout", "logout --forget --yes",
        ] {
            let outcome = try mounted(line)
            #expect(outcome.failed(3, "readOnly"), "\(line): \(outcome)")
            #expect(outcome.errors.contains("XDG_DATA_HOME=FOLDER signet login"), "\(outcome)")
            #expect(outcome.errors.contains(fixture.folder.path("home/.local/share/signet")))
        }
        #expect(try fixture.facts()["logins"] == 1)
        let elsewhere = try fixture.run(
            "XDG_DATA_HOME=$PWD/other DISPLAY=:0 \"$SIGNET\" login --issuer $ISSUER $CLIENT")
        #expect(elsewhere.status == 0, "\(elsewhere)")
    }

    @Test("Without HOME the account's home is used, as for the locks")
    func withoutHome() throws {
        let folder = try CommandFolder()
        // It only looks: this is the home of whoever runs the tests.
        let bare = try folder.bash("env -i \"$SIGNET\" whoami --account 'no such account'")
        #expect(bare.status != 2, "\(bare)")
        let home = try folder.bash(
            "env -i HOME=\"$(getent passwd $(id -u) | cut -d: -f6)\" \"$SIGNET\" whoami --account 'no such account'"
        )
        #expect(home.status == bare.status && home.errors == bare.errors, "\(home) \(bare)")
    }
}
