// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

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

    /// By position: text past 64 bytes is never read.
    private static func read(_ text: String) -> NumericDate? {
        let octets = Array(text.utf8.prefix(65))
        guard (20...64).contains(octets.count) else { return nil }
        var reader = TimestampReader(octets)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
            reader.take("-"), let day = reader.number(2), reader.take("Tt "),
            let hour = reader.number(2), reader.take(":"), let minute = reader.number(2),
            reader.take(":"), let second = reader.number(2), let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd, (1...9999).contains(year),
            let days = CivilDate.days(year, month, day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset * 60
        return NumericDate(secondsSince1970: Double(seconds) + fraction)
    }

    private static func write(_ date: NumericDate) -> String {
        // The bounds of four digits of a year.
        let seconds = min(max(date.secondsSince1970, -62_135_596_800), 253_402_300_799)
        let micros = Int((seconds * 1e6).rounded())
        let (days, rest) = micros.quotientAndRemainder(dividingBy: 86_400_000_000)
        let (day, time) = rest < 0 ? (days - 1, rest + 86_400_000_000) : (days, rest)
        let (year, month, dayOfMonth) = CivilDate.date(day)
        let second = time / 1_000_000
        let head = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
        let fraction = time % 1_000_000
        let tail = fraction == 0 ? "" : ".\(padded(fraction, 6))"
        return "\(head)T\(clock.joined(separator: ":"))\(tail)Z"
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
