// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import SignetBase
import SignetPostgres
import Testing

@Suite("Lost connections and servers", .serialized, .timeLimit(.minutes(20)))
struct LossTests {
    @Test(
        "A connection lost in a transaction leaves nothing, and the next one works",
        .needsPostgreSQL)
    func inTransaction() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 1)
        let (entered, go) = (Signal(), Signal())
        let task = Task {
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await AccountUsers.add("lost", in: transaction)
                entered.give()
                await go.wait()
                try await AccountUsers.add("late", in: transaction)
            }
        }
        await entered.wait()
        try server.terminate(where: "application_name = '\(schema)'")
        go.give()
        #expect(await task.result.code == .unavailable)
        #expect(try await database.users().isEmpty)
        // One that was ended while idle costs no one anything.
        for number in 0..<5 {
            try server.terminate(where: "application_name = '\(schema)'")
            try await database.add("user \(number)")
        }
        #expect(try await database.users().count == 5)
        await database.close()
    }

    @Test(
        "A connection lost in a commit is reported as unknown, unless the outcome is known",
        .needsPostgreSQL)
    func inCommit() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 1)
        // A deferred trigger makes the commit take as long as the test wants.
        try server.admin(
            """
            CREATE FUNCTION \(schema).slow() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(3600); RETURN NULL; END $$
            """,
            """
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON \(schema).signet_users
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION \(schema).slow()
            """, database: "accounts")
        try server.admin("GRANT EXECUTE ON FUNCTION \(schema).slow() TO app", database: "accounts")
        let task = Task { try await database.add("unknown") }
        let inCommit = "application_name = '\(schema)' AND query = 'COMMIT' AND state = 'active'"
        while try server.terminate(where: inCommit) == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(await task.result.code == .outcomeUnknown)
        // Cancelling the task in the commit does not end the wait for its outcome.
        let cancelled = Task { try await database.add("cancelled") }
        while try server.count(in: schema, inCommit) == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        cancelled.cancel()
        try await Task.sleep(for: .milliseconds(500))
        try server.admin(
            "SELECT pg_cancel_backend(pid)::int FROM pg_stat_activity WHERE \(inCommit)")
        // The server has reported that it undid it.
        #expect(await cancelled.result.code == .unavailable)
        try server.admin("DROP TRIGGER slow ON \(schema).signet_users", database: "accounts")
        #expect(try await database.users().isEmpty)
        try await database.add("user")
        await database.close()
    }

    @Test("When a server stops answering, the deadline ends the wait", .needsPostgreSQL)
    func frozen() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        // Tables first: concurrent tests that create theirs may hold the lock for long.
        await (try await server.open(schema: schema)).close()
        var opened: PostgresAccounts?
        while opened == nil, !Task.isCancelled {
            opened = try? await server.open(schema: schema, 1) {
                $0.statementTimeout = .milliseconds(300)
            }
        }
        let database = try #require(opened)
        func frozen(_ body: (pid_t) async throws -> Void) async throws {
            let rows = try await database.run("SELECT pg_backend_pid()")
            let process = pid_t(try rows[0].integer(0))
            defer { kill(process, SIGCONT) }
            try await body(process)
        }
        try await frozen { process in
            // Nothing had begun: another connection is used.
            kill(process, SIGSTOP)
            let users = try await database.users()
            #expect(users.isEmpty)
        }
        try await frozen { process in
            let error = await accountError { () async throws(AccountError) in
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    kill(process, SIGSTOP)
                    try await AccountUsers.add("user", in: transaction)
                }
            }
            #expect(error?.code == .unavailable)
        }
        try await frozen { process in
            let error = await accountError { () async throws(AccountError) in
                try await database.transaction { (transaction) throws(AccountError) -> Void in
                    try await AccountUsers.add("user", in: transaction)
                    kill(process, SIGSTOP)
                }
            }
            #expect(error?.code == .outcomeUnknown)
        }
        await database.close()
    }

    @Test("A silent server, or one that is not PostgreSQL, is unreachable")
    func otherServers() async throws {
        let listener = try SilentListener()
        var configuration = try PostgresConfiguration(
            "host=127.0.0.1 port=\(listener.port) user=app sslmode=disable")
        configuration.connectTimeout = .milliseconds(300)
        let late = await accountError { () async throws(AccountError) in
            try await PostgresAccounts.open(configuration)
        }
        #expect(late?.code == .unavailable)
        configuration.connectTimeout = .seconds(600)
        let waiting = configuration
        let task = Task { try await PostgresAccounts.open(waiting) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(await task.result.code == .cancelled)
        let answers = [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "N", "S", "E\0\0\0\u{8}abc\0", "R\0\0\0\u{4}",
            "R\0\0\0\u{8}\0\0\0\0Z\0\0\0\u{5}I", "E\u{7f}\u{7f}\u{7f}\u{7f}", "\0",
        ]
        for answer in answers {
            configuration.connectTimeout = .milliseconds(500)
            let asked = configuration
            let task = Task { try await PostgresAccounts.open(asked) }
            await listener.answer(Array(answer.utf8))
            #expect(await task.result.code == .unavailable, "\(answer)")
        }
    }

    @Test("While a server is down requests are 503, and work again after it", .needsPostgreSQL)
    func restarts() async throws {
        let server = try PostgresServer.make()
        let database = try await server.open(3)
        var kept = 0
        for signal in [SIGINT, SIGQUIT, SIGKILL] {
            for _ in 0..<4 {
                try await database.add("user \(kept)")
                kept += 1
            }
            server.stop(signal)
            for _ in 0..<20 {
                let error = await accountError { () async throws(AccountError) in
                    try await database.add("lost")
                }
                #expect(error?.code == .unavailable)
            }
            try server.start()
            // During the pause after a failure a caller may be told to come back.
            while await accountError(of: { () async throws(AccountError) in
                try await database.add("again \(signal)")
            }) != nil {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await database.users().filter { $0.hasPrefix("user") }.count == kept)
        }
        #expect(try await database.users().count == kept + 3)
        await database.close()
        server.stop()
    }

    @Test("A crash during many writes loses nothing acknowledged", .needsPostgreSQL)
    func crashes() async throws {
        let server = try PostgresServer.make()
        let database = try await server.open(4)
        let acknowledged = Locked<[String]>([])
        let isOver = Locked(false)
        let tasks = (0..<4).map { worker in
            Task {
                var number = 0
                while !isOver.withLock({ $0 }) {
                    let name = "\(worker)-\(number)"
                    number += 1
                    do throws(AccountError) {
                        try await database.add(name)
                        acknowledged.withLock { $0.append(name) }
                    } catch {
                        guard [.unavailable, .outcomeUnknown].contains(error.code) else {
                            throw error
                        }
                        try? await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
        }
        for signal in [SIGKILL, SIGQUIT] {
            let before = acknowledged.withLock { $0.count }
            while acknowledged.withLock({ $0.count }) < before + 100 {
                try await Task.sleep(for: .milliseconds(5))
            }
            server.stop(signal)
            try server.start()
        }
        isOver.withLock { $0 = true }
        for task in tasks { try await task.value }
        // Until the pause after the last failure is over.
        while await accountError(of: { () async throws(AccountError) in
            try await database.users()
        }) != nil {
            try await Task.sleep(for: .milliseconds(50))
        }
        let there = Set(try await database.users())
        let lost = acknowledged.withLock { $0 }.filter { !there.contains($0) }
        #expect(lost.isEmpty, "\(lost)")
        await database.close()
        server.stop()
    }
}
