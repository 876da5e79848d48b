// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// The transaction that an engine of ``AccountDatabase`` gives to `work`. It keeps the protocol's
/// promises whatever `work` does: it is over when `work` is, also for code that has kept it; it is
/// lost after a failed statement; and a cancelled task begins no statement.
///
/// An engine begins a transaction on its connection, and then:
///
///     let transaction = OpenTransaction(.sqlite) { (text, values, check) in
///         try check()
///         return try connection.run(text, values: values)
///     }
///     let value = try await work(transaction)
///     try transaction.end()
///
/// Then it commits. If any step throws, the engine calls ``end()`` again, ignores its error, and
/// rolls back.
///
/// **Not** done here: keeping simultaneous statements apart. `work` may run several in child tasks,
/// so a connection must run them one at a time, as a ``TransactionQueue`` does.
public final class OpenTransaction: AccountTransaction {
    /// Runs a statement on the engine's connection.
    ///
    /// - Parameters:
    ///   - text: SQL in the engine's dialect. It is a constant of a program: prepare it once.
    ///   - values: for its parameters. Refuse a wrong number of values, and a text with a zero
    ///     byte, with `invalidParameter`.
    ///   - check: call it just before the statement, where statements run one at a time. It throws
    ///     if the transaction must not go on. If it were called earlier, a statement that waited
    ///     could run in the connection's next transaction.
    /// - Returns: all rows.
    public typealias Run =
        @Sendable (
            _ text: String, _ values: [SQLValue],
            _ check: @escaping @Sendable () throws(AccountError) -> Void
        ) async throws(AccountError) -> [SQLRow]

    private enum Progress {
        case running, over
        /// - Parameter error: the error of the first statement that failed.
        case failed(AccountError)
    }

    private let dialect: SQLDialect
    private let perform: Run
    private let progress = Locked(Progress.running)

    /// A transaction that has begun on a connection.
    ///
    /// - Parameters:
    ///   - dialect: the engine's dialect.
    ///   - perform: runs a statement on that connection.
    public init(_ dialect: SQLDialect, perform: @escaping Run) {
        self.dialect = dialect
        self.perform = perform
    }

    /// Runs a statement, unless the transaction is over or lost, or the task is cancelled.
    public func run(
        _ statement: SQLStatement, values: [SQLValue]
    ) async throws(AccountError) -> [SQLRow] {
        do throws(AccountError) {
            guard !Task.isCancelled else { throw .cancelledTransaction }
            // The engine calls `requireRunning` just before the statement (``Run``).
            return try await perform(statement.text(in: dialect), values, requireRunning)
        } catch {
            progress.withLock { if case .running = $0 { $0 = .failed(error) } }
            throw error
        }
    }

    /// Ends the transaction: none of its statements runs from now on. Call this before the commit,
    /// which must not happen if this throws.
    ///
    /// - Throws: the first error of a statement, although `work` may have caught it; `cancelled` if
    ///   the task is cancelled.
    public func end() throws(AccountError) {
        let progressBefore = progress.withLock { progress in
            defer { progress = .over }
            return progress
        }
        if case .failed(let error) = progressBefore { throw error }
        guard !Task.isCancelled else { throw .cancelledTransaction }
    }

    private func requireRunning() throws(AccountError) {
        switch progress.withLock({ $0 }) {
        case .running: return
        case .failed(let error): throw error
        case .over: throw AccountError(.invalidParameter, "The transaction is over.")
        }
    }
}

extension AccountError {
    static var cancelledTransaction: AccountError {
        AccountError(.cancelled, "The task was cancelled; nothing was written.")
    }
}
