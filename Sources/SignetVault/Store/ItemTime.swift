// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A moment: whole milliseconds since the beginning of 1970 in UTC.
public struct ItemTime: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// Milliseconds since 1970, at most 2^63 - 1.
    public let milliseconds: UInt64

    /// A moment; values out of range are clamped.
    public init(milliseconds: UInt64) { self.milliseconds = min(milliseconds, UInt64(Int64.max)) }

    /// A moment from seconds with fractions, as `Date.timeIntervalSince1970` gives them. Earlier
    /// times and NaN become 1970; later ones are clamped.
    public init(secondsSince1970 seconds: Double) {
        let rounded = (seconds * 1000).rounded()
        let isNumber = !rounded.isNaN && rounded > 0
        self.init(milliseconds: isNumber ? UInt64(exactly: rounded) ?? .max : 0)
    }

    /// Seconds since 1970, for `Date(timeIntervalSince1970:)`.
    public var secondsSince1970: Double { Double(milliseconds) / 1000 }

    /// Reads milliseconds, as a single number.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Writes milliseconds, as a single number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Earlier or later.
    public static func < (a: ItemTime, b: ItemTime) -> Bool { a.milliseconds < b.milliseconds }

    /// UTC as in ISO 8601: `2026-07-25T08:15:30.250Z`.
    public var description: String {
        let (days, time) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map {
            $0.padded(to: 2)
        }
        return "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
            + "T\(clock.joined(separator: ":")).\((time % 1000).padded(to: 3))Z"
    }
}

/// A day of the Gregorian calendar.
private struct CivilDate {
    let year: UInt64
    let month: UInt64
    let day: UInt64

    /// Years begin in March here, so a leap day is the last of its year; an era is 400 years.
    init(daysSince1970: UInt64) {
        let days = daysSince1970 + 719_468
        let (era, dayOfEra) = (days / 146_097, days % 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension UInt64 {
    fileprivate func padded(to count: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}
