// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The system's idea of the time, without Foundation.
package enum WallClock {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down. The system clock may be set back or forth.
    package static func secondsSince1970() -> Int64 {
        Int64(time(nil))
    }
}
