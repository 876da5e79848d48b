// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("signet token from many shells")
struct ManyTokensTests {
    @Test(
        "1,000 calls from 8 shells with 2 s tokens: no failure, one chain, one login",
        .tags(.manyTokens),
        .enabled(if: Program.python != nil || Program.isRequired, "python3 is not here"))
    func shells() async throws {
        let fixture = try await LoginFixture(lifetime: 2)
        try fixture.signIn()
        let calls = Effort.rounds(1_000) / 8
        let outcome = try fixture.run(
            """
            for shell in 1 2 3 4 5 6 7 8; do
                (for call in $(seq \(calls)); do
                    "$SIGNET" token >> tokens.$shell 2>> errors.$shell || echo >> failures
                done) &
            done
            wait
            """)
        #expect(outcome.status == 0, "\(outcome)")
        let errors = try fixture.run("cat errors.*").text
        #expect(!fixture.folder.exists("failures"), "\(errors)")
        let tokens = try fixture.run("cat tokens.*").text.split(separator: "\n")
        let facts = try fixture.facts()
        #expect(tokens.count == calls * 8 && tokens.allSatisfy { $0.utf8.count == 32 })
        #expect(facts["logins"] == 1 && facts["reuses"] == 0 && facts["families"] == 1)
        let refreshes = facts["refreshes"] ?? 0
        #expect(refreshes > 0 && Set(tokens).count <= refreshes + 1)
        print(
            "signet token: \(tokens.count) calls from 8 shells, \(Set(tokens).count) tokens,",
            "\(refreshes) refreshes, \(facts["reuses"] ?? -1) used twice,",
            "\(facts["logins"] ?? -1) login, 0 failures")
    }
}
