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

    private struct Told {
        var kills = 0
        var losses = 0
        var record = StubServer.Record()
    }

    private func run(_ kind: StubServer.Kind, periods: Int) async throws -> Told {
        let folder = try SessionFolder(kind)
        var told = Told()
        var number = 1
        var done = 0
        var now = 1_780_000_000
        let desk = WorkerDesk(kind, folder: folder.path)
        try folder.clock.set(now)
        try await folder.adopt()
        try desk.start(8)
        while done < periods {
            now += 400
            try folder.clock.set(now)
            number += 1
            if try await desk.wait(for: number, of: told.losses + 1, at: folder.server) {
                done += 1
            } else {
                told.losses += 1
                try await folder.adopt()
                number = 1
            }
        }
        told.kills = desk.end()
        told.record = try folder.server.record()
        print(
            "sessions among processes, \(kind.rawValue): \(periods) periods, \(told.kills) killed, "
                + "\(told.record.rotations) exchanges, \(told.record.repeats) repeated, "
                + "\(told.losses) sessions lost")
        return told
    }
}
