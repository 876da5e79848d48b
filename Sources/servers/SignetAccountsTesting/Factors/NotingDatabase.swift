// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// A database that notes the names of the rows that are written to it. The names are HMACs, and
/// without this a check could not remove its rows.
struct NotingDatabase: AccountDatabase {
    private struct Noting: AccountTransaction {
        let inner: any AccountTransaction
        let names: Locked<Set<[UInt8]>>

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            names.withLock { names in
                for case .bytes(let bytes) in values where bytes.count == 32 {
                    names.insert(bytes)
                }
            }
            return try await inner.run(statement, values: values)
        }
    }

    let inner: any AccountDatabase
    let names: Locked<Set<[UInt8]>>

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let names = names
        return try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Noting(inner: transaction, names: names))
        }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await inner.read(work)
    }
}
