// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import PostgresBridge
internal import SignetAccounts

/// A connection of ``PostgresPool``, and the queue on which its blocking calls run, so that none
/// waits for the server on a thread of Swift's pool.
///
/// `PostgresAccounts` calls ``begin(_:)``, ``run(_:)`` for each statement, and then ``commit(_:)``
/// or ``rollBack()``.
final class QueuedPostgresConnection: @unchecked Sendable {
    private let queue = TransactionQueue(label: "signet.accounts.postgres")
    /// What a cancelled task wakes the queue's thread with.
    private let wake: PGWake
    // Touched on the queue only; nil before `connect` and after `close`.
    private var connection: PostgresConnection?

    init() throws(AccountError) {
        do { wake = try PGWake() } catch { throw AccountError(error) }
    }

    /// Connects. A cancelled task is let go at once.
    func connect(_ configuration: PostgresConfiguration) async throws(AccountError) {
        try await runInterruptibly { [self] (interruption) throws(AccountError) in
            connection = try PostgresConnection(
                configuration, wake: wake, interruption: interruption)
        }
    }

    /// Begins a transaction. If the answer is not `begun`, take another connection.
    func begin(
        _ kind: PostgresConnection.TransactionKind
    ) async throws(AccountError) -> PostgresConnection.Beginning {
        try await run { (connection, interruption) throws(AccountError) in
            try connection.begin(kind, interruption: interruption)
        }
    }

    /// Runs `work` with the connection; the task waits without holding a thread. If the task is
    /// cancelled, a statement ends soon, and the connection with it.
    func run<Value: Sendable>(
        _ work:
            @escaping @Sendable (PostgresConnection, PGInterruption) throws(AccountError) ->
            Value
    ) async throws(AccountError) -> Value {
        try await runInterruptibly { [self] (interruption) throws(AccountError) in
            try work(try openConnection(), interruption)
        }
    }

    /// Runs the work of a transaction where its statements run, so that nothing crosses threads.
    func onItsThread<Value: Sendable>(
        _ work: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await withTaskExecutorPreference(queue, operation: work)
    }

    /// Ends the transaction, whether the task is cancelled or not.
    ///
    /// - Returns: whether another transaction may begin here.
    func commit(_ kind: PostgresConnection.TransactionKind) async throws(AccountError) -> Bool {
        try await queue.run { [self] () throws(AccountError) in
            let connection = try openConnection()
            try connection.commit(kind)
            return connection.isReusable
        }
    }

    /// Undoes the transaction.
    ///
    /// - Returns: whether another transaction may begin here, and whether the undone transaction is
    ///   to be run again.
    func rollBack() async -> (isReusable: Bool, isRetryable: Bool) {
        await queue.run { [self] in
            guard let connection else { return (isReusable: false, isRetryable: false) }
            connection.rollBack()
            return (isReusable: connection.isReusable, isRetryable: connection.isRetryable)
        }
    }

    func close() {
        queue.async { [self] in
            connection?.close()
            connection = nil
        }
    }

    /// The connection, unless it was closed. On the queue only.
    private func openConnection() throws(AccountError) -> PostgresConnection {
        guard let connection else {
            throw AccountError(.unavailable, "The connection to PostgreSQL was closed.")
        }
        return connection
    }

    /// Runs `work` on the queue, and interrupts it if the task is cancelled.
    private func runInterruptibly<Value: Sendable>(
        _ work: @escaping @Sendable (PGInterruption) throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let interruption = PGInterruption(wake)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async {
                    continuation.resume(
                        returning: Result { () throws(AccountError) in try work(interruption) })
                }
            }
        } onCancel: {
            interruption.interrupt()
        }
        return try result.get()
    }
}
