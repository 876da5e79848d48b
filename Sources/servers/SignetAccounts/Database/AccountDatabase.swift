// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A database that keeps accounts, sessions, codes and limits: ``SQLiteAccounts`` in a file,
/// PostgreSQL in SignetPostgres.
///
/// What is done to the data is written once, in SQL that both understand; an engine says how a
/// statement runs, and keeps what a transaction promises. For an engine of your own there are
/// ``OpenTransaction``, ``TransactionQueue`` and ``TransactionTurns``; `AccountDatabaseChecks` of
/// SignetAccountsTesting tries it. In a package without Swift's upcoming feature
/// `NonisolatedNonsendingByDefault`, write `nonisolated(nonsending)` before `@escaping`, or the
/// engine does not conform.
public protocol AccountDatabase: Sendable {
    /// What the engines write differently.
    var dialect: SQLDialect { get }

    /// Runs `work` in one transaction. All of it is durable when this returns, and nothing of it is
    /// there when it throws, but for ``AccountError`` `outcomeUnknown`: the connection was lost in
    /// the commit.
    ///
    /// The transaction that `work` gets is good until `work` returns. `work` may run again from its
    /// beginning where the engine asks for that (a deadlock, a busy file): it keeps nothing
    /// outside, and opens no other transaction, which could wait for this one. After a statement
    /// that failed it is lost: whatever `work` does about the error, nothing is written, and the
    /// error thrown. A caller that is cancelled before the commit gets `cancelled`, and nothing is
    /// written. With the engines here, `work` runs on the thread of its connection: its child tasks
    /// run one at a time, and never during a statement.
    ///
    /// - Throws: what `work` throws, `unavailable`, `cancelled`, `outcomeUnknown`, `corrupt`.
    @discardableResult
    func transaction<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer

    /// As ``transaction(_:)`` for `work` that only reads, and need not wait for what others write:
    /// it sees what was acknowledged before it began. By default, a transaction.
    func read<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer

    /// As ``transaction(_:)`` for `work` that changes the tables, without the limits of time that
    /// requests have: else a change of a big table would be ended each time. By default, a
    /// transaction.
    func migration<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer
}

extension AccountDatabase {
    /// Reads in a transaction.
    public func read<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        try await transaction(work)
    }

    /// Changes tables in a transaction.
    public func migration<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        try await transaction(work)
    }
}

/// An open transaction.
public protocol AccountTransaction: Sendable {
    /// Runs one statement with values for `$1`, `$2` …, and gives all rows that it returns.
    ///
    /// - Throws: `unavailable`; `conflict` for a row that a unique index refuses, or that refers to
    ///   one that is not there; `corrupt` where the schema is another one; `cancelled`;
    ///   `invalidParameter` for a text with a zero byte, another count of values than the statement
    ///   takes, or a transaction that is over.
    @discardableResult
    func run(_ statement: SQLStatement, values: [SQLValue]) async throws(AccountError) -> [SQLRow]
}
