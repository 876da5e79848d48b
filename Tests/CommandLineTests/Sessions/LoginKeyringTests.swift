// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

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
        let desk = try await LoginDesk()
        try desk.desk.write(
            "script",
            Self.keyring + """
                DISPLAY=:0 "$SIGNET" login --issuer \(desk.issuer) --client-id cli > login || exit 1
                "$SIGNET" token > token || exit 2
                find home -name sessions.key | grep . && exit 3
                gnome-keyring-daemon --replace --components=secrets > /dev/null 2>&1; sleep 0.5
                for line in token whoami "account list" "login --account other"; do
                    "$SIGNET" $line > out 2>> locked; echo "$?" >> statuses; cat out >> said
                done
                exit 0
                """)
        let outcome = try desk.run("dbus-run-session -- bash script")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try desk.desk.text("token").utf8.count == 33)
        #expect(try desk.desk.text("statuses") == "5\n5\n5\n5\n")
        let errors = try desk.desk.text("locked")
        #expect(errors.contains("[locked]") && errors.contains("Unlock the keyring"), "\(errors)")
        #expect(try desk.desk.read("said").isEmpty && !errors.contains("waiting for"))
    }
}
