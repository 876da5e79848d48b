// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// A database that runs `body` before its first transaction that writes: a step that others take
/// between two steps of the code under check.
struct BetweenDatabase: AccountDatabase {
    let inner: any AccountDatabase
    let body: @Sendable () async throws -> Void
    private let hasBegun = Locked(false)

    init(inner: any AccountDatabase, _ body: @escaping @Sendable () async throws -> Void) {
        self.inner = inner
        self.body = body
    }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
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

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await inner.read(work)
    }
}
