// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetPlatform
import SignetSignIn
import Testing

@Suite("The sweep of ended rows", .serialized)
struct AccountSweepTests {
    private func sweep(_ database: any AccountDatabase) throws -> AccountSweep {
        AccountSweep(
            try RefreshTokens(database: database, issuer: SessionFixture.issuer()),
            OneTimeCodes(database, secret: try .test()),
            RateLimits(database, secret: try .test()))
    }

    private func rows(_ database: any AccountDatabase) async throws -> [Int64] {
        var counts: [Int64] = []
        for statement: SQLStatement in [
            "SELECT count(*) FROM signet_sessions", "SELECT count(*) FROM signet_codes",
            "SELECT count(*) FROM signet_limits",
        ] { counts.append(try await database.run(statement)[0].integer(0)) }
        return counts
    }

    /// A session, a code and its limits, half of which have ended long ago.
    private func fill(_ database: any AccountDatabase) async throws {
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        let codes = OneTimeCodes(database, secret: try .test())
        try await database.add("user")
        for number in 0..<2 {
            _ = try await tokens.begin(for: "user")
            let phone = try PhoneNumber("+1415555123\(number)")
            _ = try await codes.send(to: .phone(phone), for: .signIn, from: nil)
            guard number == 0 else { continue }
            let year = SQLValue.integer(366 * 86_400_000)
            try await database.run(
                "UPDATE signet_sessions SET refreshed_at = refreshed_at - $1", [year])
            try await database.run("UPDATE signet_codes SET ends_at = ends_at - $1", [year])
            try await database.run(
                "UPDATE signet_limits SET full_until = full_until - $1", [year])
        }
    }

    @Test("Ended rows are swept, and live ones stay")
    func sweeps() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await fill(database)
        #expect(try await rows(database) == [2, 2, 2])
        try await sweep(database).sweep()
        #expect(try await rows(database) == [1, 1, 1])
        try await sweep(database).sweep()
        #expect(try await rows(database) == [1, 1, 1])
    }

    @Test("The sweep runs each hour, survives an outage, and stops when cancelled")
    func runs() async throws {
        let flaky = FlakyDatabase(inner: try await SQLiteAccounts.inMemory())
        try await fill(flaky)
        let (sweep, clock, errors) = (try sweep(flaky), ManualClock(), Locked(0))
        flaky.failure.withLock { $0 = .unavailable }
        let task = Task {
            await sweep.run(time: clock.source) { error in
                #expect(error.code == .unavailable)
                errors.withLock { $0 += 1 }
            }
        }
        while errors.withLock({ $0 }) == 0 {
            clock.advance(by: .seconds(3600))
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(try await rows(flaky.inner) == [2, 2, 2])
        flaky.failure.withLock { $0 = nil }
        while try await rows(flaky) != [1, 1, 1] {
            clock.advance(by: .seconds(3600))
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await task.value
    }
}
