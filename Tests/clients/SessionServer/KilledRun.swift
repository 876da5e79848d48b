// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Eight processes that stay signed in and are killed, period after period, and what came of it.
package struct KilledRun: Sendable {
    package private(set) var kills = 0
    /// Sessions that the server ended.
    package private(set) var losses = 0
    /// Those killed between the server's answer and their report, which follows the write.
    package private(set) var torn = 0
    package private(set) var record = StubServer.Record()

    /// - Parameters:
    ///   - periods: in each, the token is due and the workers are to have the next one.
    ///   - leap: seconds by which the clock goes on now and then while a token is waited for.
    ///   - jumps: whether the clock is set back and forth between periods.
    ///   - adopt: signs in.
    package static func play(
        periods: Int, leap: Int = 0, jumps: Bool = false, _ fixture: RestartedWorkers,
        _ server: StubServer,
        _ clock: SharedClock, adopt: () async throws -> Void
    ) async throws -> KilledRun {
        var told = KilledRun()
        var number = 1
        var done = 0
        var now = 1_780_000_000
        try clock.set(now)
        try await adopt()
        try fixture.start(8)
        while done < periods {
            now += 400
            if jumps { now += [0, -7, 7, -3600, 3600, -86_400, 86_400].randomElement() ?? 0 }
            try clock.set(now)
            number += 1
            let isThere = try await fixture.wait(for: number, of: told.losses + 1, at: server) {
                now += leap
                try clock.set(now)
            }
            if isThere {
                done += 1
            } else {
                told.losses += 1
                try await adopt()
                number = 1
            }
        }
        told.kills = await fixture.end()
        told.record = try server.record()
        told.torn = fixture.torn(at: server)
        return told
    }

    /// In a line.
    package func told(of server: String, on store: String, periods: Int) -> String {
        "sessions among processes on a \(store), \(server): \(periods) periods, \(kills) killed "
            + "(\(torn) with an answer), \(record.rotations) exchanges, \(record.repeats) repeated, \(losses) sessions lost"
    }
}
