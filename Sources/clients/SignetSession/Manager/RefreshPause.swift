// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The pause of this process after failed exchanges of a session.
struct RefreshPause {
    private struct Running {
        let session: [UInt8]
        let error: SessionError
        /// By the clock that `now` reads.
        let end: Duration
    }

    /// 2^12 s are more than the longest `maximumPause`, an hour.
    private static let maximumDoublingCount = 12

    private var running: Running?
    private var failureCount = 0

    /// The remaining pause; nil if there is none, or it was another session's.
    func remaining(of session: [UInt8], at now: Duration) -> Duration? {
        guard let running, running.session == session, running.end > now else { return nil }
        return running.end - now
    }

    /// The failure that started the pause, with the remaining time as `retryAfter`.
    func failure(of session: [UInt8], at now: Duration) -> SessionError? {
        guard let error = running?.error, let rest = remaining(of: session, at: now) else {
            return nil
        }
        return SessionError(
            error.code, retryAfter: rest, underlying: error.underlying, "\(messageOf: error)")
    }

    /// Counts a failure, and pauses as long as the options and the server say.
    mutating func start(
        afterFailure error: SessionError, of session: [UInt8], at now: Duration,
        options: SessionOptions
    ) {
        if running?.session != session { failureCount = 0 }
        let doubled = Duration.seconds(1 << failureCount)
        failureCount = min(failureCount + 1, Self.maximumDoublingCount)
        let own = min(doubled, options.maximumPause) * Double.random(in: 0.5...1)
        let asked = min(max(error.retryAfter ?? .zero, .zero), ServerPause.maximum)
        start(for: max(own, asked), because: error, of: session, at: now)
    }

    /// Pauses for `rest`, without counting a failure.
    mutating func start(
        for rest: Duration, because error: SessionError, of session: [UInt8], at now: Duration
    ) {
        running = Running(session: session, error: error, end: now + rest)
    }

    /// Ends the pause, and forgets the failures.
    mutating func end() { self = RefreshPause() }
}
