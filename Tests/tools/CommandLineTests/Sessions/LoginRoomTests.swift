// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

@Suite("signet login makes room first", .enabled(if: isHere, "python3 is not here"))
struct LoginRoomTests {
    private static let busy = """
        busy() {
            python3 -B -c '
        import sqlite3, sys, time
        sqlite3.connect(sys.argv[1], isolation_level=None).execute("BEGIN IMMEDIATE")
        print(flush=True)
        time.sleep(float(sys.argv[2]))' home/.local/share/signet/sessions.signet $1
        }

        """

    @Test("A vault that is busy before the sign-in is found out before a server is asked")
    func busyBefore() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        let late = try fixture.run(
            """
            \(Self.busy)
            mkfifo held; busy 600 > held & holder=$!; read < held
            DISPLAY=:0 "$SIGNET" login --account b --issuer $ISSUER $CLIENT; status=$?
            kill $holder; exit $status
            """)
        #expect(late.failed(3, "busy"), "\(late)")
        #expect(!late.errors.contains("http"), "no address was shown: \(late)")
        #expect(!late.errors.contains("--timeout"), "\(late)")
        #expect(try fixture.facts()["logins"] == 1)
    }

    @Test("A lock that cannot be had is found out before a server is asked")
    func lock() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        let late = try fixture.run(
            """
            cd home/.local/share/signet; rm -r sessions.signet.locks; touch sessions.signet.locks
            cd - > /dev/null; DISPLAY=:0 "$SIGNET" login --account b --issuer $ISSUER $CLIENT
            """)
        #expect(late.failed(3, "unavailable"), "\(late)")
        #expect(!late.errors.contains("http"), "no address was shown: \(late)")
        #expect(try fixture.facts()["logins"] == 1)
    }

    @Test("A vault that is busy after the sign-in loses no session", .tags(.commandLine))
    func busyAfter() async throws {
        let fixture = try await LoginFixture()
        try fixture.signIn()
        let login = try fixture.run(
            """
            \(Self.busy)
            "$SIGNET" login --account b --no-browser --issuer $ISSUER $CLIENT 2> errors & login=$!
            until grep -q '^http' errors; do sleep 0.1; done
            mkfifo held; busy 4 > held & read < held
            xdg-open "$(grep '^http' errors)"; wait $login
            """)
        let errors = try fixture.folder.text("errors")
        #expect(login.status == 0, "\(login) \(errors)")
        #expect(try fixture.run("\"$SIGNET\" token --account b").isGood)
        #expect(try fixture.facts()["revocations"] == 0)
    }

    @Test(
        "A disk without room for a session is found out before a server is asked",
        .tags(.commandLine),
        .enabled(if: StartingOverTests.mounts, "mounting is not allowed here"))
    func fullDisk() async throws {
        let fixture = try await LoginFixture()
        try fixture.folder.write(
            "script",
            """
            mkdir -p -m 700 home/.local/share/signet home/.local/state
            mount -t tmpfs -o size=4m,mode=700 none home/.local/share/signet || exit 99
            DISPLAY=:0 "$SIGNET" login --issuer $ISSUER $CLIENT || exit 98
            cd home/.local/share/signet
            free() { echo $(($(stat -fc '%a * %S' .))); }
            for room in 0 16 32 64 96; do
                head -c $(($(free) - room * 1024)) /dev/zero > filler
                DISPLAY=:0 "$SIGNET" login --account b$room --issuer $ISSUER $CLIENT 2>> ../errors
                echo $? >> ../statuses
                rm filler
            done
            "$SIGNET" token > ../token || exit 97
            DISPLAY=:0 "$SIGNET" login --account b0 --issuer $ISSUER $CLIENT || exit 96
            "$SIGNET" vault list --vault sessions.signet --json \
                --key-file ../../state/signet/sessions.key > ../list || exit 95
            """)
        let outcome = try fixture.run(
            "export SIGNET ISSUER CLIENT; unshare -m bash script")
        #expect(outcome.status == 0, "\(outcome)")
        let errors = try fixture.folder.text("home/.local/share/errors")
        #expect(
            try fixture.folder.text("home/.local/share/statuses") == "3\n3\n3\n3\n3\n", "\(errors)")
        #expect(errors.contains("is full") && !errors.contains("http"), "\(errors)")
        #expect(try fixture.facts()["logins"] == 2 && fixture.facts()["revocations"] == 0)
        // Nothing is left of the room that was made.
        #expect(try !fixture.folder.text("home/.local/share/list").contains("room"))
    }
}
