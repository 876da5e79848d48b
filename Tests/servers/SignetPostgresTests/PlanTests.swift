// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetIdentity
import SignetPostgres
import TestSupport
import Testing

@Suite("Plans of PostgreSQL", .needsPostgreSQL, .serialized)
struct PlanTests {
    /// Keeps the statements that ran.
    private struct KeepingDatabase: AccountDatabase {
        private struct Transaction: AccountTransaction {
            let inner: any AccountTransaction
            let kept: Locked<[SQLStatement]>

            func run(
                _ statement: SQLStatement, values: [SQLValue]
            ) async throws(AccountError) -> [SQLRow] {
                kept.withLock { $0.append(statement) }
                return try await inner.run(statement, values: values)
            }
        }

        let inner: any AccountDatabase
        let kept = Locked([SQLStatement]())

        var dialect: SQLDialect { inner.dialect }

        func transaction<Value: Sendable>(
            _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
        ) async throws(AccountError) -> Value {
            let kept = kept
            return try await inner.transaction { (transaction) throws(AccountError) in
                try await work(Transaction(inner: transaction, kept: kept))
            }
        }
    }

    @Test("The ban of a session's user is looked up by the key, among however many users")
    func bans() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let database = KeepingDatabase(inner: try await server.open(schema: schema))
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let support = AccountSupport(tokens, factors: SecondFactors(database, secret: try .test()))
        let issued = try await tokens.begin(for: "user")
        _ = try await SessionCutOff(tokens, clock: .still).verify(issued.accessToken)
        _ = try await tokens.sessions(of: "user")
        let session = try tokens.issuer.verify(issued.accessToken)
        try await database.transaction { (transaction) throws(AccountError) in
            try await tokens.requireRecentSignIn(session, in: transaction)
        }
        _ = try await tokens.rotate(issued.refreshToken)
        _ = try await tokens.rotate(issued.refreshToken)
        try await support.liftBan(of: "user", by: "kim", reason: "a test")
        let statements = database.kept.withLock { $0 }.map { $0.text(in: .postgres) }.filter {
            $0.contains("signet_sessions") && $0.contains("banned_until >")
        }
        // `alive`, `list`, `isRecent`, `rotate` twice, `ofFamily` and `endBesideBan`.
        #expect(statements.count == 7)
        try server.admin(
            "SET search_path TO \(schema)",
            """
            INSERT INTO signet_users (id, added_at)
            SELECT 'u' || i, 1 FROM generate_series(1, 20000) i
            """,
            """
            INSERT INTO signet_sessions
                (id, user_id, family_hash, current_hash, begun_at, refreshed_at)
            SELECT 's' || i, 'u' || i, convert_to(i::text, 'UTF8'), '', 1, 1
            FROM generate_series(1, 20000) i
            """, "ANALYZE signet_users, signet_sessions", database: "accounts")
        for statement in Set(statements) {
            let count = (1...9).last { statement.contains("$\($0)") } ?? 0
            let values = Array(repeating: "'1'", count: count).joined(separator: ", ")
            for mode in ["force_generic_plan", "force_custom_plan"] {
                let plan = try server.admin(
                    "SET search_path TO \(schema)", "SET plan_cache_mode = \(mode)",
                    "PREPARE asked AS \(statement)", "EXPLAIN EXECUTE asked (\(values))",
                    database: "accounts"
                ).map { "\($0)" }.joined(separator: "\n")
                #expect(plan.contains("signet_users_pkey"), "\(statement)\n\(plan)")
                #expect(!plan.contains("Seq Scan"), "\(statement)\n\(plan)")
            }
        }
    }
}
