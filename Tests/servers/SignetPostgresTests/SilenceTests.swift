// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import PostgresBridge
import SignetAccounts
import SignetPostgres
import TestSupport
import Testing

@Suite("Servers and addresses that do not answer", .serialized, .timeLimit(.minutes(20)))
struct SilenceTests {
    @Test(
        "When one idle connection does not answer, the others are not waited for in turn",
        .needsPostgreSQL)
    func frozenAll() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        await (try await server.open(schema: schema)).close()
        var opened: PostgresAccounts?
        while opened == nil, !Task.isCancelled {
            opened = try? await server.open(schema: schema, 4) {
                $0.statementTimeout = .seconds(4)
            }
        }
        let database = try #require(opened)
        let go = Signal()
        let tasks = (0..<4).map { _ in
            Task {
                try await database.transaction { (transaction) throws(AccountError) in
                    let rows = try await transaction.run("SELECT pg_backend_pid()", values: [])
                    let process = pid_t(truncatingIfNeeded: try rows[0].integer(0))
                    await go.wait()
                    return process
                }
            }
        }
        while try server.count(in: schema, "state = 'idle in transaction'") < 4 {
            try await Task.sleep(for: .milliseconds(10))
        }
        go.give()
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

    @Test("Cancelling the task gives up a connection that is not yet established")
    func notEstablished() async throws {
        let listener = try SilentListener(backlog: 0)
        listener.fill()
        var configuration = try PostgresConfiguration(
            "host=127.0.0.1 port=\(listener.port) user=app")
        configuration.connectTimeout = .seconds(600)
        let longWaiting = configuration
        let task = Task { try await PostgresAccounts.open(longWaiting) }
        try await Task.sleep(for: .milliseconds(500))
        task.cancel()
        #expect(await task.result.code == .cancelled)
    }

    @Test("A wait for a connection ends on time even if others wake it")
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
            DispatchQueue(label: "wait").async {
                do throws(PGFailure) {
                    _ = try PGConnection(
                        options, within: PGDeadline(.seconds(1), wake: wake, interruption: nil))
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

    @Test(
        "An answer of which a part is still inside TLS is read to its end", .needsPostgreSQL,
        .enabled(if: KeyServer.isAvailable || KeyServer.isRequired, "python3 is not here"))
    func records() async throws {
        let server = try PostgresServer.shared()
        let python = try #require(KeyServer.python)
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
        var configuration = try PostgresConfiguration.longWaiting(
            "host=127.0.0.1 port=\(port) user=app dbname=accounts sslmode=require", schema,
            connections: 1)
        configuration.statementTimeout = .seconds(30)
        let database = try await PostgresAccounts.open(configuration)
        // Longer than what libpq has room for at first, by less than a record.
        let rows = try await database.run("SELECT repeat('x', 16800)::text")
        #expect(try rows.first?.text(0).utf8.count == 16_800)
        await database.close()
    }

    @Test("Each address has its own time limit", .needsPostgreSQL)
    func addresses() throws {
        let server = try PostgresServer.shared()
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
                try PGConnection(
                    options, within: PGDeadline(.seconds(seconds), wake: wake, interruption: nil)
                ).close()
                return
            } catch {
                kind = error.kind
            }
        }
        Issue.record("no connection: \(kind as Any)")
    }

    @Test(
        "A host that accepts connections but stays silent leaves time for the next host",
        .needsPostgreSQL)
    func silentHost() async throws {
        let server = try PostgresServer.shared()
        let listener = try SilentListener()
        var configuration = try PostgresConfiguration.longWaiting(
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
}
