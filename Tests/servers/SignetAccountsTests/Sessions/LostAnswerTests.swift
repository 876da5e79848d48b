// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SQLiteBridge
import SignetAccounts
import SignetBase
import TestSupport
import Testing

@Suite("Lost answers on SQLite", .serialized, .timeLimit(.minutes(20)))
struct LostAnswerTests {
    private static let (second, hour, day) = (Int64(1_000), Int64(3_600_000), Int64(86_400_000))

    /// Clients with a session each, over a clock that a test sets.
    private struct Clients {
        let database: ClockedDatabase
        let tokens: RefreshTokens
        let late = Locked(0)
        var current: [String] = []

        init(_ count: Int, _ folder: PrivateFolder) async throws {
            database = try await ClockedDatabase.open(folder)
            var options = RefreshTokenOptions()
            options.absoluteLifetime = .seconds(100 * 86_400)
            let late = late
            options.onEvent = { event in
                switch event {
                case .lateRetry: late.withLock { $0 += 1 }
                case .reused: Issue.record("A session was ended.")
                }
            }
            tokens = try RefreshTokens(
                database: database, issuer: SessionFixture.issuer(), options: options)
            try await database.add("user")
            for _ in 0..<count {
                current.append(try await tokens.begin(for: "user").refreshToken)
            }
        }

        /// All refresh, and no answer arrives.
        func lose() async throws {
            for token in current { _ = try await tokens.rotate(token) }
        }

        /// All refresh, and their answers arrive.
        mutating func refresh() async throws {
            for client in current.indices {
                current[client] = try await tokens.rotate(current[client]).refreshToken
            }
        }

        /// How many sessions there are.
        func count() async throws -> Int64 {
            try await database.run("SELECT count(*) FROM signet_sessions")[0].integer(0)
        }
    }

    @Test(
        "An outage of 600 s or of a day ends no session, though all answers before it were lost",
        .tags(.sessionKills, .sampled))
    func outages() async throws {
        let folder = try PrivateFolder()
        let count = Effort.rounds(1_000)
        var clients = try await Clients(count, folder)
        for outage in [600 * Self.second, Self.day] {
            try await clients.lose()
            try await clients.database.advance(by: outage)
            // Once more, and the second successor is lost as well.
            try await clients.lose()
            try await clients.database.advance(by: outage)
            try await clients.refresh()
            try await clients.refresh()
            #expect(try await clients.count() == Int64(count))
        }
        #expect(clients.late.withLock { $0 } == 4 * count)
        print("outages by the clock: \(count) sessions, 0 ended")
    }

    @Test(
        "Clients that lose every second answer for 90 days stay signed in",
        .tags(.sessionKills, .sampled))
    func everySecondAnswer() async throws {
        let folder = try PrivateFolder()
        var clients = try await Clients(Effort.rounds(20), folder)
        var (tries, retry) = (0, Int64(0))
        let end = try await clients.database.now() + 90 * Self.day
        while try await clients.database.now() < end {
            for client in clients.current.indices {
                let token = clients.current[client]
                _ = try await clients.tokens.rotate(token)
                // From a second to six hours.
                retry = (retry * 7_919 + 104_729) % (6 * Self.hour)
                try await clients.database.advance(
                    by: (Self.second + retry) / Int64(clients.current.count))
                clients.current[client] = try await clients.tokens.rotate(token).refreshToken
                tries += 2
            }
            try await clients.database.advance(by: 3 * Self.hour)
        }
        #expect(try await clients.count() == Int64(clients.current.count))
        let rows = try await clients.database.run("SELECT count(*) FROM signet_used_refresh_tokens")
        #expect(try rows[0].integer(0) <= 2 * Int64(clients.current.count))
        print(
            "90 days: \(clients.current.count) clients, \(tries) tries, "
                + "\(clients.late.withLock { $0 }) late retries, 0 ended")
    }

    @Test("A clock set two days back or forward amid lost answers ends no session")
    func clock() async throws {
        let folder = try PrivateFolder()
        var clients = try await Clients(20, folder)
        for step in [-2 * Self.day, 2 * Self.day, 2 * Self.day, -2 * Self.day, -Self.hour] {
            try await clients.lose()
            try await clients.database.advance(by: step)
            try await clients.lose()
            try await clients.refresh()
            try await clients.refresh()
            try await clients.database.advance(by: Self.hour)
            #expect(try await clients.count() == 20)
        }
    }

    @Test("A retry of a rotation of yesterday's version, before its database was migrated, works")
    func migrated() async throws {
        let folder = try PrivateFolder()
        let database = try await ClockedDatabase.open(folder)
        let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
        try await database.add("user")
        let lost = try await tokens.begin(for: "user")
        _ = try await tokens.rotate(lost.refreshToken)
        let used = try await tokens.begin(for: "user")
        let current = try await tokens.rotate(used.refreshToken)
        let (fresh, old) = (
            try await tokens.begin(for: "user"), try await tokens.begin(for: "user")
        )
        let next = try await tokens.rotate(old.refreshToken)
        _ = try await tokens.rotate(next.refreshToken)
        for statement: SQLStatement in [
            "ALTER TABLE signet_sessions DROP COLUMN second_hash",
            "CREATE INDEX signet_used_refresh_tokens_at ON signet_used_refresh_tokens (used_at)",
            "ALTER TABLE signet_sessions DROP COLUMN client_id",
            "DELETE FROM signet_schema_steps WHERE name IN ('sessions.2', 'sessions.3')",
        ] { try await database.run(statement) }
        try await AccountSchema.migrate(database)

        try await database.advance(by: Self.hour)
        let late = try await tokens.rotate(lost.refreshToken)
        for token in [late, current, fresh] { _ = try await tokens.rotate(token.refreshToken) }
        let error = await accountError { () async throws(AccountError) in
            try await tokens.rotate(old.refreshToken)
        }
        #expect(error?.code == .refreshTokenReused)
    }

    @Test("A rotation runs three statements, and a late retry five")
    func statements() async throws {
        let recording = RecordingDatabase(try await SQLiteAccounts.inMemory())
        let tokens = try RefreshTokens(database: recording, issuer: SessionFixture.issuer())
        try await recording.add("user")
        let first = try await tokens.begin(for: "user")
        var counts: [Int] = []
        for _ in 0..<2 {
            _ = recording.taken()
            _ = try await tokens.rotate(first.refreshToken)
            counts.append(recording.taken().count { !["begin", "commit"].contains($0) })
        }
        try await recording.run("UPDATE signet_used_refresh_tokens SET used_at = used_at - 10000")
        _ = recording.taken()
        _ = try await tokens.rotate(first.refreshToken)
        counts.append(recording.taken().count { !["begin", "commit"].contains($0) })
        print("statements of a rotation, a retry and a late retry: \(counts)")
        #expect(counts == [3, 3, 5])
    }

    @Test(
        "200 clients live through 15 and 60 s without a database", .tags(.sessionKills),
        .enabled(if: Effort.isFull, "takes minutes of real time"))
    func realOutages() async throws {
        let folder = try PrivateFolder()
        let path = folder.path + "/accounts"
        let database = try await SQLiteAccounts.open(at: path, busyTimeout: .seconds(1))
        try await ClientsAmongOutages(database, clients: 200).check(
            "SQLite", outages: [.seconds(15), .seconds(60)]
        ) { outage in
            let other = try SQLiteConnection(
                path: path, access: .readWrite, busyTimeoutMilliseconds: 60_000)
            try other.execute("BEGIN EXCLUSIVE")
            try await Task.sleep(for: outage)
            other.close()
        }
        await database.close()
    }
}
