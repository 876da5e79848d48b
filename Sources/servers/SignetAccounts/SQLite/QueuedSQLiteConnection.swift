// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// A connection, the queue on which it is used, and the transactions that wait for it.
///
/// The queue has two tasks. Statements run on it (``run(_:)``), so that none waits for the disk on a
/// thread of Swift's pool. As the executor preference of a transaction, it also runs the
/// transaction's `work` between its statements, on the same thread.
final class QueuedSQLiteConnection: @unchecked Sendable {
    private let queue = TransactionQueue(label: "signet.accounts.sqlite")
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
        return try await onQueue(kind, work)
    }

    // Concurrent, or an actor that calls it would stay on the connection's thread afterwards.
    @concurrent
    private func onQueue<Value: Sendable>(
        _ kind: AccountConnection.TransactionKind,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await withTaskExecutorPreference(queue) { () async throws(AccountError) in
            defer { semaphore.give() }
            return try await runTransaction(kind, work)
        }
    }

    private func runTransaction<Value: Sendable>(
        _ kind: AccountConnection.TransactionKind,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await run { (connection) throws(AccountError) in try connection.begin(kind) }
        let transaction = OpenTransaction(dialect) {
            [self] (text, values, check) async throws(AccountError) in
            try await run { (connection) throws(AccountError) in
                try check()
                return try connection.run(text, values: values)
            }
        }
        do {
            let value = try await work(transaction)
            try transaction.end()
            try await run { (connection) throws(AccountError) in try connection.end(kind) }
            return value
        } catch {
            try? transaction.end()
            try? await run { connection in connection.rollBack() }
            throw error
        }
    }

    /// Closes the connection once the transactions that were asked for before have ended.
    func close() async {
        // Not cancelled with its caller: what is open is closed.
        await Task {
            _ = try? await semaphore.take()
            defer { semaphore.give() }
            try? await run { connection in connection.close() }
        }.value
    }

    /// Runs `work` with the connection; the task waits without holding a thread.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (AccountConnection) throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await queue.run { () throws(AccountError) in try work(self.connection) }
    }
}
