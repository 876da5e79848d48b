// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import SignetPostgres
import Testing

@Suite("Connections to PostgreSQL", .serialized)
struct ConnectionTests {
    private func refused(
        _ connection: String, _ code: AccountError.Code = .unavailable,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        let error = await accountError { () async throws(AccountError) in
            var configuration = try PostgresConfiguration(connection)
            configuration.connectTimeout = .seconds(120)
            configuration.idleTransactionTimeout = .seconds(600)
            return try await PostgresAccounts.open(configuration)
        }
        #expect(error?.code == code, "\(error as Any)", sourceLocation: sourceLocation)
        return error?.message ?? ""
    }

    /// A value as a connection string has it.
    private func quoted(_ value: String) -> String {
        "'" + value.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    @Test(
        "Over TLS the server needs a certificate for its name, and the role its password",
        .needsPostgreSQL)
    func certificates() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        func connection(
            _ host: String, _ root: String?, mode: String? = "verify-full",
            password: String = PostgresServer.password
        ) -> String {
            "host=\(host) port=\(server.port) user=app dbname=accounts password=\(quoted(password))"
                + (mode.map { " sslmode=\($0)" } ?? "")
                + (root.map { " sslrootcert=\(server.folder)/\($0).crt" } ?? "")
        }
        var right = try PostgresConfiguration(connection("localhost", "server"))
        right.schema = schema
        // Computing tests may occupy the processors for long.
        right.idleTransactionTimeout = .seconds(600)
        (right.lockTimeout, right.statementTimeout) = (.seconds(600), .seconds(600))
        (right.connectTimeout, right.waitingTime) = (.seconds(600), .seconds(600))
        let database = try await PostgresAccounts.open(right)
        let rows = try server.admin(
            """
            SELECT 1 FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
            WHERE usename = 'app' AND ssl AND client_addr IS NOT NULL
            """)
        #expect(rows.count == 1)
        var dumped = ""
        dump(database, to: &dumped)
        #expect(!dumped.contains("pass word"))
        // Two that close it do not wait for each other.
        async let one: Void = database.close()
        async let other: Void = database.close()
        _ = await (one, other)

        let others = [
            await refused(connection("localhost", "other")),
            await refused(connection("127.0.0.1", "server")),
            await refused(connection("localhost", "none")),
            // The only one that asks for a password: it must be this one.
            await refused(connection("localhost", "server", password: "no-such-pa55word")),
        ]
        for message in others {
            #expect(message.utf8.count > 50, "the reason is missing: \(message)")
            for secret in [PostgresServer.password, "no-such-pa55word"] {
                #expect(!message.contains(secret), "\(message)")
            }
        }
        #expect(others[3].contains("password authentication failed"), "\(others[3])")
    }

    @Test("Remote servers must show a certificate, unless the string says otherwise")
    func modes() throws {
        func mode(_ connection: String) throws -> String? {
            try PostgresConfiguration(connection).options.last { $0.name == "sslmode" }?.value
        }
        for host in [
            "db.example", "10.0.0.1", "localhost,db.example", "127.evil.example",
            "localhost.example",
            "::2", "",
        ] where !host.isEmpty {
            #expect(try mode("host='\(host)'") == "verify-full", "\(host)")
        }
        #expect(try mode("host=localhost hostaddr=10.0.0.1") == "verify-full")
        #expect(try mode("postgresql://app@db.example:5432/accounts") == "verify-full")
        #expect(try mode("host=/run/postgresql,db.example") == "verify-full")
        for host in ["localhost", "127.0.0.1", "::1", "/run/postgresql", "127.1.2.3,localhost"] {
            #expect(try mode("host='\(host)'") == "prefer", "\(host)")
        }
        #expect(try mode("host=db.example sslmode=require") == "require")
    }

