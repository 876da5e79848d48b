// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetPlatform
import SignetSignIn
import Testing

@Suite("The sweep of ended rows", .serialized, .timeLimit(.minutes(20)))
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

    /// Rows that have ended, of every table that is swept.
    private static let flood: [SQLStatement] = [
        """
        INSERT INTO signet_sessions
            (id, user_id, family_hash, current_hash, begun_at, refreshed_at)
        SELECT 's' || i, 'user', CAST('s' || i AS BLOB), x'00', 1, 1 FROM test_numbers
        """,
        """
        INSERT INTO signet_used_refresh_tokens (session_id, hash, used_at, sealed_successor)
        SELECT 's' || i, x'00', 1, x'00' FROM test_numbers
        """,
        """
        INSERT INTO signet_codes
            (challenge, key, client, asker, known, code, sent_at, ends_at, tries, used)
        SELECT CAST(i AS BLOB), x'00', x'00', x'00', 0, x'00', 1, 1, 0, 0 FROM test_numbers
        """,
        "INSERT INTO signet_limits (key, full_until) SELECT CAST(i AS BLOB), 1 FROM test_numbers",
        """
        INSERT INTO signet_outbox (key, message, sealed, due_at, ends_at, tries)
        SELECT CAST(i AS BLOB), x'00', x'00', 1, 1, 0 FROM test_numbers
        """,
    ]

    @Test("After a flood no transaction deletes more than 500 rows, and all of them go")
    func portions() async throws {
        let recording = RecordingDatabase(try await SQLiteAccounts.inMemory())
        try await recording.add("user")
        try await recording.run("CREATE TABLE test_numbers (i INTEGER) STRICT")
        try await recording.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
            INSERT INTO test_numbers SELECT i FROM n
            """)
        for statement in Self.flood { try await recording.run(statement) }
        _ = recording.taken()
        try await sweep(recording).sweep()
        try await Outbox(recording, secret: .test(), sender: RecordingSender()).deliver()
        let log = recording.taken()
        let deleted = log.filter { $0.contains("DELETE") }.compactMap {
            $0.split(separator: " ").last
        }
        #expect(deleted == ["500", "500", "203", "500", "500", "203"] + deleted.dropFirst(6))
        #expect(deleted.compactMap { Int($0) }.reduce(0, +) == 5 * 1203 && deleted.count == 15)
        #expect(log.count { $0 == "commit" } >= 15)
        #expect(try await rows(recording) == [0, 0, 0])
    }

    @Test("A table that cannot be swept is reported, and the other tables are still swept")
    func goesOn() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await fill(database)
        try await database.run("DROP TABLE signet_used_refresh_tokens")
        let error = await accountError { () async throws(AccountError) in
            try await (try? sweep(database))?.sweep()
        }
        #expect(error?.code == .corrupt)
        #expect(try await rows(database).dropFirst() == [1, 1])
    }

    @Test("It sweeps every hour, even after an hour without a database, until it is cancelled")
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
