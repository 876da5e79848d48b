// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let isHere = Program.python != nil || Program.isRequired

@Suite("Attacks on signet login", .enabled(if: isHere, "python3 is not here"))
struct LoginAttackTests {
    @Test("A late sign-in does not replace a newer one of the same account")
    func lateSignIn() async throws {
        let fixture = try await LoginFixture()
        let other = try await LoginFixture()
        let late = try fixture.run(
            """
            "$SIGNET" login --no-browser --issuer \(other.issuer) $CLIENT 2> late & login=$!
            until grep -q '^http' late; do sleep 0.1; done
            DISPLAY=:0 "$SIGNET" login --issuer $ISSUER $CLIENT 2> errors || exit 99
            "$SIGNET" token > first
            xdg-open "$(grep '^http' late)"; wait $login
            """)
        let errors = try fixture.folder.text("late")
        #expect(late.status == 1 && errors.contains("[signedIn]"), "\(late) \(errors)")
        // Neither the settings nor the session are those of the other sign-in, which its server has
        // ended.
        let who = try fixture.run("\"$SIGNET\" whoami --json")
        #expect(try who.json["issuer"]?.text == fixture.issuer)
        #expect(try fixture.run("\"$SIGNET\" token").text == fixture.folder.text("first"))
        #expect(try fixture.facts()["families"] == 1 && fixture.facts()["revocations"] == 0)
        #expect(try other.facts()["families"] == 0 && other.facts()["revocations"] == 1)
    }

    @Test("The deletion address of one server gets no token of another server")
    func deletionElsewhere() async throws {
        let fixture = try await LoginFixture()
        let other = try await LoginFixture()
        try fixture.signIn("--delete-url $ISSUER/account")
        #expect(try fixture.run("\"$SIGNET\" logout").isGood)
        // It is kept for the same server,
        #expect(
            try fixture.run("DISPLAY=:0 \"$SIGNET\" login 2> errors && \"$SIGNET\" logout").status
                == 0
        )
        // and not for another one.
        #expect(
            try fixture.run(
                "DISPLAY=:0 \"$SIGNET\" login --issuer \(other.issuer) $CLIENT 2> errors"
            ).isGood)
        let deleted = try fixture.run("\"$SIGNET\" account delete --yes")
        #expect(deleted.failed(2, "usage"), "\(deleted)")
    }

    @Test(
        "A confirmation for one sign-in does nothing to a later one",
        arguments: ["account delete", "logout"])
    func changedMeanwhile(_ command: String) async throws {
        let fixture = try await LoginFixture()
        let other = try await LoginFixture()
        try fixture.signIn("--delete-url $ISSUER/account")
        let script = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/terminal", withExtension: "py"))
        let late = try fixture.run(
            """
            (
                until [ -e go.asked ]; do sleep 0.1; done
                "$SIGNET" logout --forget < /dev/null
                DISPLAY=:0 "$SIGNET" login --issuer \(other.issuer) $CLIENT > login 2>&1
                echo y > go
            ) &
            python3 -B '\(script.path)' '["file go"]' "$SIGNET" \(command)
            """)
        #expect(late.status == 1 && late.text.contains("[notConfirmed]"), "\(late)")
        let who = try fixture.run("\"$SIGNET\" whoami --json")
        #expect(try who.json["issuer"]?.text == other.issuer, "\(who)")
        #expect(try other.facts()["families"] == 1 && other.facts()["revocations"] == 0)
        #expect(try fixture.facts()["deletions"] == 0 && fixture.facts()["revocations"] == 1)
    }

    @Test("The browser gets the address and none of our descriptors")
    func descriptors() async throws {
        let fixture = try await LoginFixture()
        let program = """
            #!/bin/bash
            for open in /proc/$$/fd/*; do readlink "$open"; done > "$SIGNET_DEMO_PAGE.open"
            exec '\(FileManager.default.currentDirectoryPath)/Scripts/demo/bin/xdg-open' "$@"
            """
        try fixture.folder.write("xdg-open", program, permissions: 0o755)
        let login = try fixture.run(
            """
            exec 8<> /dev/zero
            export PATH="$PWD:$PATH" DISPLAY=:0
            "$SIGNET" login --issuer $ISSUER $CLIENT 2> errors
            """)
        #expect(login.status == 0, "\(login)")
        let open = try fixture.folder.text("page.open")
        #expect(open.contains("/dev/null") && open.contains("xdg-open"), "\(open)")
        #expect(!open.contains("socket:") && !open.contains("/dev/zero"), "\(open)")
    }
}
