// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// The connections of ``PostgresAccounts``: made when they are needed, up to a maximum, and given to
/// waiting transactions in their order.
///
/// A transaction goes through it in these steps:
///
/// 1. ``withConnection(_:)`` waits for one of as many places as there may be connections.
/// 2. `nextConnection` takes an idle connection, or else makes a new connection.
/// 3. The transaction runs, and calls ``release(_:isReusable:)``: the connection is idle again, or
///    closed, and the place is free.
final class PostgresPool: Sendable {
    private struct State {
        /// In the order of their last use. The most recently used connection is taken first.
        var idle: [QueuedPostgresConnection] = []
        var isClosed = false
        /// How many times in a row connecting failed, up to ``PostgresPool/maximumFailureCount``.
        var failureCount = 0
        /// nil if the last attempt to connect succeeded.
        var pause: Pause?
    }

    /// The time after a failure to connect, in which no connection is made.
    private struct Pause {
        let end: ContinuousClock.Instant
        /// The failure, which callers get during the pause.
        let error: AccountError
    }

    /// A connection on which the transaction may be tried.
    private struct Candidate {
        let connection: QueuedPostgresConnection
        /// False for a connection that was idle: the server may have ended it since.
        let isNew: Bool
    }

    /// From the sixth failure in a row on, the pause is the longest.
    private static let maximumFailureCount = 6

    private let configuration: PostgresConfiguration
    /// A place for each connection: lets so many transactions in, and more wait in their order.
    /// `withConnection` takes a place, and `release` gives it back.
    private let semaphore: TransactionSemaphore
    /// Lets one call of `close` at a time take all places: two calls at once, each with some of the
    /// places, would wait for each other.
    private let closing = TransactionSemaphore()
    private let state = Locked(State())

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        semaphore = TransactionSemaphore(places: configuration.maximumConnectionCount)
    }

    /// How a transaction on one connection ended.
    enum TransactionEnd<Value: Sendable>: Sendable {
        case completed(Value)
        /// Other transactions were in the way: the same work may succeed at once.
        case retryable(AccountError)
        /// The connection was lost before the transaction began on it.
        case notBegun(PostgresConnection.Beginning)
    }

    /// Runs a transaction on an idle connection, or else on a new connection.
    ///
    /// `transaction` gives the connection back (``release(_:isReusable:)``) if it throws, or ends as
    /// `completed` or `retryable`. If it ends as `notBegun`, this function keeps the place and tries
    /// the next connection.
    ///
    /// - Returns: the transaction's value, or the error of a transaction that is to be run again.
    func withConnection<Value: Sendable>(
        _ transaction: (QueuedPostgresConnection) async throws(AccountError) -> TransactionEnd<
            Value
        >
    ) async throws(AccountError) -> Result<Value, AccountError> {
        guard try await semaphore.take(within: configuration.waitingTime) else {
            throw AccountError(
                .unavailable,
                "All \(configuration.maximumConnectionCount) connections to PostgreSQL are in use.")
        }
        while true {
            let candidate = try await nextConnection()
            switch try await transaction(candidate.connection) {
            case .completed(let value): return .success(value)
            case .retryable(let error): return .failure(error)
            case .notBegun(let beginning):
                // A new connection was not lost by being idle: the server is not there.
                guard !candidate.isNew else {
                    release(candidate.connection, isReusable: false)
                    throw AccountError(
                        .unavailable, "The connection to PostgreSQL was lost. Try again.")
                }
                candidate.connection.close()
                // The other idle connections are as old, and each would have to be waited for.
                if beginning == .unanswered { closeIdle() }
            }
        }
    }

    /// Takes back a connection whose transaction is over, and gives its place back.
    func release(_ connection: QueuedPostgresConnection, isReusable: Bool) {
        let isKept = state.withLock { state in
            guard isReusable, !state.isClosed else { return false }
            state.idle.append(connection)
            return true
        }
        if !isKept { connection.close() }
        semaphore.give()
    }

    /// Closes all connections once the transactions that were asked for before have ended.
    ///
    /// Call it in a task that nothing cancels. Taking a place without a time limit fails only in a
    /// cancelled task, so the errors of `take` are ignored here.
    func close() async {
        _ = try? await closing.take()
        defer { closing.give() }
        // While this call has all places, no transaction is under way.
        for _ in 0..<configuration.maximumConnectionCount { _ = try? await semaphore.take() }
        state.withLock { $0.isClosed = true }
        closeIdle()
        for _ in 0..<configuration.maximumConnectionCount { semaphore.give() }
    }

    /// The next connection to try. Gives the caller's place back if it throws.
    private func nextConnection() async throws(AccountError) -> Candidate {
        do {
            if let idle = try takeIdle() { return Candidate(connection: idle, isNew: false) }
            return Candidate(connection: try await connectNew(), isNew: true)
        } catch {
            semaphore.give()
            throw error
        }
    }

    /// The idle connection that was used last; nil if none is idle.
    private func takeIdle() throws(AccountError) -> QueuedPostgresConnection? {
        try state.withLock { (state) throws(AccountError) in
            guard !state.isClosed else {
                throw AccountError(.unavailable, "The database was closed.")
            }
            return state.idle.popLast()
        }
    }

    private func closeIdle() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
    }

    /// A new connection. After a failure the pool makes none for a short time, so that waiting
    /// transactions do not keep a server from starting.
    private func connectNew() async throws(AccountError) -> QueuedPostgresConnection {
        if let pause = state.withLock({ $0.pause }), pause.end > .now { throw pause.error }
        let connection = try QueuedPostgresConnection()
        do {
            try await connection.connect(configuration)
        } catch {
            if error.code != .cancelled { beginPause(after: error) }
            throw error
        }
        state.withLock { state in
            state.failureCount = 0
            state.pause = nil
        }
        return connection
    }

    /// Begins a pause: 40 ms after the first failure in a row, and twice as long after each, up to
    /// a second.
    private func beginPause(after error: AccountError) {
        state.withLock { state in
            state.failureCount = min(state.failureCount + 1, Self.maximumFailureCount)
            // 20 ms doubled for each failure: 40, 80 … 1,280, of which 1,000 are taken.
            let length = Duration.milliseconds(min(20 << state.failureCount, 1_000))
            state.pause = Pause(end: .now.advanced(by: length), error: error)
        }
    }
}
