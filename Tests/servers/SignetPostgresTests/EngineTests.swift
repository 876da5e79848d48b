// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetIdentity
import SignetPostgres
import TestSupport
import Testing

@Suite("PostgreSQL as an engine", .needsPostgreSQL, .serialized, .timeLimit(.minutes(20)))
struct EngineTests {
    @Test("Each connection gets the settings for durability and isolation")
    func settings() async throws {
        let server = try PostgresServer.shared()
        try server.admin("ALTER ROLE app SET synchronous_commit = off")
        defer { _ = try? server.admin("ALTER ROLE app RESET synchronous_commit") }
        let schema = try server.schema()
        let database = try await server.open(schema: schema) {
            $0.statementTimeout = .seconds(77)
        }
        let rows = try await database.run(
            """
            SELECT current_setting('synchronous_commit'), current_setting('search_path'),
                current_setting('statement_timeout'), current_setting('transaction_isolation'),
                current_setting('client_encoding')
            """)
        let values = try (0..<5).map { try rows[0].text($0) }
        #expect(
            values == [
                "on", "\"\(schema)\", pg_temp", "77s", "read committed", "UTF8",
            ])
        let read = try await database.read { (transaction) throws(AccountError) in
            try await transaction.run(
                "SELECT current_setting('transaction_read_only')", values: [])
        }
        #expect(try read[0].text(0) == "on")
        let error = await accountError { () async throws(AccountError) in
            try await database.read { (transaction) throws(AccountError) -> Void in
                try await AccountUsers.add("user", in: transaction)
            }
        }
        #expect(error?.code == .unavailable)
        #expect(try await database.users().isEmpty)
        await database.close()
    }

    @Test("A value of another type is refused, and none is converted")
    func types() async throws {
        let server = try PostgresServer.shared()
        let database = try await server.open()
        let wrong: [(SQLStatement, SQLValue)] = [
            ("INSERT INTO signet_users (id, added_at) VALUES ($1, 1)", .integer(1)),
            ("INSERT INTO signet_users (id, added_at) VALUES ('a', $1)", .text("12345678")),
            ("INSERT INTO signet_users (id, added_at) VALUES ('a', $1)", .bytes([1])),
            ("SELECT 1.5::float8 WHERE $1 = ''", .text("")),
            ("SELECT true WHERE $1 = ''", .text("")),
        ]
        for (statement, value) in wrong {
            let error = await accountError { () async throws(AccountError) in
                try await database.run(statement, values: [value])
            }
            #expect(error?.code == .corrupt, "\(statement.source)")
        }
        #expect(try await database.users().isEmpty)
        #expect(try await database.run("SELECT 1").first?.integer(0) == 1)
        await database.close()
    }

    @Test("Connections stay within the limit, and callers that wait too long are refused")
    func pool() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 3) {
            $0.waitingTime = .milliseconds(300)
        }
        let (entered, go) = (Signal(), Signal())
        let holders = (0..<3).map { number in
            Task {
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    try await AccountUsers.add("user \(number)", in: transaction)
                    if number == 2 { entered.give() }
                    await go.wait()
                }
            }
        }
        await entered.wait()
        while try server.count(in: schema, "state = 'idle in transaction'") < 3 {
            try await Task.sleep(for: .milliseconds(10))
        }
        let late = await accountError { () async throws(AccountError) in
            try await database.add("late")
        }
        #expect(late?.code == .unavailable)
        #expect(late?.message.contains("3 connections") == true)
        let cancelled = Task { try await database.add("cancelled") }
        cancelled.cancel()
        #expect(await cancelled.result.code == .cancelled)
        let waiting = Task { try await database.users() }
        go.give()
        for holder in holders { try await holder.value }
        _ = await waiting.result
        let all = try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    do {
                        try await database.add("one of many \(number)")
                        return 1
                    } catch let error as AccountError where error.code == .unavailable {
                        return 0
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(all > 0)
        #expect(try await database.users().count == 3 + all)
        #expect(
            try server.count(in: schema) <= 3)
        await database.close()
        let closed = await accountError { () async throws(AccountError) in
            try await database.add("late")
        }
        #expect(closed?.code == .unavailable)
    }

    @Test("Slow statements, locked rows and idle transactions time out")
    func timeouts() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        var opened: PostgresAccounts?
        // Concurrent tests also create tables, under one lock.
        while opened == nil, !Task.isCancelled {
            opened = try? await server.open(schema: schema) {
                $0.statementTimeout = .seconds(2)
                $0.lockTimeout = .milliseconds(500)
                $0.idleTransactionTimeout = .seconds(4)
            }
        }
        let database = try #require(opened)
        try await database.add("user")
        let slow = await accountError { () async throws(AccountError) in
            try await database.run("SELECT 1 FROM pg_sleep(100)")
        }
        #expect(slow?.code == .unavailable)
        let held = Signal()
        let idle = Task {
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run("UPDATE signet_users SET added_at = 1", values: [])
                held.give()
                try? await Task.sleep(for: .seconds(100))
                try await transaction.run("UPDATE signet_users SET added_at = 2", values: [])
            }
        }
        await held.wait()
        let blocked = await accountError { () async throws(AccountError) in
            try await database.run("UPDATE signet_users SET added_at = 3")
        }
        #expect(blocked?.code == nil || blocked?.code == .unavailable)
        // The server ends the idle transaction: its row is free.
        while await accountError(of: { () async throws(AccountError) in
            try await database.run("UPDATE signet_users SET added_at = 4")
        }) != nil {}
        idle.cancel()
        #expect([.unavailable, .cancelled].contains(await idle.result.code))
        let rows = try await database.run("SELECT added_at FROM signet_users")
        #expect(try rows.first?.integer(0) == 4)
        await database.close()
    }

    @Test("A cancelled task does not wait for its statement")
    func cancelled() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema)
        let task = Task { try await database.run("SELECT 1 FROM pg_sleep(3600)") }
        while try server.count(in: schema, "query LIKE '%pg_sleep(3600)%'") == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        task.cancel()
        #expect(await task.result.code == .cancelled)
        #expect(try await database.users().isEmpty)
        // And the server hears of it.
        while try server.count(in: schema, "query LIKE '%pg_sleep(3600)%'") > 0 {
            try await Task.sleep(for: .milliseconds(50))
        }
        await database.close()
    }

    @Test("A migration may take longer than a request, and another process waits for it")
    func slowMigration() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let slow = SchemaStep(
            "slow/step.1",
            statements: [
                "CREATE TABLE slow_runs (at {integer} NOT NULL)",
                "INSERT INTO slow_runs (at) SELECT {now} FROM pg_sleep(3)",
            ])
        func impatient() async throws -> PostgresAccounts {
            try await server.open(schema: schema) {
                $0.statementTimeout = .seconds(2)
                $0.lockTimeout = .milliseconds(200)
            }
        }
        let databases = [try await impatient(), try await impatient()]
        try await withThrowingTaskGroup { group in
            for database in databases {
                group.addTask { try await AccountSchema.migrate(database, steps: [slow]) }
            }
            // One that starts meanwhile, by the same lock.
            try await server.waitForBlocked(in: schema)
            group.addTask { await (try await impatient()).close() }
            try await group.waitForAll()
        }
        #expect(try await databases[0].run("SELECT count(*) FROM slow_runs")[0].integer(0) == 1)
        // Requests on the same connections are ended as before.
        for database in databases {
            let limits = try await database.run(
                "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
            #expect(try limits[0].text(0) == "2s" && limits[0].text(1) == "200ms")
            let error = await accountError { () async throws(AccountError) in
                try await database.run("SELECT 1 FROM pg_sleep(100)")
            }
            #expect(error?.code == .unavailable)
        }
        // A table in use is waited for as long as by a request.
        try await databases[0].transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run("INSERT INTO slow_runs (at) VALUES (1)", values: [])
            let steps = [
                slow,
                SchemaStep(
                    "slow/step.2", statements: ["ALTER TABLE slow_runs ADD COLUMN more TEXT"]),
            ]
            let error = await accountError { () async throws(AccountError) in
                try await AccountSchema.migrate(databases[1], steps: steps)
            }
            #expect(error?.code == .unavailable)
        }
        for database in databases { await database.close() }
    }

    @Test("Transactions in a deadlock run again, and all of them succeed")
    func deadlocks() async throws {
        let server = try PostgresServer.shared()
        let database = try await server.open(8)
        try await database.add("a")
        try await database.add("b")
        try await database.run("UPDATE signet_users SET added_at = 0")
        try await withThrowingTaskGroup { group in
            for number in 0..<6 {
                group.addTask {
                    let users = number.isMultiple(of: 2) ? ["a", "b"] : ["b", "a"]
                    try await database.transaction { (transaction) throws(AccountError) -> Void in
                        for user in users {
                            try await transaction.run(
                                "UPDATE signet_users SET added_at = added_at + 1 WHERE id = $1",
                                values: [.text(user)])
                            try? await Task.sleep(for: .milliseconds(20))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try await database.run("SELECT added_at FROM signet_users")
        #expect(try rows.map { try $0.integer(0) } == [6, 6])
        await database.close()
    }

    @Test("Instances share one signing key, even when they start at once")
    func keys() async throws {
        let server = try PostgresServer.shared()
        let place = try server.place()
        let databases = [try await place.open(), try await place.open()]
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await SigningKeys.open(
                        in: .database(databases[number % 2], secret: try .test()), clock: .still
                    ).ring.currentKeyID
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names.count == 1)
        for database in databases { await (database as? PostgresAccounts)?.close() }
    }

    @Test("A newer version's tables are refused")
    func newer() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema)
        try await database.run(
            "INSERT INTO signet_schema_steps (name, done_at) VALUES ('later.1', 1)")
        let error = await accountError { () async throws(AccountError) in
            try await PostgresAccounts.open(.longWaiting(server.connection, schema))
        }
        #expect(error?.code == .corrupt)
        await database.close()
    }
}

extension Result where Failure == any Error {
    /// The code of an error of accounts.
    var code: AccountError.Code? {
        guard case .failure(let error) = self else { return nil }
        return (error as? AccountError)?.code
    }
}
