// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

private let isPossible =
    geteuid() == 0 && Program.python != nil && Program.isHere("ps")

@Suite("Another user beside signet login")
struct LoginThiefTests {
    @Test(
        "One who reads the list of processes and opens the address first gets nothing",
        .tags(.commandLine, .sampled),
        .enabled(if: isPossible, "only root can start another user's program; python3 and ps"))
    func readsTheProcesses() async throws {
        let fixture = try await LoginFixture()
        // The browser is slow: each time the other user is first.
        try fixture.folder.write(
            "xdg-open",
            """
            #!/bin/bash
            until grep -qF -- "$1" report || ! kill -0 "$(cat thief)"; do sleep 0.02; done
            exec '\(FileManager.default.currentDirectoryPath)/Scripts/demo/bin/xdg-open' "$@"
            """, permissions: 0o755)
        let thief = try CommandFolder.require(
            Bundle.module.url(forResource: "Scripts/thief", withExtension: "py"))
        let count = Effort.rounds(100)
        let logins = try fixture.run(
            """
            touch report
            python3 -B '\(thief.path)' "$PWD/xdg-open" report & thief=$!
            echo $thief > thief
            export PATH="$PWD:$PATH" DISPLAY=:0
            for number in $(seq \(count)); do
                "$SIGNET" login --account a$number --issuer $ISSUER $CLIENT 2>> errors
            done
            kill $thief
            """)
        let errors = try fixture.folder.text("errors")
        let signedIn = logins.text.split(separator: "\n")
        #expect(signedIn.count == count, "\(logins) \(errors)")
        #expect(Set(signedIn).count == 1 && signedIn.first?.hasPrefix("signed in as ") == true)
        let report = try fixture.folder.text("report").split(separator: "\n")
        #expect(report.count == count)
        #expect(report.allSatisfy { $0.hasSuffix(" 403") }, "\(report)")
        #expect(try fixture.facts()["families"] == count)
    }
}
