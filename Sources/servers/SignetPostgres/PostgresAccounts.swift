// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
internal import SignetBase

/// Accounts in PostgreSQL 14 or newer, shared by any number of servers.
///
/// A transaction is on the server's disk when it returns (its `fsync` must be on). Transactions are
/// READ COMMITTED; transactions that only read are REPEATABLE READ. If no connection is free they
/// wait in order, without a thread; the next transaction replaces a lost connection. Statements are
/// prepared on each connection: a pooler in between must keep one server connection for each
/// connection of Signet's.
public final class PostgresAccounts: AccountDatabase {
    /// How often work runs at most, if other transactions are in its way.
    private static let attempts = 8

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
    public func transaction<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        try await run(.writing, work)
    }

    /// Reads in a transaction that only reads, and sees a single moment. A statement that writes is
    /// `unavailable`.
    public func read<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        try await run(.reading, work)
    }

    /// Changes tables. A statement may take an hour, and so may the wait for another process that
    /// changes the tables. A migration waits for a table in use as long as a request does
    /// (``PostgresConfiguration/lockTimeout``), because the next request for it would wait too.
    public func migration<Answer: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        let lock = dialect.schemaLock
        return try await run(.migrating) { (transaction) throws(AccountError) in
            try await transaction.run(Self.patient, values: [])
            if let lock { try await transaction.run(lock, values: []) }
            try await transaction.run(Self.usual, values: [])
            return try await work(transaction)
        }
    }

    /// Sets time limits for this transaction alone.
    private static let patient: SQLStatement = """
        SELECT set_config('signet.lock_timeout', current_setting('lock_timeout'), true),
            set_config('lock_timeout', '3600000', true),
            set_config('statement_timeout', '3600000', true)
        """
    private static let usual: SQLStatement =
        "SELECT set_config('lock_timeout', current_setting('signet.lock_timeout'), true)"

    /// Closes the connections after the transactions already requested. From then on every
    /// transaction is `unavailable`.
    public func close() async {
        // Not cancelled with its caller: what is open is closed.
        await Task { [pool] in await pool.close() }.value
    }

    private enum Outcome<Answer: Sendable>: Sendable {
        case answer(Answer)
        case again(AccountError)
    }

    private func run<Answer: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        var attempt = 1
        while true {
            switch try await once(kind, work) {
            case .answer(let answer): return answer
            case .again(let error):
                guard attempt < Self.attempts else { throw error }
            }
            // A random time, so that the transactions do not meet again.
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(4 << attempt))))
            attempt += 1
        }
    }

    // Concurrent, or an actor that calls it would stay on the connection's thread afterwards.
    @concurrent
    private func once<Answer: Sendable>(
        _ kind: PostgresConnection.TransactionKind,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Outcome<Answer> {
        try await pool.lend { (lane) async throws(AccountError) in
            try await lane.stay { () async throws(AccountError) in
                try await alone(kind, on: lane, work)
            }
        }
    }

    private func alone<Answer: Sendable>(
        _ kind: PostgresConnection.TransactionKind, on lane: PostgresLane,
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> PostgresPool.Ending<Outcome<Answer>> {
        do {
            let beginning = try await lane.begin(kind)
            guard beginning == .begun else { return .notBegun(beginning) }
        } catch {
            pool.give(lane, isReusable: false)
            throw error
        }
        let transaction = OpenTransaction(dialect) {
            (text, values, check) async throws(AccountError) in
            try await lane.run { (connection, interruption) throws(AccountError) in
                try check()
                return try connection.run(text, values: values, interruption: interruption)
            }
        }
        do {
            let answer = try await work(transaction)
            try transaction.end()
            pool.give(lane, isReusable: try await lane.commit(kind))
            return .over(.answer(answer))
        } catch {
            try? transaction.end()
            let end = await lane.rollBack()
            pool.give(lane, isReusable: end.isReusable)
            guard end.wantsAgain, error.code != .outcomeUnknown, !Task.isCancelled else {
                throw error
            }
            return .over(.again(error))
        }
    }
}
