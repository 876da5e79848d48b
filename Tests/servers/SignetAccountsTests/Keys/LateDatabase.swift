// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase

/// A database that performs one transaction and holds back its answer.
final class LateDatabase: AccountDatabase {
    private enum Holding {
        case no, next
        case answer(CheckedContinuation<Void, Never>)
    }

    private let inner: any AccountDatabase
    private let holding = Locked(Holding.no)

    init(_ inner: any AccountDatabase) { self.inner = inner }

    var dialect: SQLDialect { inner.dialect }

    var isHolding: Bool {
        holding.withLock { if case .answer = $0 { true } else { false } }
    }

    /// The next transaction's.
    func holdNext() { holding.withLock { $0 = .next } }

    /// Releases the answer.
    func release() {
        let kept = holding.withLock { holding in
            defer { holding = .no }
            return holding
        }
        if case .answer(let continuation) = kept { continuation.resume() }
    }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let isHeld = holding.withLock { holding in
            guard case .next = holding else { return false }
            holding = .no
            return true
        }
        let answer = try await inner.transaction(work)
        if isHeld {
            await withCheckedContinuation { continuation in
                holding.withLock { $0 = .answer(continuation) }
            }
        }
        return answer
    }
}
