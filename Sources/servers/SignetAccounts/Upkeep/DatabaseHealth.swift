// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase

/// Reports whether the database can be written to, for `GET /health`: a full disk counts as
/// unhealthy, though reading still works.
///
///     let health = DatabaseHealth(limits)
///     let status = await health.isWell() ? 200 : 503
///
/// It asks by writing one row. Concurrent callers share a question to the database, and its answer
/// is repeated for a second, so frequent requests cost no writes.
public final class DatabaseHealth: Sendable {
    private let limits: RateLimits
    private let clock: TimeSource
    private let state = Locked(State())

    private struct State {
        /// The last question to the database. Its value is why no row could be written; nil if a
        /// row was written.
        var question: Task<AccountError?, Never>?
        /// When the last question began.
        var askedAt = Duration.zero
        var isRunning = false
    }

    /// The health of the database that keeps the limits.
    ///
    /// - Parameters:
    ///   - limits: limits in the database.
    ///   - clock: measures the second; a test passes that of a `ManualClock`.
    public init(_ limits: RateLimits, clock: TimeSource = .system) {
        self.limits = limits
        self.clock = clock
    }

    /// Whether a row could be written, now or within the last second. A caller that is
    /// cancelled meanwhile gets false at once, and concurrent callers do not.
    public func isWell() async -> Bool {
        do throws(AccountError) { try await check() } catch { return false }
        return true
    }

    /// Checks like ``isWell()``, for a server that answers the error and logs its cause.
    ///
    /// - Throws: the reason why no row could be written, now or within the last second;
    ///   `cancelled`, at once and only for this caller, if the caller's task was cancelled.
    public func check() async throws(AccountError) {
        let question = state.withLock { state in
            let now = clock.elapsed()
            if let last = state.question, state.isRunning || now - state.askedAt < .seconds(1) {
                return last
            }
            let question = Task { await ask() }
            state.question = question
            state.askedAt = now
            state.isRunning = true
            return question
        }
        guard let failure = await question.unlessCancelled else {
            throw AccountError(.cancelled, "The caller's task was cancelled.")
        }
        if let failure { throw failure }
    }

    /// Writes a row.
    ///
    /// - Returns: why it could not be written; nil if it was.
    private func ask() async -> AccountError? {
        var failure: AccountError?
        do throws(AccountError) {
            // Counts a use of a limit, which writes its row. No account has the empty name, so all
            // questions share one row. `.probes` is so large that it is never reached.
            try await limits.record(.probes, name: "health", for: .account(""))
        } catch {
            failure = error
        }
        return state.withLock { state in
            state.isRunning = false
            // A cancellation says nothing of the database.
            if failure?.code == .cancelled { state.question = nil }
            return failure
        }
    }
}

extension Task where Failure == Never {
    /// The value of the task, which several callers share; nil, at once, when the caller's own task
    /// is cancelled.
    fileprivate var unlessCancelled: Success? {
        get async {
            // Reading a stream ends at once when the reader is cancelled; reading a task's value
            // does not.
            let (values, value) = AsyncStream<Success>.makeStream()
            Task<Void, Never> {
                value.yield(await self.value)
                value.finish()
            }
            for await value in values { return value }
            return nil
        }
    }
}
