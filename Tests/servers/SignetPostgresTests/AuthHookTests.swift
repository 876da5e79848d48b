// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetPostgres
import TestSupport
import Testing

@Suite("Hooks on PostgreSQL", .needsPostgreSQL, .serialized, .timeLimit(.minutes(20)))
struct AuthHookTests {
    @Test("Of a hook and its retries at several servers at once, one sends")
    func atOnce() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let (first, second) = (
            try await server.open(schema: schema, 4), try await server.open(schema: schema, 4)
        )
        for _ in 0..<2 {
            try await AccountSchema.migrate(first, steps: AuthHookVerifier.steps)
        }
        let setting = GoTrueHook.setting()
        let hooks = try [first, second].map { database in
            try AuthHookVerifier(
                database, secrets: SecretBytes(copying: setting.utf8), clock: .still)
        }
        let sent = Locked(0)
        func answer(_ number: Int) async throws -> Int {
            let hook = number % 3 == 0 ? GoTrueHook.sms() : GoTrueHook.sms().retried
            return await hooks[number % 2].answerSMS(try hook.fields(), body: hook.body) { _ in
                let count = sent.withLock { count -> Int in
                    count += 1
                    return count
                }
                // The first attempt fails, and one of the copies does the work.
                if count == 1 { throw AccountError(.messageRefused, "Once.") }
                for _ in 0..<20 { await Task.yield() }
            }.status
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<12 { group.addTask { try await answer(number) } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(sent.withLock { $0 } == 2)
        #expect(try await answer(1) == 200)
        #expect(sent.withLock { $0 } == 2)
        for database in [first, second] { await database.close() }
    }
}
