// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import SignetCrypto
import SignetPlatform
import SignetPostgres
import TestSupport
import Testing

/// What SQLite's single writer makes right, and READ COMMITTED alone does not. Each test holds a
/// row in a transaction, lets another one wait for it, and then commits.
@Suite("Races that SQLite does not have", .serialized)
struct RaceTests {
    /// Runs `statement` in a transaction that is committed once `other` waits for a lock.
    private func holding<Answer: Sendable>(
        _ server: PostgresServer, _ schema: String, _ database: any AccountDatabase,
        _ statement: SQLStatement,
        _ values: [SQLValue], _ other: @escaping @Sendable () async throws(AccountError) -> Answer
    ) async throws -> Result<Answer, AccountError> {
        let (held, go) = (Signal(), Signal())
        let holder = Task {
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run(statement, values)
                await held.give()
                await go.wait()
            }
        }
        await held.wait()
        let task = Task { await Result(of: other) }
        try await server.waitForBlocked(in: schema)
        await go.give()
        try await holder.value
        return await task.value
    }

    @Test("A session that is refreshed during a sweep stays")
    func swept() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let issued = try await tokens.begin(for: "user")
        try await database.run("UPDATE signet_sessions SET refreshed_at = 1")
        _ = try await holding(
            server, schema, database, "UPDATE signet_sessions SET refreshed_at = {now}", []
        ) { () async throws(AccountError) in try await tokens.sweep() }.get()
        _ = try await tokens.rotate(issued.refreshToken)
        await database.close()
    }

    @Test("A session that is refreshed while a late token is checked stays")
    func lateToken() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        let second = try await tokens.rotate(first.refreshToken)
        // As it was just before its end: the running exchange extends it.
        try await database.run("UPDATE signet_sessions SET refreshed_at = 1")
        let retried = try await holding(
            server, schema, database, "UPDATE signet_sessions SET refreshed_at = {now}", []
        ) { () async throws(AccountError) in try await tokens.rotate(first.refreshToken) }.get()
        #expect(retried.refreshToken == second.refreshToken)
        _ = try await tokens.rotate(second.refreshToken)
        await database.close()
    }

    @Test("A refresh during a sign-out does not count as reuse")
    func signOut() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let tokens = try RefreshTokens.test(database)
        try await database.add("user")
        let first = try await tokens.begin(for: "user")
        _ = try await tokens.rotate(first.refreshToken)
        try await database.run("UPDATE signet_used_refresh_tokens SET used_at = 1")
        let late = try await holding(server, schema, database, "DELETE FROM signet_sessions", []) {
            () async throws(AccountError) in try await tokens.rotate(first.refreshToken)
        }
        #expect(late.error?.code == .invalidGrant)
        await database.close()
    }

    @Test("A code confirms its own device, and none that replaced it")
    func replacedDevice() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let factors = SecondFactors(database, secret: try .test())
        try await database.add("user")
        func device(_ byte: UInt8) throws -> HOTP {
            try HOTP(key: SecretKey(copying: [UInt8](repeating: byte, count: 20)))
        }
        try await factors.add(.hotp(device(2)), for: "user")
        let sealed = try await database.run("SELECT sealed FROM signet_factors")[0].bytes(0)
        for isConfirmed in [false, true] {
            try await factors.remove(for: "user")
            let one = try device(1)
            try await factors.add(.hotp(one), for: "user")
            if isConfirmed { _ = try await factors.confirm(one.code(at: 0), for: "user") }
            // What another server does meanwhile: the device is removed, and another one added.
            let code = try one.code(at: 1)
            let result = try await holding(
                server, schema, database,
                """
                UPDATE signet_factors SET confirmed = 0, last_step = -1, sealed = $1
                WHERE user_id = 'user'
                """, [.bytes(sealed)]
            ) { () async throws(AccountError) in
                if isConfirmed {
                    try await factors.verify(code, for: "user")
                } else {
                    _ = try await factors.confirm(code, for: "user")
                }
            }
            #expect(result.error != nil)
            #expect(try await !factors.isRequired(for: "user"))
        }
        await database.close()
    }

    @Test("Of recovery code sets made at once, one is valid")
    func recoveryCodes() async throws {
        guard let server = try PostgresServer.shared() else { return }
        let schema = try server.schema()
        let database = try await server.open(schema: schema, 8)
        let factors = SecondFactors(database, secret: try .test())
        try await database.add("user")
        _ = try await factors.newRecoveryCodes(for: "user")
        for _ in 0..<10 {
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { _ = try await factors.newRecoveryCodes(for: "user") }
                }
                try await group.waitForAll()
            }
            let count = try await database.run("SELECT count(*) FROM signet_recovery_codes")
            #expect(try count[0].integer(0) == 10)
        }
        await database.close()
    }

    @Test("Four processes that start at once create the tables once")
    func migrations() async throws {
        guard let server = try PostgresServer.shared() else { return }
        for _ in 0..<3 {
            let place = try server.place()
            let folder = try PrivateFolder()
            let told = try await KilledServers(place, folder: folder.path, clients: 0)
                .play(servers: 4, kills: 0, exchanges: 0, ready: 6)
            #expect(told.errors.isEmpty, "\(told.errors)")
            let database = try await place.open()
            #expect(try await database.users().isEmpty)
            await (database as? PostgresAccounts)?.close()
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
