// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetPostgres
import TestSupport

extension AccountDatabase {
    /// One statement in a transaction of its own.
    @discardableResult
    func run(
        _ statement: SQLStatement, values: [SQLValue] = []
    ) async throws(AccountError) -> [SQLRow] {
        try await transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    func add(_ user: String) async throws(AccountError) {
        try await transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.add(user, in: transaction)
        }
    }

    func users() async throws(AccountError) -> [String] {
        try await run("SELECT id FROM signet_users ORDER BY id").map { (row) throws(AccountError) in
            try row.text(0)
        }
    }
}

extension RefreshTokens {
    static func test(_ database: any AccountDatabase) throws -> RefreshTokens {
        let key = try HMACKey(
            secret: SecretKey(copying: [UInt8](repeating: 7, count: 32)), algorithm: .hs256,
            keyID: "test")
        return try RefreshTokens(
            database: database,
            issuer: SessionTokenIssuer(
                issuer: "https://api.example", audience: "session", keys: SessionKeyRing(key),
                lifetime: .seconds(3600), clock: .still))
    }
}

extension AccountSecret {
    static func test() throws -> AccountSecret {
        try AccountSecret(SecretKey(copying: [UInt8](repeating: 1, count: 32)))
    }
}

/// The error that a call ends with; nil where it succeeds.
func accountError<Value: Sendable>(
    of body: () async throws(AccountError) -> Value
) async -> AccountError? {
    do throws(AccountError) {
        _ = try await body()
        return nil
    } catch { return error }
}

extension PostgresServer {
    /// A database with tables of its own, over a pool of this size.
    func open(
        _ connections: Int = 4,
        _ change: (inout PostgresConfiguration) throws -> Void = { _ in }
    ) async throws -> PostgresAccounts {
        try await open(schema: try schema(), connections, change)
    }

    func open(
        schema: String, _ connections: Int = 4,
        _ change: (inout PostgresConfiguration) throws -> Void = { _ in }
    ) async throws -> PostgresAccounts {
        var configuration = try PostgresConfiguration.longWaiting(
            connection(to: schema), schema, connections: connections)
        try change(&configuration)
        return try await PostgresAccounts.open(configuration)
    }

    /// How many connections to a schema are in a state that a condition names.
    func count(in schema: String, _ condition: String = "true") throws -> Int {
        try admin(
            """
            SELECT 1 FROM pg_stat_activity
            WHERE application_name = '\(schema)' AND \(condition)
            """
        ).count
    }

    /// Waits until a statement waits for a lock.
    func waitForBlocked(in schema: String) async throws {
        while try count(in: schema, "wait_event_type = 'Lock'") == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// Something that tasks wait for and another signals. One that is cancelled waits no longer.
final class Signal: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    func give() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}
