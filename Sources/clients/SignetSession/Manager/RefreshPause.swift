// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The pause of this process after failed exchanges of a session.
struct RefreshPause {
    private var session: [UInt8] = []
    private var failureCount = 0
    private var until: Duration = .zero
    private var error: SessionError?

    /// The remaining pause; nil if there is none, or it was another session's.
    func remaining(of session: [UInt8], at now: Duration) -> Duration? {
        error != nil && self.session == session && until > now ? until - now : nil
    }

    /// The failure that started the pause, with the remaining time as `retryAfter`.
    func failure(of session: [UInt8], at now: Duration) -> SessionError? {
        guard var error, let remaining = remaining(of: session, at: now) else { return nil }
        error = SessionError(
            error.code,
            retryAfter: remaining, underlying: error.underlying, "\(messageOf: error)")
        return error
    }

    mutating func begin(
        after error: SessionError, of session: [UInt8], at now: Duration, options: SessionOptions
    ) {
        if self.session != session { failureCount = 0 }
        let doubled = Duration.seconds(1 << min(failureCount, 12))
        failureCount = min(failureCount + 1, 12)
        let own = min(doubled, options.maximumPause) * Double.random(in: 0.5...1)
        let asked = min(max(error.retryAfter ?? .zero, .zero), ServerPause.maximum)
        hold(error, for: max(own, asked), of: session, at: now)
    }

    /// Pauses for `rest`, without counting a failure.
    mutating func hold(
        _ error: SessionError, for rest: Duration, of session: [UInt8], at now: Duration
    ) {
        self.session = session
        self.error = error
        until = now + rest
    }

    mutating func end() { self = RefreshPause() }
}