    @Test("Of several hosts, each is tried by itself, with its address and its port")
    func hosts() throws {
        func hosts(_ connection: String) throws -> [String] {
            try PostgresConfiguration(connection).hosts.map { options in
                ["host", "hostaddr", "port"].map { name in
                    options.last { $0.name == name }?.value ?? "-"
                }.joined(separator: " ")
            }
        }
        #expect(try hosts("host=a,b port=1,2") == ["a - 1", "b - 2"])
        #expect(try hosts("postgresql://app@a:1,b/accounts") == ["a - 1", "b - 5432"])
        #expect(
            try hosts("host=a,b,/run hostaddr=10.0.0.1,::1, port=3") == [
                "a 10.0.0.1 3", "b ::1 3", "/run - 3",
            ])
        #expect(try hosts("hostaddr=10.0.0.1,10.0.0.2") == ["- 10.0.0.1 -", "- 10.0.0.2 -"])
        let all = try PostgresConfiguration("host=localhost,db.example dbname=a").hosts
        for options in all {
            #expect(options.filter { $0.name == "sslmode" }.map(\.value) == ["verify-full"])
            #expect(options.filter { $0.name == "dbname" }.map(\.value) == ["a"])
        }
    }

    @Test("A malformed string, or one without a host, is rejected without quoting it")
    func strings() async throws {
        for wrong in [
            "secret", "host=a password='secret", "postgresql://user:secret@[", "dbname=a", "",
            "host=a\0b", "host=a secret=1", "service=secret host=a",
            "host=a replication=database", "host='' dbname=secret", "host=a,",
            "host=a,b port=1,2,3",
            "host=a,b hostaddr=10.0.0.1",
            // A password that is not percent-encoded, of which libpq takes a part for a host.
            "postgresql://app:pa@secret@db.example/a", "postgresql://app:secret/1@db.example/a",
            "postgresql://app:pa@@secret@db.example/a", "postgresql://app:pa@secret!@db.example/a",
            "postgresql://app:pa@secret/1@db.example/a", "postgres://app:secret@@db.example/a",
            "postgresql://app:12/secret@db.example/a",
        ] {
            let error = await accountError { () throws(AccountError) in
                _ = try PostgresConfiguration(wrong)
            }
            #expect(error?.code == .invalidParameter, "\(wrong)")
            #expect(error?.description.contains("secret") != true)
        }
        let configuration = try PostgresConfiguration(
            host: "localhost", database: "a", user: "b", password: "secret")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in [dumped, "\(configuration)", String(reflecting: configuration)] {
            #expect(!text.contains("secret"))
        }
    }

    @Test("Options out of range are refused")
    func ranges() async throws {
        let changes: [@Sendable (inout PostgresConfiguration) -> Void] = [
            { $0.maximumConnectionCount = 0 }, { $0.maximumConnectionCount = 201 },
            { $0.statementTimeout = .zero }, { $0.lockTimeout = .seconds(601) },
            { $0.waitingTime = .seconds(-1) }, { $0.schema = "" }, { $0.schema = "a\", \"b" },
            { $0.schema = "1a" }, { $0.schema = "A" },
            { $0.schema = String(repeating: "a", count: 64) },
        ]
        for change in changes {
            let error = await accountError { () async throws(AccountError) in
                var configuration = try PostgresConfiguration("host=/nowhere")
                change(&configuration)
                return try await PostgresAccounts.open(configuration)
            }
            #expect(error?.code == .invalidParameter)
        }
    }

    @Test("A missing server, database or schema is reported", .needsPostgreSQL)
    func absent() async throws {
        let server = try PostgresServer.shared()
        _ = await refused("host=/nowhere/at/all user=app")
        _ = await refused("host=\(server.folder) port=\(server.port) user=app dbname=none")
        _ = await refused("host=\(server.folder) port=\(server.port) user=nobody dbname=accounts")
        let error = await accountError { () async throws(AccountError) in
            try await PostgresAccounts.open(.longWaiting(server.connection, "not_there"))
        }
        #expect(error?.code == .corrupt)
        // One that the role may not use, and one without the right to create tables.
        try server.admin(
            "DROP SCHEMA IF EXISTS locked", "CREATE SCHEMA locked", database: "accounts")
        let locked = await accountError { () async throws(AccountError) in
            try await PostgresAccounts.open(.longWaiting(server.connection, "locked"))
        }
        #expect(locked?.code == .corrupt)
        try server.admin("GRANT USAGE ON SCHEMA locked TO app", database: "accounts")
        let other = await accountError { () async throws(AccountError) in
            try await PostgresAccounts.open(.longWaiting(server.connection, "locked"))
        }
        #expect(other?.code == .unavailable)
    }
}
