// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

/// What the command line does with a real keyring: one of the tests' own, in a private home.
@Suite("signet vault --backend secret-service")
struct VaultKeyringTests {
    private static let isHere = Program.keyring

    /// Runs a script with a keyring that is unlocked; `$WAY` names it.
    private func run(_ folder: CommandFolder, _ script: String) throws -> Outcome {
        try folder.write(
            "script",
            """
            export HOME="$PWD/home" XDG_DATA_HOME="$PWD/home/data" XDG_RUNTIME_DIR="$PWD/run"
            unset DISPLAY WAYLAND_DISPLAY
            mkdir -p -m 700 home home/data run
            printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
            WAY="--backend secret-service"
            \(script)
            """)
        // The bus prints messages about limits that do not concern us.
        return try folder.bash(
            "dbus-run-session -- bash script 2> errors; status=$?; grep -v dbus-daemon errors >&2; exit $status"
        )
    }

    @Test(
        "Items are set, read, listed and removed, with any bytes", .tags(.commandLine),
        .enabled(if: isHere, "no keyring is here"))
    func items() throws {
        let folder = try CommandFolder()
        try folder.write("value", [UInt8](0...255))
        let outcome = try run(
            folder,
            """
            set -e
            "$SIGNET" vault set $WAY --service s --account a --label L < value
            "$SIGNET" vault get $WAY --service s --account a > got
            "$SIGNET" vault get $WAY --service s --account a --json > json
            "$SIGNET" vault set $WAY --service s --account b --value-file script
            "$SIGNET" vault list $WAY --json > list
            "$SIGNET" vault remove $WAY --service s --account b
            "$SIGNET" vault list $WAY --application another --json > none
            set +e
            "$SIGNET" vault get $WAY --service s --account b > absent 2> absent.errors; echo $? > absent.status
            """)
        #expect(outcome.isGood, "\(outcome)")
        #expect(try folder.read("got") == [UInt8](0...255))
        #expect(try folder.text("json").contains("\"label\":\"L\""))
        #expect(
            try folder.text("list").contains("\"account\":\"a\"")
                && folder.text("list").contains("\"account\":\"b\""))
        #expect(try folder.text("none") == "{\"items\":[]}\n")
        #expect(try folder.text("absent.status") == "1\n" && folder.read("absent").isEmpty)
        #expect(try folder.text("absent.errors").contains("[absent]"))
    }

    @Test(
        "A program gets items of the keyring as variables, and no descriptor of signet's",
        .enabled(if: isHere, "no keyring is here"))
    func program() throws {
        let outcome = try run(
            CommandFolder(),
            """
            printf hunter2 | "$SIGNET" vault set $WAY s/a > /dev/null
            few=$(ls /proc/self/fd)
            "$SIGNET" run $WAY --env A=s/a -- printenv A
            [ "$few" = "$("$SIGNET" run $WAY --env A=s/a -- ls /proc/self/fd)" ] && echo same
            """)
        #expect(outcome.isGood && outcome.text == "hunter2\nsame\n", "\(outcome)")
    }

    @Test(
        "Items move to a vault in a file and back, and the keyring can hold a vault's key",
        .tags(.commandLine),
        .enabled(if: isHere, "no keyring is here"))
    func moving() throws {
        let folder = try CommandFolder()
        let outcome = try run(
            folder,
            """
            set -e
            printf token | "$SIGNET" vault set $WAY --service s --account a
            "$SIGNET" vault init --vault v --new-keyring default
            "$SIGNET" vault migrate --from secret-service --to file:v --to-keyring default --move --json
            "$SIGNET" vault get --vault v --keyring default --service s --account a > got
            "$SIGNET" vault list $WAY --json > left
            "$SIGNET" vault import --input v --from-keyring default $WAY
            "$SIGNET" vault get $WAY --service s --account a > back
            """)
        #expect(outcome.isGood, "\(outcome)")
        #expect(try folder.text("got") == "token" && folder.text("back") == "token")
        #expect(try folder.text("left") == "{\"items\":[]}\n")
    }

    @Test(
        "Locked is status 3 and not absent", .tags(.commandLine),
        .enabled(if: isHere, "no keyring is here"))
    func locked() throws {
        let folder = try CommandFolder()
        let outcome = try run(
            folder,
            """
            printf token | "$SIGNET" vault set $WAY --service s > set || exit 1
            gnome-keyring-daemon --replace --components=secrets > /dev/null 2>&1; sleep 0.5
            "$SIGNET" vault get $WAY --service s
            """)
        #expect(
            outcome.status == 3 && outcome.output.isEmpty && outcome.errors.contains("[locked]"),
            "\(outcome)"
        )
    }

    @Test(
        "--unlock has the desktop unlock a keyring that holds a vault's key, once",
        .tags(.commandLine), .enabled(if: isHere, "no keyring is here"))
    func lockedKey() throws {
        let folder = try CommandFolder()
        let outcome = try run(
            folder,
            """
            set -e
            "$SIGNET" vault init --vault v --new-keyring default --unlock
            gnome-keyring-daemon --replace --components=secrets > /dev/null 2>&1; sleep 0.5
            set +e
            for line in "list" "list --unlock" "slot list --unlock" "slot add --new-keyring default --unlock"; do
                "$SIGNET" vault $line --vault v --keyring default --timeout 100 2> error; echo "$?" >> statuses
                cat error >> errors.all
            done
            """)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try folder.text("statuses") == "3\n3\n3\n3\n")
        let errors = try folder.text("errors.all")
        #expect(
            errors.components(separatedBy: "waiting for the keyring's prompt").count == 4,
            "\(errors)")
        #expect(errors.contains("[locked]") && errors.contains("--unlock"), "\(errors)")
    }

    @Test("Without a bus: status 3")
    func noBus() throws {
        let folder = try CommandFolder()
        let outcome = try folder.bash(
            "env -u DBUS_SESSION_BUS_ADDRESS -u DISPLAY XDG_RUNTIME_DIR=/nonexistent \"$SIGNET\" vault list --backend secret-service"
        )
        #expect(outcome.failed(3, "unavailable"), "\(outcome)")
    }

    @Test("Options of the other backend are refused")
    func usage() {
        let place = "--vault \(CommandFolder.nowhere)/v"
        for line in [
            "list --backend secret-service \(place)", "list --backend secret-service --key-file k",
            "list --application a \(place)", "list --collection session \(place)",
            "list --backend secret-service --read lazy", "verify --backend secret-service",
            "list --backend secret-service --application=",
        ] {
            #expect(CommandFolder.inProcess("vault \(line)").failed(2, "usage"), "\(line)")
        }
    }
}
