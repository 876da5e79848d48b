// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// A moment as APIs write it: a date-time of RFC 3339 (a profile of ISO 8601), with or without
/// fractions of a second: `2026-01-02T03:04:05Z` or `2026-01-02T03:04:05.678901+02:00`.
///
/// The strict reader rejects Foundation's `Date`, which would read seconds since 2001.
/// `SignetFoundation` converts ``date`` to a `Date`.
///
/// Checked: years 0001 to 9999, the days of each month, 24 hours, an offset of at most 23:59. A
/// leap second (`:60`) counts as the next second. A space instead of `T` is accepted, as databases
/// write it (section 5.6).
public struct Timestamp: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The moment, with its fraction.
    public let date: NumericDate

    /// A moment.
    public init(_ date: NumericDate) { self.date = date }

    /// Reads a text.
    ///
    /// - Throws: ``APIError`` `invalidAnswer`.
    public init(_ text: String) throws(APIError) {
        guard let date = Self.read(text) else {
            throw APIError(.invalidAnswer, "A text is no date-time of RFC 3339.")
        }
        self.date = date
    }

    /// Reads a JSON string.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let date = Self.read(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "A text is no date-time of RFC 3339."))
        }
        self.date = date
    }

    /// Writes ``description``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Earlier first.
    public static func < (a: Self, b: Self) -> Bool { a.date < b.date }

    /// The moment in UTC, to the microsecond.
    public var description: String { Self.write(date) }

    private static let maximumByteCount = 64

    /// A text of more than 64 bytes is not read.
    private static func read(_ text: String) -> NumericDate? {
        let octets = Array(text.utf8.prefix(maximumByteCount + 1))
        return octets.count <= maximumByteCount ? CivilTime.readRFC3339(octets) : nil
    }

    private static func write(_ date: NumericDate) -> String {
        let earliest = Double(CivilTime.earliest)
        let latest = Double(CivilTime.latest)
        let micros = Int((min(max(date.secondsSince1970, earliest), latest) * 1e6).rounded())
        let (whole, rest) = micros.quotientAndRemainder(dividingBy: 1_000_000)
        // Before 1970 the remainder is negative: the fraction counts from the second before.
        let (seconds, fraction) = rest < 0 ? (whole - 1, rest + 1_000_000) : (whole, rest)
        let time = CivilTime(secondsSince1970: seconds)
        return fraction == 0 ? time.rfc3339() : time.rfc3339(fraction: fraction, digitCount: 6)
    }
}
