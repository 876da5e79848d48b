// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

/// The connections of a database: made when they are needed, up to a maximum, and given to waiting
/// transactions in their order.
final class PostgresPool: Sendable {
    private struct State {
        /// Most recently used last, and taken from the end.
        var idle: [PostgresLane] = []
        var isClosed = false
        /// How many times in a row connecting failed. It is not tried again before the end of the
        /// pause.
        var failures = 0
        var pause: (until: ContinuousClock.Instant, error: AccountError)?
    }

    private let configuration: PostgresConfiguration
    private let turns: TransactionTurns
    /// Two calls that take all turns at once would wait for each other.
    private let closing = TransactionTurns()
    private let state = Locked(State())

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        turns = TransactionTurns(places: configuration.maximumConnectionCount)
    }

    /// How a transaction on one connection ended.
    enum Ending<Answer: Sendable>: Sendable {
        case over(Answer)
        case notBegun(PostgresConnection.Beginning)
    }

    /// Runs a transaction on an idle connection, or else on a new connection. The transaction gives
    /// it back (``give(_:isReusable:)``), unless it could not begin there: then the next connection
    /// is tried.
    func lend<Answer: Sendable>(
        to transaction: (PostgresLane) async throws(AccountError) -> Ending<Answer>
    ) async throws(AccountError) -> Answer {
        guard try await turns.take(within: configuration.waitingTime) else {
            throw AccountError(
                .unavailable,
                "All \(configuration.maximumConnectionCount) connections to PostgreSQL are in use.")
        }
        while true {
            let (lane, isNew) = try await next()
            switch try await transaction(lane) {
            case .over(let answer): return answer
            case .notBegun(let beginning):
                guard !isNew else {
                    give(lane, isReusable: false)
                    throw AccountError(
                        .unavailable, "The connection to PostgreSQL was lost. Try again.")
                }
                lane.close()
                // The other idle connections are as old, and each would have to be waited for.
                if beginning == .unanswered { closeIdle() }
            }
        }
    }

    /// Takes a connection back, whose transaction is over.
    func give(_ lane: PostgresLane, isReusable: Bool) {
        let isKept = state.withLock { state in
            guard isReusable, !state.isClosed else { return false }
            state.idle.append(lane)
            return true
        }
        if !isKept { lane.close() }
        turns.give()
    }

    /// Closes all connections once the transactions that were asked for before have ended.
    func close() async {
        _ = try? await closing.take()
        defer { closing.give() }
        for _ in 0..<configuration.maximumConnectionCount { _ = try? await turns.take() }
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        for lane in idle { lane.close() }
        for _ in 0..<configuration.maximumConnectionCount { turns.give() }
    }

    /// The next connection to try. Gives the turn back if it throws.
    private func next() async throws(AccountError) -> (lane: PostgresLane, isNew: Bool) {
        do {
            if let lane = try takeIdle() { return (lane, false) }
            return (try await connected(), true)
        } catch {
            turns.give()
            throw error
        }
    }

    private func takeIdle() throws(AccountError) -> PostgresLane? {
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
        for lane in idle { lane.close() }
    }

    /// A new connection. After a failure the pool pauses briefly, so that waiting transactions do
    /// not keep a server from starting.
    private func connected() async throws(AccountError) -> PostgresLane {
        if let pause = state.withLock({ $0.pause }), pause.until > .now { throw pause.error }
        let lane = try PostgresLane()
        do {
            try await lane.connect(configuration)
        } catch {
            if error.code != .cancelled { noteFailure(error) }
            throw error
        }
        state.withLock { state in
            state.failures = 0
            state.pause = nil
        }
        return lane
    }

    private func noteFailure(_ error: AccountError) {
        state.withLock { state in
            state.failures = min(state.failures + 1, 6)
            let pause = Duration.milliseconds(min(20 << state.failures, 1_000))
            state.pause = (.now.advanced(by: pause), error)
        }
    }
}
