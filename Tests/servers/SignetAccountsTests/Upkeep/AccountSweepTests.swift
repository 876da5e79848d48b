// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetSignIn
import Testing

@Suite("The sweep of ended rows", .serialized, .timeLimit(.minutes(20)))
struct AccountSweepTests {
    private func sweep(
        _ database: any AccountDatabase, guests: GuestRetention? = nil
    ) throws -> AccountSweep {
        AccountSweep(
            try RefreshTokens(database: database, issuer: SessionFixture.issuer()),
            codes: OneTimeCodes(database, secret: try .test()),
            limits: RateLimits(database, secret: try .test()), guests: guests)
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
            _ = try await codes.send(
                to: .phone(phone), for: .signIn, from: ClientAddress("192.0.2.\(number)"))
            guard number == 0 else { continue }
            let year = SQLValue.integer(366 * 86_400_000)
            try await database.run(
                "UPDATE signet_sessions SET refreshed_at = refreshed_at - $1", values: [year])
            try await database.run("UPDATE signet_codes SET ends_at = ends_at - $1", values: [year])
            try await database.run(
                "UPDATE signet_limits SET full_until = full_until - $1", values: [year])
        }
    }

    @Test("Ended rows are swept, and live ones stay")
    func sweeps() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await fill(database)
        #expect(try await rows(database) == [2, 2, 6])
        try await sweep(database).sweep()
        #expect(try await rows(database) == [1, 1, 3])
        try await sweep(database).sweep()
        #expect(try await rows(database) == [1, 1, 3])
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
        }.filter { $0 != "0" }
        #expect(deleted == ["500", "500", "203", "500", "500", "203"] + deleted.dropFirst(6))
        #expect(deleted.compactMap { Int($0) }.reduce(0, +) == 4 * 1203 && deleted.count == 12)
        #expect(log.count { $0 == "commit" } >= 12)
        #expect(try await rows(recording) == [0, 0, 0])
        // These went with their sessions.
        let left = try await recording.run("SELECT count(*) FROM signet_used_refresh_tokens")
        #expect(try left[0].integer(0) == 0)
    }

    @Test("Guests stay for good, unless the program names an age")
    func guests() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let guest = try await People(database).addGuest().id
        try await database.run("UPDATE signet_users SET added_at = added_at - 3600000")
        try await sweep(database).sweep()
        #expect(try await People(database).user(guest)?.isGuest == true)
        let deleted = Locked([String]())
        let retention = try GuestRetention(.seconds(3_600)) { id in
            deleted.withLock { $0.append(id) }
        }
        // Another one is too young, and none is told of twice.
        let young = try await People(database).addGuest().id
        for _ in 0..<2 { try await sweep(database, guests: retention).sweep() }
        #expect(deleted.withLock { $0 } == [guest])
        #expect(try await People(database).user(guest) == nil)
        #expect(try await People(database).user(young)?.isGuest == true)
    }

    @Test(
        "An age that is too short or too long is refused",
        arguments: [
            .zero, .seconds(-1), .seconds(3_599), .seconds(3_660 * 86_400 + 1), .seconds(Int64.max),
        ] as [Duration])
    func ages(_ age: Duration) {
        #expect(throws: AccountError(.invalidParameter, "")) { try GuestRetention(age) }
    }

    @Test("Of many guests no transaction deletes more than 500, also beside an error elsewhere")
    func manyGuests() async throws {
        let recording = RecordingDatabase(try await SQLiteAccounts.inMemory())
        try await recording.run(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1203)
            INSERT INTO signet_users (id, added_at) SELECT 'guest-' || i, 1 FROM n
            """)
        try await recording.run(
            """
            INSERT INTO signet_profiles
                (user_id, email_verified, owns_full_name, owns_avatar, added_at, changed_at)
            SELECT id, 0, 0, 0, 1, 1 FROM signet_users
            """)
        try await recording.add("an application's own")
        try await recording.run("UPDATE signet_users SET added_at = 1")
        try await recording.run("DROP TABLE signet_codes")
        _ = recording.taken()
        let count = Locked(0)
        let retention = try GuestRetention(.seconds(3_600)) { _ in count.withLock { $0 += 1 } }
        let error = await accountError { () async throws(AccountError) in
            try await (try? sweep(recording, guests: retention))?.sweep()
        }
        #expect(error?.code == .corrupt)
        #expect(count.withLock { $0 } == 1203)
        let transactions = recording.taken().split(separator: "begin").map { work in
            work.count { $0.contains("DELETE FROM signet_users") }
        }
        #expect(transactions.reduce(0, +) == 1203 && transactions.allSatisfy { $0 <= 500 })
        let left = try await recording.run("SELECT id FROM signet_users")
        #expect(try left.map { (row) throws in try row.text(0) } == ["an application's own"])
    }

    @Test("A guest whom the application's rows keep is reported, and the other guests still go")
    func keptGuests() async throws {
        let database = try await SQLiteAccounts.inMemory()
        var guests: [String] = []
        for _ in 0..<3 { guests.append(try await People(database).addGuest().id) }
        try await database.run("UPDATE signet_users SET added_at = 1")
        try await database.run(
            "CREATE TABLE test_orders (user_id TEXT NOT NULL REFERENCES signet_users (id)) STRICT")
        // The first one that the sweep comes to.
        let kept = try #require(guests.min())
        try await database.run(
            "INSERT INTO test_orders (user_id) VALUES ($1)", values: [.text(kept)])
        let deleted = Locked([String]())
        let retention = try GuestRetention(.seconds(3_600)) { id in
            deleted.withLock { $0.append(id) }
        }
        for _ in 0..<2 {
            let error = await accountError { () async throws(AccountError) in
                try await (try? sweep(database, guests: retention))?.sweep()
            }
            #expect(error?.code == .conflict)
        }
        #expect(deleted.withLock { $0.sorted() } == guests.filter { $0 != kept }.sorted())
        let left = try await database.run("SELECT id FROM signet_users")
        #expect(try left.map { (row) throws in try row.text(0) } == [kept])
    }

    @Test("A table that cannot be swept is reported, and the other tables are still swept")
    func goesOn() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await fill(database)
        try await database.run("ALTER TABLE signet_sessions RENAME COLUMN begun_at TO begun")
        let error = await accountError { () async throws(AccountError) in
            try await (try? sweep(database))?.sweep()
        }
        #expect(error?.code == .corrupt)
        #expect(try await rows(database).dropFirst() == [1, 3])
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
        #expect(try await rows(flaky.inner) == [2, 2, 6])
        flaky.failure.withLock { $0 = nil }
        while try await rows(flaky) != [1, 1, 3] {
            clock.advance(by: .seconds(3600))
            try await Task.sleep(for: .milliseconds(1))
        }
        task.cancel()
        await task.value
    }
}
