// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import PostgresBridge
import SignetAccounts
import SignetPlatform
import SignetPostgres
import TestSupport
import Testing

@Suite("Lost connections and servers", .serialized)
struct LossTests {
    @Test("A connection lost in a transaction leaves nothing, and the next one works")
    func inTransaction() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 1)
        let (entered, go) = (Signal(), Signal())
        let task = Task {
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await AccountUsers.add("lost", in: transaction)
                await entered.give()
                await go.wait()
                try await AccountUsers.add("late", in: transaction)
            }
        }
        await entered.wait()
        try server.terminate(where: "application_name = '\(schema)'")
        await go.give()
        #expect(await task.result.code == .unavailable)
        #expect(try await database.users().isEmpty)
        // One that was ended while idle costs nobody anything.
        for number in 0..<5 {
            try server.terminate(where: "application_name = '\(schema)'")
            try await database.add("user \(number)")
        }
        #expect(try await database.users().count == 5)
        await database.close()
    }

    @Test("A connection lost in a commit is reported as unknown, unless the outcome is known")
    func inCommit() async throws {
        guard let server = try PostgresServer.shared() else { return }
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

    @Test("When a server stops answering, the deadline ends the wait")
    func frozen() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        // Tables first: concurrent tests that create theirs may hold the lock for long.
        await (try await server.open(schema: schema)).close()
        var opened: PostgresAccounts?
        while opened == nil {
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

    @Test("When one idle connection does not answer, the others are not waited for in turn")
    func frozenAll() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        await (try await server.open(schema: schema)).close()
        var opened: PostgresAccounts?
        while opened == nil {
            opened = try? await server.open(schema: schema, 4) {
                $0.statementTimeout = .seconds(4)
            }
        }
        let database = try #require(opened)
        let go = Signal()
        let tasks = (0..<4).map { _ in
            Task {
                try await database.transaction { (transaction) throws(AccountError) in
                    let rows = try await transaction.run("SELECT pg_backend_pid()", [])
                    let process = pid_t(truncatingIfNeeded: try rows[0].integer(0))
                    await go.wait()
                    return process
                }
            }
        }
        while try server.count(in: schema, "state = 'idle in transaction'") < 4 {
            try await Task.sleep(for: .milliseconds(10))
        }
        await go.give()
        var idle: [pid_t] = []
        for task in tasks { idle.append(try await task.value) }
        defer { for process in idle { kill(process, SIGCONT) } }
        for process in idle { kill(process, SIGSTOP) }
        // While the second one of them would be waited for, all answer again.
        let all = idle
        let thaw = Task {
            try await Task.sleep(for: .seconds(10))
            for process in all { kill(process, SIGCONT) }
        }
        let row = try await database.run("SELECT pg_backend_pid()").first
        let process = try #require(row).integer(0)
        thaw.cancel()
        #expect(!idle.contains(pid_t(truncatingIfNeeded: process)))
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
        let patient = configuration
        let task = Task { try await PostgresAccounts.open(patient) }
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
            listener.answer(Array(answer.utf8))
            #expect(await task.result.code == .unavailable, "\(answer)")
        }
    }

    @Test("A connection that is not established yet is given up with its task")
    func notEstablished() async throws {
        let listener = try SilentListener(backlog: 0)
        listener.fill()
        var configuration = try PostgresConfiguration(
            "host=127.0.0.1 port=\(listener.port) user=app")
        configuration.connectTimeout = .seconds(600)
        let patient = configuration
        let task = Task { try await PostgresAccounts.open(patient) }
        try await Task.sleep(for: .milliseconds(500))
        task.cancel()
        #expect(await task.result.code == .cancelled)
    }

    @Test("A wait for a connection that others wake ends in its time all the same")
    func woken() async throws {
        let listener = try SilentListener(backlog: 0)
        listener.fill()
        let wake = try PGWake()
        let options = [("host", "127.0.0.1"), ("port", "\(listener.port)"), ("user", "app")]
        let others = Task {
            var count = 0
            while !Task.isCancelled {
                PGInterruption(wake).interrupt()
                count += 1
                try? await Task.sleep(for: .milliseconds(50))
            }
            return count
        }
        let kind = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                do throws(PGFailure) {
                    _ = try PGConnection(options, PGPatience(.seconds(1), wake, nil))
                    continuation.resume(returning: PGFailure.Kind?.none)
                } catch {
                    continuation.resume(returning: error.kind)
                }
            }
        }
        others.cancel()
        #expect(kind == .timedOut)
        // Else libpq waits by itself until the system gives up: some 2,700 of them.
        #expect(await others.value < 1_000)
    }

    @Test("An answer of which TLS holds a part is read to its end")
    func records() async throws {
        guard let server = try PostgresServer.shared(), let python = KeyServer.python else {
            return
        }
        let schema = try server.schema()
        let script = try #require(
            Bundle.module.url(
                forResource: "record_proxy", withExtension: "py", subdirectory: "Scripts"))
        let proxy = try ServingProgram(
            python,
            [
                "-B", "-u", script.path, "\(server.folder)/.s.PGSQL.\(server.port)",
                "\(server.folder)/server.crt", "\(server.folder)/server.key",
            ])
        let port = try await proxy.said([String: Int].self)["port"] ?? 0
        var configuration = try PostgresConfiguration.patient(
            "host=127.0.0.1 port=\(port) user=app dbname=accounts sslmode=require", schema,
            connections: 1)
        configuration.statementTimeout = .seconds(30)
        let database = try await PostgresAccounts.open(configuration)
        // Longer than what libpq has room for at first, by less than a record.
        let rows = try await database.run("SELECT repeat('x', 16800)::text")
        #expect(try rows.first?.text(0).utf8.count == 16_800)
        await database.close()
    }

    @Test("Each address has its time")
    func addresses() throws {
        guard let server = try PostgresServer.shared() else { return }
        let silent = try [0x7f00_0002, 0x7f00_0003].map { (host: UInt32) in
            try SilentListener(at: host, backlog: 0)
        }
        for listener in silent { listener.fill() }
        let ports = silent.map { Int($0.port) } + [server.port]
        let wake = try PGWake()
        var kind: PGFailure.Kind?
        // A machine that has other work to do gets longer.
        for seconds in [2, 10, 30] {
            let options = [
                ("hostaddr", "127.0.0.2,127.0.0.3,127.0.0.1"),
                ("port", ports.map(String.init).joined(separator: ",")), ("user", "app"),
                ("dbname", "accounts"), ("password", PostgresServer.password),
                ("tcp_user_timeout", "\(seconds * 750)"),
            ]
            do throws(PGFailure) {
                try PGConnection(options, PGPatience(.seconds(seconds), wake, nil)).close()
                return
            } catch {
                kind = error.kind
            }
        }
        Issue.record("no connection: \(kind as Any)")
    }

    @Test("A host that takes connections and is silent leaves time for the next one")
    func silentHost() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let listener = try SilentListener()
        var configuration = try PostgresConfiguration.patient(
            "host=127.0.0.1,\(server.folder) port=\(listener.port),\(server.port) user=app "
                + "dbname=accounts", try server.schema(), connections: 1)
        var opened: PostgresAccounts?
        for seconds in [1, 10, 60] where opened == nil {
            configuration.connectTimeout = .seconds(seconds)
            opened = try? await PostgresAccounts.open(configuration)
        }
        let database = try #require(opened)
        try await database.add("user")
        #expect(try await database.users() == ["user"])
        await database.close()
    }

    @Test("While a server is down requests are 503, and work again after it")
    func restarts() async throws {
        guard let server = try PostgresServer.make() else { return }
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

    @Test("A crash during many writes loses nothing acknowledged")
    func crashes() async throws {
        guard let server = try PostgresServer.make() else { return }
        let database = try await server.open(4)
        let acknowledged = Locked<[String]>([])
        let isOver = Locked(false)
        let tasks = (0..<4).map { lane in
            Task {
                var number = 0
                while !isOver.withLock({ $0 }) {
                    let name = "\(lane)-\(number)"
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
