// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import Synchronization

/// A database that fails or is slow while a test wants it to be.
final class FaultyDatabase: AccountDatabase {
    private let base: any AccountDatabase
    private let fault = Mutex<AccountError.Code?>(nil)
    private let waiting = Mutex<(@Sendable () async -> Void)?>(nil)

    init(_ base: any AccountDatabase) { self.base = base }

    /// What every call fails with from now on; nil for none.
    var failure: AccountError.Code? {
        get { fault.withLock { $0 } }
        set { fault.withLock { $0 = newValue } }
    }

    /// Awaited before the next transaction begins.
    func wait(_ body: @escaping @Sendable () async -> Void) { waiting.withLock { $0 = body } }

    var dialect: SQLDialect { base.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let wait = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        await wait?()
        if let failure { throw AccountError(failure, "As the test wants it.") }
        return try await base.transaction(work)
    }

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        if let failure { throw AccountError(failure, "As the test wants it.") }
        return try await base.read(work)
    }
}
