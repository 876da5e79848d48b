// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A duration as numbers of 64 bits. `components` has them too, and ends the process beyond ±2^63
/// seconds, which a duration can hold.
extension Duration {
    /// Whole seconds, rounded towards zero; the nearest number where 64 bits are too few.
    package var wholeSeconds: Int64 { Int64(clamping: attoseconds / Self.attosecondsOfSecond) }

    /// Whole seconds, rounded up, so that a caller who waits this long is not early.
    package var wholeSecondsUp: Int64 {
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: Self.attosecondsOfSecond)
        return Int64(clamping: rest > 0 ? seconds + 1 : seconds)
    }

    /// Whole milliseconds, rounded towards zero; the nearest number where 64 bits are too few.
    package var wholeMilliseconds: Int64 {
        Int64(clamping: attoseconds / (Self.attosecondsOfSecond / 1_000))
    }

    /// The attoseconds over the whole seconds, with the duration's sign.
    package var attosecondsOverSeconds: Int64 {
        Int64(clamping: attoseconds % Self.attosecondsOfSecond)
    }

    /// The duration in seconds. A duration of 10^16 s or more loses its fraction.
    package var inSeconds: Double {
        Double(wholeSeconds) + Double(attosecondsOverSeconds) * 1e-18
    }

    private static var attosecondsOfSecond: Int128 { 1_000_000_000_000_000_000 }
}
