// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionServer
import SignetBase
import SignetSession
import TestSupport
import Testing

/// Eight processes on one vault, killed (SIGKILL) at random moments while their tokens are
/// exchanged.
@Suite("Sessions among processes", .serialized)
struct ProcessTests {
    /// 40 in a sample. `SIGNET_SESSION_PERIODS=5000` has the part of `make test-long` run whole, which
    /// takes half an hour.
    private static let periods =
        ProcessInfo.processInfo.environment["SIGNET_SESSION_PERIODS"].flatMap { Int($0) }
        ?? (Effort.isFull ? 1000 : 40)
    /// A fifth of the rest, and no fewer than in a sample.
    private static let fewer = max(40, periods / 5)

    @Test(
        "Each period has one exchange, and no session is lost if the server repeats lost answers",
        .tags(.sessionKills, .sampled), arguments: [StubServer.Kind.goTrue, .strict],
        [false, true])
    func nothingIsLost(_ kind: StubServer.Kind, _ jumps: Bool) async throws {
        let periods = jumps ? Self.fewer : Self.periods
        let told = try await run(kind, periods: periods, jumps: jumps)
        #expect(told.losses == 0 && told.record.ended == 0, "\(told.record.reasons)")
        #expect(told.record.rotations == periods, "one exchange a period")
        #expect(told.kills > 0)
    }

    @Test(
        "Without repeats, sessions are lost only by kills between answer and write",
        .tags(.sessionKills, .sampled),
        arguments: [(StubServer.Kind.noGrace, 0), (.strict, 11)])
    func withoutGrace(_ kind: StubServer.Kind, _ leap: Int) async throws {
        let told = try await run(kind, periods: Self.fewer, leap: leap)
        #expect(told.losses == told.record.ended && told.losses <= told.torn)
        #expect(kind == .strict || told.record.repeats == 0)
    }

    private func run(
        _ kind: StubServer.Kind, periods: Int, leap: Int = 0, jumps: Bool = false
    ) async throws -> KilledRun {
        let folder = try SessionFolder(kind)
        let told = try await KilledRun.play(
            periods: periods, leap: leap, jumps: jumps, folder.workers(), folder.server,
            folder.clock, adopt: folder.adopt)
        let clock = leap > 0 ? ", its clock \(leap) s on" : jumps ? ", clocks that jump" : ""
        let server = kind.rawValue + clock
        print(told.told(of: server, on: "vault", periods: periods))
        return told
    }
}
