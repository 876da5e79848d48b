// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
internal import SignetBase

/// Accounts in PostgreSQL 14 or newer, shared by any number of servers.
///
///     let configuration = try PostgresConfiguration("postgresql://app@db.example/accounts")
///     let accounts = try await PostgresAccounts.open(configuration)
///
/// A transaction is on the server's disk when it returns (its `fsync` must be on). Transactions are
/// READ COMMITTED; transactions that only read are REPEATABLE READ. If no connection is free they
/// wait in order, without a thread; the next transaction replaces a lost connection. Statements are
/// prepared on each connection: a pooler in between must keep one server connection for each
/// connection of Signet's.
public final class PostgresAccounts: AccountDatabase {
    // A transaction goes through these functions:
    // 1. runWithRetries: again, while other transactions are in its way.
    // 2. runOnce: on a connection of the pool, and on that connection's thread.
    // 3. runTransaction: begin, `work`, and commit or rollback; the connection goes back.

    private typealias Work<Value> =
        @Sendable (any AccountTransaction) async throws(AccountError) -> Value

    /// How often work runs at most, if other transactions are in its way.
    private static let maximumAttemptCount = 8

    private let pool: PostgresPool

    /// The SQL that PostgreSQL writes differently.
    public let dialect = SQLDialect.postgres

    /// Connects, and brings the tables to this version.
    ///
    /// The role must be allowed to create tables in the schema, and owns the tables that it
    /// creates.
    ///
    /// - Throws: `invalidParameter` for a configuration out of its ranges; `unavailable` if no
    ///   connection is made, with the reason and without a secret; `corrupt` for tables of a newer
    ///   version, or a schema that is not there.
    public static func open(
        _ configuration: PostgresConfiguration
    ) async throws(AccountError) -> PostgresAccounts {
        try configuration.check()
        let accounts = PostgresAccounts(configuration)
        do {
            try await AccountSchema.migrate(accounts)
        } catch {
            await accounts.close()
            throw error
        }
        return accounts
    }

    private init(_ configuration: PostgresConfiguration) {
        pool = PostgresPool(configuration)
    }

    /// Runs `work` in a transaction. `work` runs again, up to eight times in all, if PostgreSQL
    /// ended its transaction for a deadlock or a serialization failure.
    @discardableResult
    public func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await runWithRetries(.writing, running: work)
    }

    /// Reads in a transaction that only reads, and sees a single moment. A statement that writes is
    /// `unavailable`.
    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await runWithRetries(.reading, running: work)
    }

    /// Changes tables. A statement may take an hour, and so may the wait for another process that
    /// changes the tables. A migration waits for a table in use as long as a request does
    /// (``PostgresConfiguration/lockTimeout``), because the next request for it would wait too.
    public func migration<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let lock = dialect.schemaLock
        return try await runWithRetries(.migrating) { (transaction) throws(AccountError) in
            try await transaction.run(Self.longTimeouts, values: [])
            if let lock { try await transaction.run(lock, values: []) }
            try await transaction.run(Self.usualLockTimeout, values: [])
            return try await work(transaction)
        }
    }

    /// Sets time limits for this transaction alone.
    private static let longTimeouts: SQLStatement = """
        SELECT set_config('signet.lock_timeout', current_setting('lock_timeout'), true),
            set_config('lock_timeout', '3600000', true),
            set_config('statement_timeout', '3600000', true)
        """
    private static let usualLockTimeout: SQLStatement =
        "SELECT set_config('lock_timeout', current_setting('signet.lock_timeout'), true)"

    /// Closes the connections after the transactions already requested. From then on every
    /// transaction is `unavailable`.
    public func close() async {
        // Not cancelled with its caller: what is open is closed.
        await Task { [pool] in await pool.close() }.value
    }

    /// Runs a transaction, and runs it again while other transactions are in its way.
    private func runWithRetries<Value: Sendable>(
        _ kind: PostgresConnection.TransactionKind, running work: @escaping Work<Value>
    ) async throws(AccountError) -> Value {
        var attempt = 1
        while true {
            switch try await runOnce(kind, running: work) {
            case .success(let value): return value
            case .failure(let error):
                guard attempt < Self.maximumAttemptCount else { throw error }
            }
            // A random time, up to 8 ms and then twice as long each time, so that the transactions
            // do not meet again.
            //
            // A cancelled task does not sleep: its next transaction throws `cancelled`.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(4 << attempt))))
            attempt += 1
        }
    }

    // Concurrent, or an actor that calls it would stay on the connection's thread afterwards.
    /// - Returns: the value, or the error of a transaction that is to be run again.
    @concurrent
    private func runOnce<Value: Sendable>(
        _ kind: PostgresConnection.TransactionKind, running work: @escaping Work<Value>
    ) async throws(AccountError) -> Result<Value, AccountError> {
        try await pool.withConnection { (connection) async throws(AccountError) in
            try await connection.onItsThread { () async throws(AccountError) in
                try await runTransaction(kind, on: connection, running: work)
            }
        }
    }

    /// Begins, runs `work` and commits, or undoes all, and gives the connection back.
    private func runTransaction<Value: Sendable>(
        _ kind: PostgresConnection.TransactionKind, on connection: QueuedPostgresConnection,
        running work: @escaping Work<Value>
    ) async throws(AccountError) -> PostgresPool.TransactionEnd<Value> {
        do {
            let beginning = try await connection.begin(kind)
            guard beginning == .begun else { return .notBegun(beginning) }
        } catch {
            pool.release(connection, isReusable: false)
            throw error
        }
        let transaction = OpenTransaction(dialect) {
            (text, values, check) async throws(AccountError) in
            try await connection.run { (open, interruption) throws(AccountError) in
                try check()
                return try open.run(text, values: values, interruption: interruption)
            }
        }
        do {
            let value = try await work(transaction)
            try transaction.end()
            pool.release(connection, isReusable: try await connection.commit(kind))
            return .completed(value)
        } catch {
            // The error of `work` or of the first `end()` is the one that counts.
            try? transaction.end()
            let undone = await connection.rollBack()
            pool.release(connection, isReusable: undone.isReusable)
            guard undone.isRetryable else { throw error }
            // A commit whose outcome is unknown may have taken place: a second run would do it twice.
            guard error.code != .outcomeUnknown, !Task.isCancelled else { throw error }
            return .retryable(error)
        }
    }
}
