// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// When an issuer may be asked again: for an unknown `kid`, and after a failure.
///
/// Unknown keys get a burst of three fetches, then one per cooldown. Only they use these up: a
/// refresh because of age must not keep a new key out. A failed fetch starts a pause of 1, 2, 4 …
/// seconds from its end, at most the cooldown.
struct FetchBudget: Sendable {
    /// The number of fetches for unknown keys that need no pause between them.
    static let burst = 3

    private let cooldown: Duration
    /// When the fetches taken for unknown keys are paid for, at one per cooldown.
    private var paidAt: Duration?
    private var retryAt: Duration?
    private var failureCount = 0

    init(cooldown: Duration) { self.cooldown = cooldown }

    /// The remaining pause before a fetch for an unknown key; nil if one is allowed now.
    func pauseForUnknownKey(at now: Duration) -> Duration? {
        guard let paidAt else { return nil }
        let pause = paidAt - now - cooldown * (Self.burst - 1)
        return pause > .zero ? pause : nil
    }

    mutating func takeForUnknownKey(at now: Duration) {
        paidAt = max(paidAt ?? now, now) + cooldown
    }

    /// The remaining pause after a failed fetch; nil if one is allowed now.
    func pauseAfterFailure(at now: Duration) -> Duration? {
        guard let retryAt, retryAt > now else { return nil }
        return retryAt - now
    }

    mutating func failed(at now: Duration) {
        // 2^12 s exceed the longest cooldown.
        let pause = Duration.seconds(1 << min(failureCount, 12))
        failureCount = min(failureCount + 1, 12)
        retryAt = now + min(pause, cooldown)
    }

    mutating func succeeded() {
        failureCount = 0
        retryAt = nil
    }

    /// Drops pauses that are impossibly long: the clock has gone back.
    mutating func noticeClock(at now: Duration, tolerance: Duration) {
        if let retryAt, retryAt - now > cooldown + tolerance { self.retryAt = nil }
        if let paidAt, paidAt - now > cooldown * Self.burst + tolerance { self.paidAt = nil }
    }
}
