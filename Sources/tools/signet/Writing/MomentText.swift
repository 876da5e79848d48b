// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetBase

/// A time for people: the seconds as tokens have them, the moment in UTC, and its distance from now.
package struct MomentText: Sendable {
    private let moment: NumericDate
    private let now: NumericDate

    package init(_ moment: NumericDate, now: NumericDate) {
        self.moment = moment
        self.now = now
    }

    /// Seconds since 1970.
    package var seconds: String { moment.seconds }

    /// The second in which the moment is, as RFC 3339 writes it.
    package var utc: String {
        let second = Int(exactly: moment.secondsSince1970.rounded(.down)) ?? .max
        if second < CivilTime.earliest { return "before the year 1" }
        if second > CivilTime.latest { return "after the year 9999" }
        return CivilTime(secondsSince1970: second).rfc3339()
    }

    /// The distance from now: `3 d ago`, `in 12 min`.
    package var distance: String {
        // Both times are within 2^53 s of 1970, so this is exact enough and never infinite.
        let seconds = moment.secondsSince1970 - now.secondsSince1970
        let whole = Int64(exactly: abs(seconds).rounded(.down)) ?? .max
        guard whole > 0 else { return "now" }
        return seconds < 0 ? "\(Self.text(whole)) ago" : "in \(Self.text(whole))"
    }

    /// What the distance says about a token that ends then (`exp`).
    package var expiry: String { isPast ? "expired \(distance)" : distance }

    /// Whether the moment has come. A token has expired in the moment that it names (RFC 7519,
    /// section 4.1.4).
    package var isPast: Bool { moment <= now }

    /// The largest unit of which there are two or more, rounded down: 90 s, 119 min, 3 d.
    private static func text(_ seconds: Int64) -> String {
        for (name, length) in [("y", 31_536_000), ("d", 86_400), ("h", 3_600), ("min", 60)]
            as [(String, Int64)] where seconds >= 2 * length
        {
            return "\(seconds / length) \(name)"
        }
        return "\(seconds) s"
    }
}

extension NumericDate {
    /// Seconds since 1970; a whole number is written without a fraction.
    var seconds: String { Int64(exactly: secondsSince1970).map(String.init) ?? description }
}
