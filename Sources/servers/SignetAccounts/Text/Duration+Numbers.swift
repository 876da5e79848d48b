// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Whole numbers for the database and for header fields; the nearest where 64 bits are too few.
extension Duration {
    /// Rounded towards zero.
    package var milliseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }

    /// Rounded towards zero.
    var seconds: Int64 { Int64(clamping: attoseconds / Self.attosecondsOfSecond) }

    /// Rounded up, so that a caller who waits this long is not early.
    package var secondsUp: Int64 {
        let (seconds, rest) = attoseconds.quotientAndRemainder(
            dividingBy: Self.attosecondsOfSecond)
        return Int64(clamping: rest > 0 ? seconds + 1 : seconds)
    }

    private static var attosecondsOfSecond: Int128 { 1_000_000_000_000_000_000 }
}
