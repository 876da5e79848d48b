// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// When a device asks again whether the person has approved (RFC 8628, section 3.5).
/// ``DeviceAuthorization`` waits for ``pause(before:)``, polls, and reports how the poll ended.
struct DevicePollingPace {
    /// How long before the end of the codes the last poll is sent, so that it arrives in time.
    private static let margin = Duration.seconds(1)

    /// The shortest pause that the provider allows.
    private var interval: Duration
    /// The pause by our own back-off, never shorter than ``interval``.
    private var backoff: Duration
    /// The pause that the last answer asked for.
    private var asked = Duration.zero

    init(interval: Duration) {
        self.interval = interval
        backoff = interval
    }

    /// The pause before the next poll; nil if the codes expire before the provider allows a poll.
    ///
    /// If only one more poll fits, it waits for the end of the codes: a person may approve in the
    /// last moments.
    ///
    /// - Parameter rest: the time left until the codes expire.
    func pause(before rest: Duration) -> Duration? {
        guard interval <= rest else { return nil }
        let last = max(rest - Self.margin, interval)
        let pause = max(backoff, asked)
        return pause + interval > last ? last : pause
    }

    /// The person has not approved yet: polls at the same pace.
    mutating func keepPace() { asked = .zero }

    /// Polls 5 s slower from now on.
    mutating func slowDown(retryAfter: Duration?) {
        interval += .seconds(5)
        backoff += .seconds(5)
        asked = retryAfter ?? .zero
    }

    /// Polls half as often from now on, but at least once a minute.
    mutating func backOff(retryAfter: Duration?) {
        backoff = max(backoff, min(backoff * 2, .seconds(60)))
        asked = retryAfter ?? .zero
    }
}
