// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The source of time for Signet, replaceable in tests: the time of day, elapsed time, and
/// sleeping.
///
/// The time of day and elapsed time differ: people and time servers set the time of day back and
/// forward, while elapsed time only grows. Tokens, certificates and items have times of day;
/// lifetimes of keys, pauses and idle time use elapsed time.
public struct TimeSource: Sendable {
    final class Given: Sendable {
        let now: (@Sendable () -> NumericDate)?
        let elapsed: @Sendable () -> Duration
        let sleep: @Sendable (Duration) async -> Void

        init(
            now: (@Sendable () -> NumericDate)?, elapsed: @escaping @Sendable () -> Duration,
            sleep: @escaping @Sendable (Duration) async -> Void
        ) {
            self.now = now
            self.elapsed = elapsed
            self.sleep = sleep
        }
    }

    /// Nil for the system's, so copying a policy counts no reference.
    let given: Given?

    /// The system's time: its time of day, and its `ContinuousClock`, which also counts while the
    /// machine sleeps.
    public static var system: TimeSource { TimeSource(given: nil) }

    private init(given: Given?) { self.given = given }

    /// A custom source. Omitted parts are the system's.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - elapsed: the time since some fixed moment.
    ///   - sleep: returns after this time, or at once when its task is cancelled.
    public init(
        now: (@Sendable () -> NumericDate)? = nil,
        elapsed: @escaping @Sendable () -> Duration = { TimeSource.system.elapsed() },
        sleep: @escaping @Sendable (Duration) async -> Void = {
            await TimeSource.system.sleep(for: $0)
        }
    ) {
        given = Given(now: now, elapsed: elapsed, sleep: sleep)
    }

    /// A time of day that stands still, while elapsed time goes on.
    public static func fixed(secondsSince1970: Double) -> TimeSource {
        let time = NumericDate(secondsSince1970: secondsSince1970)
        return TimeSource(now: { time })
    }

    /// The time of day; the system's is in whole seconds.
    public func now() -> NumericDate {
        if let now = given?.now { return now() }
        return NumericDate(secondsSince1970: Double(SystemClock.secondsSince1970()))
    }

    /// The time of day in milliseconds, which is finer than ``now()`` for the system's time; 0
    /// before 1970.
    package func millisecondsSince1970() -> UInt64 {
        guard let now = given?.now else { return SystemClock.millisecondsSince1970() }
        let milliseconds = (now().secondsSince1970 * 1000).rounded()
        return milliseconds > 0 ? UInt64(exactly: milliseconds) ?? .max : 0
    }

    /// The time since some fixed moment.
    public func elapsed() -> Duration { given?.elapsed() ?? Self.origin.duration(to: .now) }

    private static let origin = ContinuousClock.now
}

/// The system's clocks, without Foundation.
package enum SystemClock {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down. The system clock may be set back or
    /// forward.
    package static func secondsSince1970() -> Int64 { Int64(time(nil)) }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, rounded down; 0 if the clock is before 1970
    /// or fails. The system clock may be set back or forward.
    package static func millisecondsSince1970() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0,
            let seconds = UInt64(exactly: now.tv_sec),
            let nanoseconds = UInt64(exactly: now.tv_nsec)
        else { return 0 }
        // A 64-bit clock of seconds leaves room for this for 500 million years.
        return seconds &* 1000 &+ nanoseconds / 1_000_000
    }

    /// Nanoseconds since some fixed moment, by the clock that only goes forward and stops while the
    /// machine sleeps; 0 if the system lacks that clock.
    package static func elapsedNanoseconds() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
        return UInt64(truncatingIfNeeded: now.tv_sec) &* 1_000_000_000
            &+ UInt64(truncatingIfNeeded: now.tv_nsec)
    }

    /// Blocks the calling thread for this time. A signal shortens it.
    package static func pause(nanoseconds: UInt64) {
        var time = timespec()
        time.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        _ = unsafe nanosleep(&time, nil)
    }
}
