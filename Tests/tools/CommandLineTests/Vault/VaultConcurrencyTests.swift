// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("signet vault: several processes", .tags(.commandLine))
struct VaultConcurrencyTests {
    @Test("Four processes write at once: nothing is lost, nothing is torn")
    func writers() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let outcome = try folder.bash(
            """
            write() {
                for index in 1 2 3 4 5 6; do
                    printf "$1-$index" | "$SIGNET" vault set --vault vault.signet --key-file vault.key \
                        --service "$1" --account "$index" || exit 1
                    printf "$1" | "$SIGNET" vault set --vault vault.signet --key-file vault.key \
                        --service shared --attribute "$1=$index" || exit 1
                done
            }
            for name in a b c d; do write $name & pids="$pids $!"; done
            for pid in $pids; do wait $pid || exit 1; done
            """)
        #expect(outcome.isGood, "\(outcome)")
        #expect(try folder.items("list").count == 25)
        for name in ["a", "b", "c", "d"] {
            for index in 1...6 {
                #expect(
                    try folder.vault("get --service \(name) --account \(index)").text
                        == "\(name)-\(index)")
            }
        }
        // Each read the attributes that the others had written, and none overwrote them.
        let shared = try folder.vault("get --service shared --json").json
        #expect(
            shared["attributes"]
                == .object([
                    "a": .string("6"), "b": .string("6"), "c": .string("6"), "d": .string("6"),
                ]))
        #expect(try folder.vault("verify").isGood)
    }

    @Test("Of several --if-absent writers exactly one succeeds")
    func ifAbsent() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let outcome = try folder.bash(
            """
            for name in 1 2 3 4 5 6; do
                { printf $name | "$SIGNET" vault set --vault vault.signet --key-file vault.key --service s \
                    --if-absent 2> /dev/null && echo $name >> winners; } &
            done
            wait
            """)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try folder.text("winners") == folder.vault("get --service s --newline").text)
    }

    @Test(
        "A held lock: status 3 and busy, after the given time",
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func busy() throws {
        let folder = try CommandFolder()
        try folder.makeVault()
        let outcome = try folder.bash(
            """
            python3 -B -c 'import sqlite3, time
            database = sqlite3.connect("vault.signet", isolation_level=None)
            database.execute("BEGIN IMMEDIATE"); open("held", "w").close(); time.sleep(30)' & holder=$!
            while [ ! -e held ]; do sleep 0.05; done
            status=0
            printf x | "$SIGNET" vault set --vault vault.signet --key-file vault.key --service s --timeout 1 || status=$?
            kill $holder; exit $status
            """)
        #expect(outcome.failed(3, "busy"), "\(outcome)")
        #expect(try folder.vault("get --service s").failed(1, "absent"))
    }
}
