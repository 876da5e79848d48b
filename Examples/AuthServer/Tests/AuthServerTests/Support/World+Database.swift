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

    /// From now on no time passes for limits, however slow the machine is: before each use, their
    /// rows move by the time that has passed. SQLite's `now` is one moment for a statement and its
    /// triggers.
    func stopLimits() async throws {
        try await run("CREATE TEMP TABLE test_clock AS SELECT {now} AS at")
        try await run(
            """
            CREATE TEMP TRIGGER test_limits BEFORE INSERT ON signet_limits BEGIN
                UPDATE signet_limits
                SET full_until = full_until + {now} - (SELECT at FROM test_clock);
                UPDATE test_clock SET at = {now};
            END
            """)
    }

    func users() async throws -> Int { try await run("SELECT id FROM signet_users").count }
    func sessions() async throws -> Int { try await run("SELECT id FROM signet_sessions").count }
    func visits() async throws -> Int { try await run("SELECT id FROM app_visits").count }
}
