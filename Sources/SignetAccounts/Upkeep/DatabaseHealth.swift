// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetPlatform

/// Reports whether the database can be written to, for `GET /health`: a full disk counts as
/// unhealthy, though reading still works.
///
/// It writes one row. Concurrent callers share one question to the database, and its answer is
/// repeated for a second, so frequent requests cost no writes.
public final class DatabaseHealth: Sendable {
    private let limits: RateLimits
    private let clock: TimeSource
    private let state = Locked(State())

    private struct State {
        /// When the question of the last answer began.
        var asked: Duration?
        var isWell = false
        var running: Task<Bool, Never>?
    }

    /// The health of the database of these limits.
    ///
    /// - Parameters:
    ///   - limits: limits in the database.
    ///   - clock: for the second; a test passes that of a `ManualClock`.
    public init(_ limits: RateLimits, clock: TimeSource = .system) {
        (self.limits, self.clock) = (limits, clock)
    }

    /// Whether a row could be written, now or within the last second. A caller that is
    /// cancelled meanwhile is told no, at once, and no other caller.
    public func isWell() async -> Bool {
        let (isWell, question) = state.withLock { state -> (Bool?, Task<Bool, Never>?) in
            let now = clock.elapsed()
            if let asked = state.asked, now - asked < .seconds(1) { return (state.isWell, nil) }
            let question = state.running ?? Task { await ask(at: now) }
            state.running = question
            return (nil, question)
        }
        if let isWell { return isWell }
        return await question?.valueUnlessCancelled ?? false
    }

    private func ask(at now: Duration) async -> Bool {
        var failure: AccountError?
        do throws(AccountError) {
            try await limits.take(.probes, "health", for: .account(""))
        } catch {
            failure = error
        }
        return state.withLock { state in
            state.running = nil
            // This says nothing of the database.
            if failure?.code != .cancelled { (state.asked, state.isWell) = (now, failure == nil) }
            return failure == nil
        }
    }
}
