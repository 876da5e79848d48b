// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import PostgresBridge
import SessionServer
import SignetPlatform
import TestPrograms
import TestSupport

/// A PostgreSQL of the tests' own: a new cluster in a temporary folder, with a Unix socket, a port
/// of loopback and TLS. It ends with the process, or by itself after an hour.
package final class PostgresServer: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What the role `app` signs in with, over loopback.
    package static let password = "a'pass word\\with=everything"
    /// The servers of this process, for its end.
    private static let all = Locked<[String]>([])
    private static let one = Locked<PostgresServer?>(nil)

    private let programs: String
    /// The folder of the cluster, of the socket and of the certificates.
    package let folder: String
    package let port: Int

    /// Whether PostgreSQL is here, or has to be: SIGNET_REQUIRE_INTEROP makes its absence a failure.
    package static var isExpected: Bool {
        programs != nil || ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"
    }
    package static let absence = "PostgreSQL is not here (make test-deps)"

    /// The server that all tests share.
    package static func shared() throws -> PostgresServer {
        try one.withLock { one in
            let server = try one ?? make()
            one = server
            return server
        }
    }

    /// A server of one test's own, which may be stopped.
    package static func make() throws -> PostgresServer {
        guard let programs else { throw Failure(description: absence) }
        return try PostgresServer(programs)
    }

    private static var programs: String? {
        let versions = "/usr/lib/postgresql"
        let installed = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? [])
            .compactMap { Int($0) }.sorted().reversed().map { "\(versions)/\($0)/bin" }
        return (installed + ["/usr/bin", "/usr/local/bin"]).first {
            FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
        }
    }

    private init(_ programs: String) throws {
        self.programs = programs
        folder = "/tmp/signet-postgres-\(UUID().uuidString.prefix(8))"
        port = Int.random(in: 20_000..<32_000)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let isFirst = Self.all.withLock { all in
            all.append(folder)
            return all.count == 1
        }
        if isFirst { ProcessEnd.onEnd { PostgresServer.endAll() } }
        for name in ["server", "other"] {
            _ = try Self.output(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                    "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext",
                    "subjectAltName=DNS:localhost", "-keyout", "\(folder)/\(name).key", "-out",
                    "\(folder)/\(name).crt",
                ])
        }
        if getuid() == 0 {
            _ = try Self.output("/bin/chown", ["-R", "postgres", folder])
        }
        try asServer(
            "initdb",
            [
                "-D", cluster, "-U", "admin", "--auth-local=trust", "--auth-host=scram-sha-256",
                "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions",
            ])
        try start()
        let quoted = Self.password.replacing("'", with: "''")
        try admin(
            "CREATE ROLE app LOGIN PASSWORD '\(quoted)'",
            "CREATE DATABASE accounts OWNER app")
    }

    private var cluster: String { folder + "/cluster" }

    /// Starts the server, and returns when it takes connections.
    package func start() throws {
        // The children of a killed server end in their own time.
        for _ in 0..<600 {
            guard try !isRunning() else { return }
            let process = try ChildProgram(
                "/usr/bin/env",
                Self.unprivileged + [
                    "timeout", "-s", "QUIT", "3600", programs + "/postgres", "-D", cluster, "-k",
                    folder, "-p", "\(port)", "-c", "listen_addresses=127.0.0.1", "-c",
                    "max_connections=200", "-c", "shared_buffers=32MB", "-c", "ssl=on", "-c",
                    "ssl_cert_file=\(folder)/server.crt", "-c",
                    "ssl_key_file=\(folder)/server.key", "-c", "logging_collector=off", "-c",
                    "log_min_messages=fatal", "-c", "deadlock_timeout=200ms",
                ], environment: ["PATH": "/usr/bin:/bin"])
            while process.isRunning {
                if try isRunning() { return }
                usleep(50_000)
            }
            usleep(100_000)
        }
        throw Failure(description: "PostgreSQL does not start.")
    }

    /// Ends the server: SIGINT breaks connections, SIGQUIT too and leaves recovery to the next
    /// start, and so does SIGKILL.
    package func stop(_ signal: Int32 = SIGINT) {
        guard let process = Self.postmaster(folder) else { return }
        let children = Self.children(of: process)
        kill(process, signal)
        while kill(process, 0) == 0 { usleep(20_000) }
        // They end when they miss it, but for one that waits for a lock of another one that has
        // ended: that keeps the next start waiting for ever.
        for _ in 0..<100 where children.contains(where: { kill($0, 0) == 0 }) { usleep(20_000) }
        for child in children { kill(child, SIGKILL) }
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let path = "/proc/\(process)/task/\(process)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { pid_t($0) }
    }

    /// Runs statements as the superuser, and gives what the last one answered.
    @discardableResult
    package func admin(
        _ statements: String..., database: String = "postgres"
    ) throws -> [[PGValue]] {
        let wake = try PGWake()
        let connection = try PGConnection(
            [
                ("host", folder), ("port", "\(port)"), ("user", "admin"), ("dbname", database),
            ], within: PGDeadline(.seconds(60), wake: wake, interruption: nil))
        defer { connection.close() }
        var rows: [[PGValue]] = []
        for statement in statements {
            rows = try connection.run(
                statement, within: PGDeadline(.seconds(300), wake: wake, interruption: nil)
            ).rows
        }
        return rows
    }

    /// A new, empty schema; its name is random.
    package func schema() throws -> String {
        let name = "test_\(UInt64.random(in: .min ... .max))"
        try admin("CREATE SCHEMA \(name) AUTHORIZATION app", database: "accounts")
        return name
    }

    /// The connection of the role `app` over the Unix socket, without a password.
    package var connection: String {
        "host=\(folder) port=\(port) user=app dbname=accounts"
    }

    /// The same, under an application name by which others recognise its connections.
    package func connection(to schema: String) -> String {
        "\(connection) application_name=\(schema)"
    }

    /// A place with tables of its own.
    package func place() throws -> AccountPlace {
        let schema = try schema()
        return .postgres(connection: connection(to: schema), schema: schema)
    }

    /// Ends connections of the role `app` that a condition names: all, or so many.
    @discardableResult
    package func terminate(_ count: Int = 1_000, where condition: String) throws -> Int {
        try admin(
            """
            SELECT pg_terminate_backend(pid)::int FROM (SELECT pid FROM pg_stat_activity
            WHERE usename = 'app' AND \(condition) ORDER BY random() LIMIT \(count)) AS chosen
            """
        ).count
    }

    private func isRunning() throws -> Bool {
        do {
            try admin("SELECT 1")
            return true
        } catch let error as PGFailure {
            _ = error
            return false
        }
    }

    private func asServer(_ program: String, _ arguments: [String]) throws {
        _ = try Self.output(
            "/usr/bin/env", Self.unprivileged + [programs + "/" + program] + arguments)
        guard FileManager.default.fileExists(atPath: folder) else {
            throw Failure(description: "\(program) failed.")
        }
    }

    /// PostgreSQL does not run as root.
    private static var unprivileged: [String] {
        getuid() == 0
            ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    private static func output(_ program: String, _ arguments: [String]) throws -> String {
        try ChildProgram.run(
            program, arguments, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        ).text
    }

    private static func postmaster(_ folder: String) -> pid_t? {
        let text = try? String(
            contentsOfFile: folder + "/cluster/postmaster.pid", encoding: .utf8)
        return text?.split(separator: "\n").first.flatMap { pid_t($0) }
    }

    private static func endAll() {
        for folder in all.withLock({ $0 }) {
            if let process = postmaster(folder) {
                kill(process, SIGQUIT)
                // It is asked to hurry; what it leaves is removed.
                for _ in 0..<100 where kill(process, 0) == 0 { usleep(20_000) }
            }
            try? FileManager.default.removeItem(atPath: folder)
        }
    }
}
