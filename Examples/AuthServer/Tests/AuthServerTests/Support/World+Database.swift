// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import SignetAccounts

extension World {
    /// One statement, past the server's faults.
    @discardableResult
    func run(_ statement: SQLStatement, values: [SQLValue] = []) async throws -> [SQLRow] {
        try await store.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    func users() async throws -> Int { try await run("SELECT id FROM signet_users").count }
    func sessions() async throws -> Int { try await run("SELECT id FROM signet_sessions").count }
    func visits() async throws -> Int { try await run("SELECT id FROM app_visits").count }
}
