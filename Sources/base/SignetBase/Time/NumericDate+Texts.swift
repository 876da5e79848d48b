// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension NumericDate {
    /// The date-time of RFC 3339 with milliseconds, rounded down: `2026-08-20T12:34:56.789Z`. Times
    /// before 1970 or after 9999 are clamped.
    public var rfc3339: String {
        let latest = Double(CivilTime.latest) + 0.999
        let milliseconds = (min(max(secondsSince1970, 0), latest) * 1000).rounded(.down)
        // The conversion cannot fail: the number is whole and in range.
        let whole = Int(exactly: milliseconds) ?? 0
        let (seconds, rest) = whole.quotientAndRemainder(dividingBy: 1000)
        return CivilTime(secondsSince1970: seconds).rfc3339(fraction: rest, digitCount: 3)
    }

    /// The date-time of a message (RFC 5322, section 3.3), without a fraction:
    /// `Sun, 06 Nov 1994 08:49:37 +0000`. Times before 1970 or after 9999 are clamped.
    public var rfc5322: String {
        let seconds = min(max(secondsSince1970, 0), Double(CivilTime.latest)).rounded(.down)
        // The conversion cannot fail: the number is whole and in range.
        return CivilTime(secondsSince1970: Int(exactly: seconds) ?? 0).rfc5322
    }
}
