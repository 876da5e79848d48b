// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A database that keeps accounts, sessions, codes and limits: ``SQLiteAccounts`` in a file,
/// PostgreSQL in SignetPostgres.
///
/// All statements are written once, in SQL that SQLite and PostgreSQL understand. An engine runs
/// them, and keeps the promises of a transaction. For an engine of your own there are
/// ``OpenTransaction``, ``TransactionQueue`` and ``TransactionSemaphore``; `AccountDatabaseChecks`
/// of SignetAccountsTesting tests it. In a package without Swift's upcoming feature
/// `NonisolatedNonsendingByDefault`, write `nonisolated(nonsending)` before `@escaping`, or the
/// engine does not conform.
public protocol AccountDatabase: Sendable {
    /// The SQL that the engines write differently.
    var dialect: SQLDialect { get }

    /// Runs `work` in one transaction. All that it writes is durable when this returns, and nothing
    /// is written when this throws, except with ``AccountError`` `outcomeUnknown`: the connection
    /// was lost in the commit.
    ///
    /// The transaction that `work` gets is good until `work` returns. `work` may run again from its
    /// beginning if the engine asks for that (a deadlock, a busy file), so it must keep nothing
    /// outside, and open no second transaction, which could wait for the first. After a failed
    /// statement the transaction is lost: whatever `work` does about the error, nothing is written,
    /// and the error is thrown. A caller that is cancelled before the commit gets `cancelled`, and
    /// nothing is written. With the engines here, `work` runs on the thread of its connection: its
    /// child tasks run one at a time, and never during a statement.
    ///
    /// - Throws: what `work` throws, `unavailable`, `cancelled`, `outcomeUnknown`, `corrupt`.
    @discardableResult
    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value

    /// Runs `work` that only reads, by the rules of ``transaction(_:)``. It need not wait for
    /// writers, and sees all that was acknowledged before it began. By default, a transaction.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value

    /// Runs `work` that changes the tables, by the rules of ``transaction(_:)`` but without the
    /// time limits of requests, which would end the change of a big table each time. By default, a
    /// transaction.
    func migration<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value
}

extension AccountDatabase {
    /// Reads in a transaction.
    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await transaction(work)
    }

    /// Changes tables in a transaction.
    public func migration<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await transaction(work)
    }
}

/// An open transaction.
public protocol AccountTransaction: Sendable {
    /// Runs a statement with values for `$1`, `$2` …, and returns all its rows.
    ///
    /// - Throws: `unavailable`; `conflict` for a row that a unique index refuses, or that refers to
    ///   a missing row; `corrupt` if the schema does not fit the statement; `cancelled`;
    ///   `invalidParameter` for a text with a zero byte, a wrong number of values, or a transaction
    ///   that is over.
    @discardableResult
    func run(_ statement: SQLStatement, values: [SQLValue]) async throws(AccountError) -> [SQLRow]
}
