// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// When an issuer may be asked for its keys again, so that nobody can flood it with made-up tokens.
/// ``KeySetState`` asks before each fetch. The *cooldown* is an option, 30 s by default.
///
/// - Because of a token: unknown keys (no key has the token's `kid`) get a burst of three fetches,
///   then one per cooldown; replaced keys (the key in hand does not verify the token) get one per
///   cooldown. The two budgets are separate, and only tokens use them up: a refresh because of age
///   must not keep a new key out.
/// - After a failure: a failed fetch starts a pause of 1, 2, 4 … seconds from its end, at most the
///   cooldown.
///
/// For example, after fetches for unknown keys at 0, 1 and 2 s, the next is allowed at 32 s. All
/// times count from the same arbitrary moment.
struct FetchBudget: Sendable {
    /// The fetches for one reason. Each fetch costs one cooldown, and up to `burst` of them may be
    /// taken before they are paid for. With a cooldown of 30 s, three fetches at the time 0 are
    /// paid for at 90 s, and the fourth is allowed at 30 s, when one of the three is.
    private struct Allowance {
        /// The number of fetches that need no pause between them.
        let burst: Int
        /// When all fetches already taken are paid for, at one fetch per cooldown.
        var paidAt: Duration?
    }

    /// Twelve doublings of 1 s, 4,096 s, exceed the longest cooldown, 3,600 s.
    private static let maximumDoublingCount = 12

    private let cooldown: Duration
    private var unknownKey = Allowance(burst: 3)
    private var replacedKey = Allowance(burst: 1)
    /// The end of the pause after a failed fetch.
    private var retryAt: Duration?
    /// The failures since the last success, as far as they still double the pause.
    private var failureCount = 0

    init(cooldown: Duration) { self.cooldown = cooldown }

    /// The remaining pause before a fetch because of a token; nil if a fetch is allowed now.
    func pause(for reason: StaleKeyReason, at now: Duration) -> Duration? {
        let allowance = self[reason]
        guard let paidAt = allowance.paidAt else { return nil }
        let mayBeUnpaid = cooldown * (allowance.burst - 1)
        let pause = paidAt - now - mayBeUnpaid
        return pause > .zero ? pause : nil
    }

    /// Uses up one fetch of the budget.
    mutating func takeFetch(for reason: StaleKeyReason, at now: Duration) {
        let allowance = self[reason]
        let paidAt = max(allowance.paidAt ?? now, now) + cooldown
        // After the last fetch of a burst the pause is a whole cooldown, however late that fetch
        // began.
        let isLast = paidAt > now + cooldown * (allowance.burst - 1)
        self[reason].paidAt = isLast ? now + cooldown * allowance.burst : paidAt
    }

    private subscript(reason: StaleKeyReason) -> Allowance {
        get {
            switch reason {
            case .unknownKey: unknownKey
            case .replacedKey: replacedKey
            }
        }
        set {
            switch reason {
            case .unknownKey: unknownKey = newValue
            case .replacedKey: replacedKey = newValue
            }
        }
    }

    /// The remaining pause after a failed fetch; nil if a fetch is allowed now.
    func pauseAfterFailure(at now: Duration) -> Duration? {
        guard let retryAt, retryAt > now else { return nil }
        return retryAt - now
    }

    /// Begins a pause, twice as long as the pause before.
    mutating func recordFailure(at now: Duration) {
        let pause = Duration.seconds(1 << failureCount)
        failureCount = min(failureCount + 1, Self.maximumDoublingCount)
        retryAt = now + min(pause, cooldown)
    }

    /// Ends the pauses: the next failure is a first one.
    mutating func recordSuccess() {
        failureCount = 0
        retryAt = nil
    }

    /// Drops pauses that are impossibly long: the clock has gone back.
    mutating func noticeClock(at now: Duration, tolerance: Duration) {
        if let retryAt, retryAt - now > cooldown + tolerance { self.retryAt = nil }
        for reason in [StaleKeyReason.unknownKey, .replacedKey] {
            let longest = cooldown * self[reason].burst + tolerance
            if let paidAt = self[reason].paidAt, paidAt - now > longest {
                self[reason].paidAt = nil
            }
        }
    }
}
