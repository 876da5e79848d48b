// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetAccountsTesting
import SignetPostgres
import Testing

@Suite("Accounts in PostgreSQL", .needsPostgreSQL, .serialized)
struct PostgresPromiseTests {
    @Test("Two stores on one database keep the promise", arguments: AccountDatabaseChecks.all)
    func promise(_ check: AccountCheck) async throws {
        let server = try PostgresServer.shared()
        let place = try server.place()
        let (database, other) = (try await place.open(), try await place.open())
        try await check.run(on: database, beside: other)
        for database in [database, other] { await (database as? PostgresAccounts)?.close() }
    }

    @Test("One store with one connection keeps the promise", arguments: AccountDatabaseChecks.all)
    func promiseOfOne(_ check: AccountCheck) async throws {
        let server = try PostgresServer.shared()
        let database = try await PostgresAccounts.open(
            .longWaiting(server.connection, try server.schema(), connections: 1))
        try await check.run(on: database)
        await database.close()
    }
}
