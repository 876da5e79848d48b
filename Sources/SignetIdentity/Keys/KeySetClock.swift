// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where a ``RemoteKeySet`` takes the passing of time from, so that tests can hold it still: a clock that only goes forward, and a sleep
/// by it.
///
/// Not the time of day: that one is set back and forth. A clock that goes back all the same makes keys due for a refresh, and neither
/// valid for longer nor refreshed never.
public struct KeySetClock: Sendable {
    /// The time since some fixed moment.
    public let now: @Sendable () -> Duration
    /// Returns when so much time has passed, or at once when its task is cancelled.
    public let sleep: @Sendable (Duration) async -> Void

    /// A clock of the caller's.
    public init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's `ContinuousClock`, which also counts while the machine sleeps.
    public static var continuous: KeySetClock {
        let clock = ContinuousClock()
        let origin = clock.now
        return KeySetClock(
            now: { origin.duration(to: clock.now) },
            sleep: { duration in try? await Task.sleep(for: duration, clock: clock) })
    }
}
