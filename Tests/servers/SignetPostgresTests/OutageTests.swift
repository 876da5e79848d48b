// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Glibc
import SignetAccounts
import SignetPostgres
import TestSupport
import Testing

@Suite("Sessions while PostgreSQL is away", .needsPostgreSQL, .serialized, .timeLimit(.minutes(20)))
struct OutageTests {
    @Test(
        "200 clients live through 15 and 60 s without PostgreSQL", .tags(.postgres),
        .enabled(if: Effort.isFull, "takes minutes of real time"))
    func realOutages() async throws {
        let server = try PostgresServer.make()
        let database = try await server.place().open()
        var signals = [SIGINT, SIGKILL]
        try await ClientsAmongOutages(database, clients: 200).check(
            "PostgreSQL", outages: [.seconds(15), .seconds(60)]
        ) { outage in
            server.stop(signals.removeFirst())
            try await Task.sleep(for: outage)
            try server.start()
        }
        await (database as? PostgresAccounts)?.close()
        server.stop()
    }

    @Test("A retry of a rotation of yesterday's version, before its database was migrated, works")
    func migrated() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 2)
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let lost = try await tokens.begin(for: "user")
        _ = try await tokens.rotate(lost.refreshToken)
        let used = try await tokens.begin(for: "user")
        let current = try await tokens.rotate(used.refreshToken)
        for statement: SQLStatement in [
            "ALTER TABLE signet_sessions DROP COLUMN second_hash",
            "CREATE INDEX signet_used_refresh_tokens_at ON signet_used_refresh_tokens (used_at)",
            "ALTER TABLE signet_sessions DROP COLUMN client_id",
            "DELETE FROM signet_schema_steps WHERE name IN ('sessions.2', 'sessions.3')",
        ] { try await database.run(statement) }
        try await AccountSchema.migrate(database)

        try await database.run("UPDATE signet_used_refresh_tokens SET used_at = 1")
        let late = try await tokens.rotate(lost.refreshToken)
        for token in [late, current] { _ = try await tokens.rotate(token.refreshToken) }
        await database.close()
    }
}
