// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// When an issuer may be asked again: for an unknown `kid`, and after a failure.
///
/// Unknown keys have three fetches in a burst, then one for each cooldown. Only they use these up:
/// a refresh because of age must not keep a new key out. A failed fetch is followed by a pause of
/// 1, 2, 4 … seconds, at most the cooldown, counted from its end.
struct FetchBudget: Sendable {
    /// How many fetches for unknown keys may follow each other without a pause.
    static let burst = 3

    private let cooldown: Duration
    /// When all fetches for unknown keys that were taken are paid for, at one for each cooldown.
    private var paidAt: Duration?
    private var retryAt: Duration?
    private var failureCount = 0

    init(cooldown: Duration) { self.cooldown = cooldown }

    /// How long no fetch for an unknown key is allowed; nil when one is.
    func pauseForUnknownKey(at now: Duration) -> Duration? {
        guard let paidAt else { return nil }
        let pause = paidAt - now - cooldown * (Self.burst - 1)
        return pause > .zero ? pause : nil
    }

    mutating func takeForUnknownKey(at now: Duration) {
        paidAt = max(paidAt ?? now, now) + cooldown
    }

    /// How long no fetch is tried because the last one has failed; nil when one is.
    func pauseAfterFailure(at now: Duration) -> Duration? {
        guard let retryAt, retryAt > now else { return nil }
        return retryAt - now
    }

    mutating func failed(at now: Duration) {
        // 2^12 s are past the longest cooldown.
        let pause = Duration.seconds(1 << min(failureCount, 12))
        failureCount = min(failureCount + 1, 12)
        retryAt = now + min(pause, cooldown)
    }

    mutating func succeeded() {
        failureCount = 0
        retryAt = nil
    }

    /// Forgets pauses that are longer than there are any: the clock has gone back.
    mutating func noticeClock(at now: Duration, tolerance: Duration) {
        if let retryAt, retryAt - now > cooldown + tolerance { self.retryAt = nil }
        if let paidAt, paidAt - now > cooldown * Self.burst + tolerance { self.paidAt = nil }
    }
}
