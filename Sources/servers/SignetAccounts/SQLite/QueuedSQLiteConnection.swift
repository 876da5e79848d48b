// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// Runs the transactions of ``SQLiteAccounts`` on one connection, one after the other.
///
/// 1. ``transaction(_:_:)`` waits until the connection is free.
/// 2. `enterQueue` goes over to the connection's queue, and frees the connection at the end.
/// 3. `runTransaction` begins, runs `work`, and commits or rolls back.
///
/// The queue has two tasks. Statements run on it (``withConnection(_:)``), so that none waits for
/// the disk on a thread of Swift's pool. As the executor preference of a transaction, it also runs
/// the transaction's `work` between its statements, on the same thread.
final class QueuedSQLiteConnection: @unchecked Sendable {
    private typealias Work<Value> =
        @Sendable (any AccountTransaction) async throws(AccountError) -> Value

    private let queue = TransactionQueue(label: "signet.accounts.sqlite")
    /// Has a single place: that of the transaction that has the connection.
    private let semaphore = TransactionSemaphore()
    private let dialect: SQLDialect
    // Touched on the queue only.
    private let connection: AccountConnection

    init(_ connection: sending AccountConnection, dialect: SQLDialect) {
        self.connection = connection
        self.dialect = dialect
    }

    /// Runs `work` in a transaction, after the transactions that came before.
    func transaction<Value: Sendable>(
        _ kind: AccountConnection.TransactionKind,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        // Waits outside of the queue: a cancelled task stops waiting even while the queue is busy.
        _ = try await semaphore.take()
        return try await enterQueue(kind, running: work)
    }

    // Concurrent, or an actor that calls it would stay on the connection's thread afterwards.
    @concurrent
    private func enterQueue<Value: Sendable>(
        _ kind: AccountConnection.TransactionKind, running work: @escaping Work<Value>
    ) async throws(AccountError) -> Value {
        try await withTaskExecutorPreference(queue) { () async throws(AccountError) in
            defer { semaphore.give() }
            return try await runTransaction(kind, running: work)
        }
    }

    private func runTransaction<Value: Sendable>(
        _ kind: AccountConnection.TransactionKind, running work: @escaping Work<Value>
    ) async throws(AccountError) -> Value {
        try await withConnection { (connection) throws(AccountError) in try connection.begin(kind) }
        let transaction = OpenTransaction(dialect) {
            [self] (text, values, check) async throws(AccountError) in
            try await withConnection { (connection) throws(AccountError) in
                try check()
                return try connection.run(text, values: values)
            }
        }
        do {
            let value = try await work(transaction)
            try transaction.end()
            try await withConnection { (connection) throws(AccountError) in
                try connection.commit(kind)
            }
            return value
        } catch {
            // The error of `work`, of the first `end()` or of the commit is the one that counts.
            try? transaction.end()
            try? await withConnection { connection in connection.rollBack() }
            throw error
        }
    }

    /// Closes the connection once the transactions that were asked for before have ended.
    func close() async {
        // Not cancelled with its caller: what is open is closed.
        await Task {
            _ = try? await semaphore.take()
            defer { semaphore.give() }
            try? await withConnection { connection in connection.close() }
        }.value
    }

    /// Runs `work` with the connection; the task waits without holding a thread.
    private func withConnection<Value: Sendable>(
        _ work: @escaping @Sendable (AccountConnection) throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await queue.run { () throws(AccountError) in try work(self.connection) }
    }
}
