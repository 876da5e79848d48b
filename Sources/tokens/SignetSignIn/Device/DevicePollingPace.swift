// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// When a device asks again (RFC 8628, section 3.5).
struct DevicePollingPace {
    /// What the last poll stays ahead of the end, for its way to the provider.
    private static let margin = Duration.seconds(1)

    /// The shortest pause that the provider allows.
    private var interval: Duration
    /// The pause by our own back-off, no shorter.
    private var backoff: Duration
    /// The pause that the last answer asked for.
    private var asked = Duration.zero

    init(interval: Duration) {
        self.interval = interval
        backoff = interval
    }

    /// The pause before the next poll; nil if the codes expire before the provider allows one.
    ///
    /// A poll after which no other would fit waits for the end of the codes, or else whoever
    /// approves in their last moments would do so in vain.
    ///
    /// - Parameter rest: the time until the codes expire.
    func pause(before rest: Duration) -> Duration? {
        guard interval <= rest else { return nil }
        let last = max(rest - Self.margin, interval)
        let pause = max(backoff, asked)
        return pause + interval > last ? last : pause
    }

    /// The person has not approved yet.
    mutating func goOn() { asked = .zero }

    /// Polls 5 s slower from now on.
    mutating func slowDown(retryAfter: Duration?) {
        interval += .seconds(5)
        backoff += .seconds(5)
        asked = retryAfter ?? .zero
    }

    /// Polls half as often from now on, but once a minute.
    mutating func backOff(retryAfter: Duration?) {
        backoff = max(backoff, min(backoff * 2, .seconds(60)))
        asked = retryAfter ?? .zero
    }
}
