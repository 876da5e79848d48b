// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// A database that notes the names of the rows that are written to it. The names are HMACs, and
/// without this a check could not remove its rows.
struct NotingDatabase: AccountDatabase {
    /// The length of HMAC-SHA-256.
    private static let nameByteCount = 32

    private struct NotingTransaction: AccountTransaction {
        let inner: any AccountTransaction
        let names: Locked<Set<[UInt8]>>

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            names.withLock { names in
                for case .bytes(let bytes) in values where bytes.count == nameByteCount {
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
            try await work(NotingTransaction(inner: transaction, names: names))
        }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        // Reading adds no rows.
        try await inner.read(work)
    }
}
