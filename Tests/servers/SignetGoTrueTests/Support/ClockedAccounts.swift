// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import TestSupport

/// A database whose clock the test sets.
struct ClockedAccounts {
    /// 2026, in milliseconds.
    private static let start: Int64 = 1_780_000_000_000

    let database: SQLiteAccounts
    private let folder: PrivateFolder

    init() async throws {
        folder = try PrivateFolder()
        let path = folder.path + "/accounts.db"
        let plain = try await SQLiteAccounts.open(at: path)
        try await plain.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run("CREATE TABLE clock (now INTEGER NOT NULL)", values: [])
            try await transaction.run(
                "INSERT INTO clock VALUES ($1)", values: [.integer(Self.start)])
        }
        await plain.close()
        var dialect = SQLDialect(
            now: "(SELECT now FROM clock)", bytes: "BLOB", integer: "INTEGER")
        dialect.strict = "STRICT"
        dialect.parameterPrefix = "?"
        database = try await SQLiteAccounts.open(at: path, dialect: dialect)
    }

    /// To be called last: the file goes with this value.
    func close() async { await database.close() }

    /// Sets the clock, in milliseconds since the start.
    func set(_ milliseconds: Int64) async throws {
        let now = SQLValue.integer(Self.start + milliseconds)
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run("UPDATE clock SET now = $1", values: [now])
        }
    }
}
