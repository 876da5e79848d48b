// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase

/// A database in which a test does something once, between what a call does.
struct InterposedDatabase: AccountDatabase {
    enum Moment: Sendable {
        /// Before the transaction of this number begins; the first one has 0.
        case beforeTransaction(Int)
        /// After the first statement whose text contains this.
        case after(String)
    }

    private struct Plan {
        let moment: Moment
        let step: @Sendable () async -> Void
    }

    private struct Transaction: AccountTransaction {
        let inner: any AccountTransaction
        let database: InterposedDatabase

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            let rows = try await inner.run(statement, values: values)
            await database.reach { moment in
                guard case .after(let text) = moment else { return false }
                return statement.source.description.contains(text)
            }
            return rows
        }
    }

    private let inner: any AccountDatabase
    private let plan = Locked<Plan?>(nil)
    private let begun = Locked(0)

    init(_ inner: any AccountDatabase) { self.inner = inner }

    var dialect: SQLDialect { inner.dialect }

    /// Whether the step was done, or none is to do.
    var isDone: Bool { plan.withLock { $0 == nil } }

    /// Does this once when the moment comes, instead of what was to do.
    func arm(_ moment: Moment, _ step: @escaping @Sendable () async -> Void) {
        begun.withLock { $0 = 0 }
        plan.withLock { $0 = Plan(moment: moment, step: step) }
    }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let number = begun.withLock { begun in
            defer { begun += 1 }
            return begun
        }
        await reach { moment in
            guard case .beforeTransaction(number) = moment else { return false }
            return true
        }
        return try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Transaction(inner: transaction, database: self))
        }
    }

    private func reach(_ isNow: (Moment) -> Bool) async {
        let reached = plan.withLock { plan -> Plan? in
            guard let armed = plan, isNow(armed.moment) else { return nil }
            plan = nil
            return armed
        }
        await reached?.step()
    }
}
