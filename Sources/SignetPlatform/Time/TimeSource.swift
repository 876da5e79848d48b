// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Where Signet takes the time from, so that tests can set it: what time it is, how much of it has
/// passed, and a pause.
///
/// The two differ: the time of day is set back and forth, by people and by time servers, and what
/// has passed only grows. Tokens, certificates and items have times of day; lifetimes of keys,
/// pauses and idle time are counted in time that has passed.
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

    /// Nil for the system's: a policy that is copied then counts no reference.
    let given: Given?

    /// The system's: its time of day, and its `ContinuousClock`, which also counts while the
    /// machine sleeps.
    public static var system: TimeSource { TimeSource(given: nil) }

    private init(given: Given?) { self.given = given }

    /// A source of the caller's. What is left out is the system's.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - elapsed: the time since some fixed moment.
    ///   - sleep: returns when so much time has passed, or at once when its task is cancelled.
    public init(
        now: (@Sendable () -> NumericDate)? = nil,
        elapsed: @escaping @Sendable () -> Duration = { TimeSource.system.elapsed() },
        sleep: @escaping @Sendable (Duration) async -> Void = {
            await TimeSource.system.sleep(for: $0)
        }
    ) {
        given = Given(now: now, elapsed: elapsed, sleep: sleep)
    }

    /// A time of day that stands still, while time passes as it does.
    public static func fixed(secondsSince1970: Double) -> TimeSource {
        let time = NumericDate(secondsSince1970: secondsSince1970)
        return TimeSource(now: { time })
    }

    /// The time of day; the system's in whole seconds.
    public func now() -> NumericDate {
        if let now = given?.now { return now() }
        return NumericDate(secondsSince1970: Double(SystemClock.secondsSince1970()))
    }

    /// The same in milliseconds, which the system's knows better than ``now()``; 0 before 1970.
    package func millisecondsSince1970() -> UInt64 {
        guard let now = given?.now else { return SystemClock.millisecondsSince1970() }
        let milliseconds = (now().secondsSince1970 * 1000).rounded()
        return milliseconds > 0 ? UInt64(exactly: milliseconds) ?? .max : 0
    }

    /// How much time has passed since some fixed moment.
    public func elapsed() -> Duration { given?.elapsed() ?? Self.origin.duration(to: .now) }

    private static let origin = ContinuousClock.now
}

/// The system's clocks, without Foundation.
package enum SystemClock {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down. The system clock may be set back or
    /// forth.
    package static func secondsSince1970() -> Int64 { Int64(time(nil)) }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, rounded down; 0 when the clock stands before
    /// 1970 or gives nothing. The system clock may be set back or forth.
    package static func millisecondsSince1970() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0,
            let seconds = UInt64(exactly: now.tv_sec),
            let nanoseconds = UInt64(exactly: now.tv_nsec)
        else { return 0 }
        // A 64-bit clock of seconds leaves room for this for 500 million years.
        return seconds &* 1000 &+ nanoseconds / 1_000_000
    }

    /// Nanoseconds since some fixed moment, by the clock that only goes forward, and stands while
    /// the machine sleeps; 0 where the system has no such clock.
    package static func elapsedNanoseconds() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
        return UInt64(truncatingIfNeeded: now.tv_sec) &* 1_000_000_000
            &+ UInt64(truncatingIfNeeded: now.tv_nsec)
    }

    /// Holds the calling thread for so long. A signal shortens it.
    package static func pause(nanoseconds: UInt64) {
        var time = timespec()
        time.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.tv_nsec = Int(nanoseconds % 1_000_000_000)
        _ = unsafe nanosleep(&time, nil)
    }
}
