// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The system's idea of the time, without Foundation.
package enum WallClock {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down. The system clock may be set back or forth.
    package static func secondsSince1970() -> Int64 {
        Int64(time(nil))
    }

    /// Whole milliseconds since 1970-01-01T00:00:00Z, rounded down; 0 when the clock stands before 1970 or gives
    /// nothing. The system clock may be set back or forth.
    package static func millisecondsSince1970() -> UInt64 {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0,
            let seconds = UInt64(exactly: now.tv_sec),
            let nanoseconds = UInt64(exactly: now.tv_nsec)
        else { return 0 }
        // A 64-bit clock of seconds leaves room for this for 500 million years.
        return seconds &* 1000 &+ nanoseconds / 1_000_000
    }
}
