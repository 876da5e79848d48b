// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase

/// A database that is out of reach for so many transactions, from when a condition holds.
final class FailingDatabase: AccountDatabase {
    private let inner: any AccountDatabase
    private let condition: @Sendable () -> Bool
    private let left: Locked<Int>

    init(
        _ inner: any AccountDatabase, count: Int = 2, when condition: @escaping @Sendable () -> Bool
    ) {
        (self.inner, self.condition) = (inner, condition)
        left = Locked(count)
    }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let fails = left.withLock { left in
            guard left > 0, condition() else { return false }
            left -= 1
            return true
        }
        guard !fails else { throw AccountError(.unavailable, "Out of reach, for a test.") }
        return try await inner.transaction(work)
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await transaction(work)
    }
}
