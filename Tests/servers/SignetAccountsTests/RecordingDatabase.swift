// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase

/// A database that writes down what is run in it: statements, the sizes of their values, how many
/// rows they gave.
final class RecordingDatabase: AccountDatabase {
    private struct Recording: AccountTransaction {
        let inner: any AccountTransaction
        let log: Locked<[String]>

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            let rows = try await inner.run(statement, values: values)
            let sizes = values.map { value in
                switch value {
                case .integer(let value): "\(value)"
                case .text(let text): "text of \(text.utf8.count)"
                case .bytes(let bytes): "\(bytes.count) bytes"
                case .null: "null"
                }
            }
            log.withLock { $0.append("\(statement.source) \(sizes) → \(rows.count)") }
            return rows
        }
    }

    private let inner: any AccountDatabase
    private let log = Locked([String]())

    init(_ inner: any AccountDatabase) { self.inner = inner }

    var dialect: SQLDialect { inner.dialect }

    /// What was run since the last call.
    func taken() -> [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        log.withLock { $0.append("begin") }
        do throws(AccountError) {
            let answer = try await inner.transaction { (transaction) throws(AccountError) in
                try await work(Recording(inner: transaction, log: self.log))
            }
            log.withLock { $0.append("commit") }
            return answer
        } catch {
            log.withLock { $0.append("rollback") }
            throw error
        }
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await transaction(work)
    }
}
