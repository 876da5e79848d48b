// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionServer
import SignetPlatform
import SignetSession
import TestSupport
import Testing

/// Eight processes on one vault, killed (SIGKILL) at random moments while their tokens are
/// exchanged.
@Suite("Sessions among processes", .serialized)
struct ProcessTests {
    @Test(
        "one exchange a period, and no session lost where the server forgives a lost answer",
        .tags(.sessionKills, .sampled), arguments: [StubServer.Kind.goTrue, .strict])
    func nothingIsLost(_ kind: StubServer.Kind) async throws {
        let periods = Effort.isFull ? 5000 : 40
        let told = try await run(kind, periods: periods)
        #expect(told.losses == 0 && told.record.ended == 0, "\(told.record.reasons)")
        #expect(told.record.rotations == periods, "one exchange a period")
        #expect(told.kills > 0)
    }

    @Test(
        "a server without grace: losses are at most the kills between answer and write",
        .tags(.sessionKills, .sampled))
    func withoutGrace() async throws {
        let told = try await run(.noGrace, periods: Effort.isFull ? 1000 : 40)
        #expect(told.losses == told.record.ended && told.losses <= told.kills)
        #expect(told.record.repeats == 0)
    }

    private func run(_ kind: StubServer.Kind, periods: Int) async throws -> KilledRun {
        let folder = try SessionFolder(kind)
        let told = try await KilledRun.play(
            periods: periods, folder.workers(), folder.server, folder.clock, adopt: folder.adopt)
        print(told.told(of: kind, on: "vault", periods: periods))
        return told
    }
}
