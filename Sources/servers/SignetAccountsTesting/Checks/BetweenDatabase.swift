// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// A database that runs `body` before its first transaction that writes.
struct BetweenDatabase: AccountDatabase {
    let inner: any AccountDatabase
    let body: @Sendable () async throws -> Void
    private let isOver = Locked(false)

    init(inner: any AccountDatabase, _ body: @escaping @Sendable () async throws -> Void) {
        (self.inner, self.body) = (inner, body)
    }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        let isFirst = isOver.withLock { isOver in
            defer { isOver = true }
            return !isOver
        }
        if isFirst {
            do { try await body() } catch {
                throw (error as? AccountError)
                    ?? AccountError(
                        .unavailable, underlying: error, "The step of the check failed.")
            }
        }
        return try await inner.transaction(work)
    }

    func read<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        try await inner.read(work)
    }
}
