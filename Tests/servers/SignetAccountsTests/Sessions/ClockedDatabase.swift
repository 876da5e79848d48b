// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetJOSE
import TestSupport

/// SQLite with a clock that a test sets.
struct ClockedDatabase: AccountDatabase {
    private let inner: SQLiteAccounts

    static func open(_ folder: PrivateFolder) async throws -> ClockedDatabase {
        let path = folder.path + "/accounts"
        // On the system's clock, since the tables are made with one.
        let first = try await SQLiteAccounts.open(at: path)
        try await first.run("CREATE TABLE test_clock (at INTEGER NOT NULL) STRICT")
        try await first.run("INSERT INTO test_clock (at) VALUES ({now})")
        await first.close()
        var dialect = SQLDialect(
            now: "(SELECT at FROM test_clock)", bytes: "BLOB", integer: "INTEGER")
        dialect.parameterPrefix = "?"
        return ClockedDatabase(inner: try await SQLiteAccounts.open(at: path, dialect: dialect))
    }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await inner.transaction(work)
    }

    func now() async throws -> Int64 { try await run("SELECT {now}")[0].integer(0) }

    func advance(by milliseconds: Int64) async throws {
        try await run("UPDATE test_clock SET at = at + $1", values: [.integer(milliseconds)])
    }

    func set(_ time: Int64) async throws {
        try await run("UPDATE test_clock SET at = $1", values: [.integer(time)])
    }
}

enum Base64URLBytes {
    static func of(_ text: some StringProtocol) throws -> [UInt8] { try Base64URL.decode(text) }
}
