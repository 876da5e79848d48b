// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How a ``SessionManager`` keeps a session.
public struct SessionOptions: Sendable {
    /// How long before its end an access token is exchanged; at most half its lifetime.
    public var lead: Duration = .seconds(300)
    /// Whether tokens are exchanged ahead of need, without a call for one.
    public var refreshesAhead = true
    /// The limit for one exchange with the server, and for waiting while another process has one.
    public var requestTimeout: Duration = .seconds(30)
    /// The longest pause after failures. Pauses begin at 1 s and double, each reduced by up to half
    /// at random. A server's `Retry-After` is respected up to an hour.
    public var maximumPause: Duration = .seconds(60)

    /// The defaults.
    public init() {}

    func check() throws(SessionError) {
        guard lead >= .zero, lead <= .seconds(86_400), requestTimeout >= .seconds(1),
            requestTimeout <= .seconds(600), maximumPause >= .seconds(1),
            maximumPause <= .seconds(3600)
        else {
            throw SessionError(
                .invalidOption,
                "The lead is up to a day, a request 1 to 600 s, a pause 1 to 3 600 s.")
        }
    }
}

/// The pause after failed exchanges.
struct RefreshPause {
    private var failureCount = 0
    private var until: Duration = .zero
    private var error: SessionError?

    /// The remaining pause; nil if there is none.
    func remaining(at now: Duration) -> Duration? {
        error != nil && until > now ? until - now : nil
    }

    /// The failure that started it, with the remaining pause.
    func failure(at now: Duration) -> SessionError? {
        guard var error, let remaining = remaining(at: now) else { return nil }
        error = SessionError(
            error.code,
            details: .init(retryAfter: remaining, storeError: error.storeError), error.message)
        return error
    }

    mutating func begin(after error: SessionError, at now: Duration, _ options: SessionOptions) {
        let doubled = Duration.seconds(1 << min(failureCount, 12))
        failureCount = min(failureCount + 1, 12)
        let own = min(doubled, options.maximumPause) * Double.random(in: 0.5...1)
        let asked = min(max(error.retryAfter ?? .zero, .zero), .seconds(3600))
        until = now + max(own, asked)
        self.error = error
    }

    mutating func end() { self = RefreshPause() }
}
