// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("signet login with a keyring")
struct LoginKeyringTests {
    /// With a keyring of the tests' own in the home, unlocked.
    private static let keyring = """
        export XDG_RUNTIME_DIR="$PWD/run" XDG_DATA_HOME="$PWD/home/data"
        mkdir -p -m 700 home/data run
        printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1

        """

    @Test(
        "The key is only in the keyring; a locked keyring is status 5, without a prompt",
        .tags(.commandLine), .enabled(if: Program.keyring, "no keyring is here"))
    func keyring() async throws {
        let fixture = try await LoginFixture()
        try fixture.folder.write(
            "script",
            Self.keyring + """
                DISPLAY=:0 "$SIGNET" login --issuer \(fixture.issuer) --client-id cli > login || exit 1
                "$SIGNET" token > token || exit 2
                find home -name sessions.key | grep . && exit 3
                gnome-keyring-daemon --replace --components=secrets > /dev/null 2>&1; sleep 0.5
                for line in token whoami "account list" "login --account other"; do
                    "$SIGNET" $line > out 2>> locked; echo "$?" >> statuses; cat out >> said
                done
                exit 0
                """)
        let outcome = try fixture.run("dbus-run-session -- bash script")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try fixture.folder.text("token").utf8.count == 33)
        #expect(try fixture.folder.text("statuses") == "5\n5\n5\n5\n")
        let errors = try fixture.folder.text("locked")
        #expect(errors.contains("[locked]") && errors.contains("Unlock the keyring"), "\(errors)")
        #expect(try fixture.folder.read("said").isEmpty && !errors.contains("waiting for"))
    }

    /// Runs a script in which the user has signed in with the keyring, and its helpers:
    /// `answer LINE` notes a command's status and what it says, `bare COMMAND` runs it without a
    /// session bus, and `silence` stops the keyring, which then answers nothing.
    private func run(_ fixture: LoginFixture, _ script: String) throws -> String {
        try fixture.folder.write(
            "script",
            Self.keyring + """
                OPTIONS="--issuer \(fixture.issuer) --client-id cli"
                export DISPLAY=:0
                "$SIGNET" login $OPTIONS > login || exit 90
                answer() {
                    "$SIGNET" "$@" > output 2> errors < /dev/null
                    echo "$1: $?"
                    sed -n '/browser opens/d; s/^signet: //p; s/^        //p' errors
                }
                bare() { DBUS_SESSION_BUS_ADDRESS="unix:path=$PWD/none" "$@"; }
                silence() {
                    silent=$(dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus \
                        / org.freedesktop.DBus.GetConnectionUnixProcessID \
                        string:org.freedesktop.secrets | awk '{ print $2 }')
                    kill -STOP "$silent"
                    trap 'kill -KILL "$silent"' EXIT
                }

                """ + script)
        let outcome = try fixture.run("dbus-run-session -- bash script")
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.text
    }

    @Test(
        "Without a session bus a second vault is used, the later sign-in answers, and both end",
        .tags(.commandLine), .enabled(if: Program.keyring, "no keyring is here"))
    func noBus() async throws {
        let fixture = try await LoginFixture()
        let said = try run(
            fixture,
            """
            for line in token whoami logout "account list" "logout --forget --yes" \
                "account delete --yes --url \(fixture.issuer)/account"
            do
                bare answer $line
            done
            bare answer login
            bare answer login $OPTIONS
            bare answer token; cp output bare-token
            bare answer whoami
            bare answer login $OPTIONS
            answer token; cp output token
            answer account list
            bare answer logout
            answer logout; answer token
            bare answer token
            bare answer login $OPTIONS; bare answer login --account b $OPTIONS
            bare answer account list; cat output
            find home -name 'sessions*' -type f -printf '%f %m\\n' | sort
            """)
        let path = fixture.folder.path("home/data/signet/sessions.signet")
        let none = "The key of '\(path)' is in the desktop's keyring, and there is no keyring here."
        let login = "signet login --issuer URL --client-id ID (or --supabase URL --key KEY)"
        let lines = said.split(separator: "\n").map(String.init)
        let start = ["token", "whoami", "logout", "account", "logout", "account"].flatMap {
            ["\($0): 3", "\(none) [unavailable]", "Sign in here as well: \(login)"]
        }
        #expect(Array(lines.prefix(start.count)) == start, "\(said)")
        #expect(
            said.contains(
                "login: 3\n\(none) [unavailable]\nSign in here as well: \(login)\n"
                    + "login: 0\ntoken: 0\nwhoami: 0\nlogin: 1\n"),
            "signed in there: \(said)")
        #expect(
            try fixture.folder.text("token") == fixture.folder.text("bare-token"), "the later one")
        #expect(
            said.contains("logout: 3\nSigned out, except perhaps in another vault. \(none)"),
            "\(said)")
        #expect(said.contains("logout: 0\ntoken: 4\n"), "\(said)")
        #expect(
            lines.filter { $0 == "token: 3" }.count == 2, "never 4 while one is closed: \(said)")
        #expect(said.contains("warning: \(none)"), "\(said)")
        #expect(
            said.hasSuffix(
                "sessions-file.key 600\nsessions-file.signet 600\nsessions.signet 600\n"),
            "nothing was set aside: \(said)")
        // Both first sessions have ended at the server too.
        #expect(try fixture.facts()["families"] == 2 && fixture.facts()["revocations"] == 2)
        #expect(try fixture.facts()["deletions"] == 0)
    }

    @Test(
        "A logout ends both sessions", .tags(.commandLine),
        .enabled(if: Program.keyring, "no keyring is here"))
    func bothEnd() async throws {
        let fixture = try await LoginFixture()
        let said = try run(
            fixture,
            """
            bare answer login $OPTIONS
            answer logout
            answer token
            """)
        #expect(said.hasPrefix("login: 0\nlogout: 0\ntoken: 4\n"), "\(said)")
        #expect(try fixture.facts()["families"] == 0 && fixture.facts()["revocations"] == 2)
    }

    @Test(
        "A keyring that is silent or locked is named, and --without-keyring signs in beside it",
        .tags(.commandLine), .enabled(if: Program.keyring, "no keyring is here"),
        arguments: ["silence", "lock"])
    func closedKeyring(_ how: String) async throws {
        let fixture = try await LoginFixture()
        let said = try run(
            fixture,
            """
            lock() { gnome-keyring-daemon --replace --components=secrets > /dev/null 2>&1; sleep 0.5; }
            \(how)
            for line in token whoami logout "account list" "login $OPTIONS"; do answer $line; done
            answer login --without-keyring $OPTIONS
            cat output
            answer token
            """)
        let status = how == "lock" ? 5 : 3
        for command in ["token", "whoami", "logout", "account", "login"] {
            #expect(said.contains("\(command): \(status)\n"), "\(said)")
        }
        #expect(
            said.components(separatedBy: "signet login --without-keyring").count == 6, "\(said)")
        #expect(
            said.components(separatedBy: how == "lock" ? "[locked]" : "The keyring is silent").count
                == 6, "\(said)")
        #expect(!said.contains("--timeout"), "\(said)")
        #expect(said.contains("login: 0\nsigned in as jane@shop.example"), "\(said)")
        #expect(said.hasSuffix("token: 0\n"), "\(said)")
    }

    @Test(
        "A first sign-in at a silent keyring names --without-keyring, which works",
        .tags(.commandLine), .enabled(if: Program.keyring, "no keyring is here"))
    func firstAtSilent() async throws {
        let fixture = try await LoginFixture()
        let said = try run(
            fixture,
            """
            rm home/data/signet/sessions.signet
            silence
            answer login $OPTIONS
            answer login --without-keyring $OPTIONS
            answer token
            """)
        #expect(said.hasPrefix("login: 3\nThe keyring is silent: "), "\(said)")
        #expect(said.contains("signet login --without-keyring\nlogin: 0\ntoken: 0\n"), "\(said)")
    }

    @Test(
        "A keyring without the key is a lost key, which --new-sessions mends",
        .tags(.commandLine), .enabled(if: Program.keyring, "no keyring is here"))
    func lostKey() async throws {
        let fixture = try await LoginFixture()
        let said = try run(
            fixture,
            """
            rm -rf home/.local/share/keyrings home/data/keyrings
            gnome-keyring-daemon --replace --components=secrets > /dev/null 2>&1; sleep 0.5
            printf pw | gnome-keyring-daemon --replace --unlock --components=secrets > /dev/null 2>&1
            answer token
            answer login --new-sessions $OPTIONS
            answer token
            """)
        #expect(said.hasPrefix("token: 1\nThe desktop's keyring has no key of "), "\(said)")
        #expect(
            said.contains("signet login --new-sessions --issuer URL")
                && said.contains("login: 0\nset aside as "), "\(said)")
        #expect(said.contains("still live at their servers"), "\(said)")
        #expect(said.hasSuffix("token: 0\n"), "\(said)")
    }
}
