// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A second in UTC, by the Gregorian calendar. Dates in texts are read and written here alone.
package struct CivilTime: Sendable {
    /// The first second of the year 1, since 1970.
    package static let earliest = -62_135_596_800
    /// The last second of the year 9999, since 1970.
    package static let latest = 253_402_300_799

    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    /// 60 for a leap second, which counts as the next second.
    package let second: Int

    /// A time of the years 1 to 9999; nil for a time that does not exist.
    package init?(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(year: year, month: month)).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0...60).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The time that is so many seconds after the beginning of 1970, or before it. A time before
    /// the year 1 becomes ``earliest``; years after 9999 have more than four digits.
    package init(secondsSince1970 seconds: Int) {
        let (whole, rest) = max(seconds, Self.earliest).quotientAndRemainder(dividingBy: 86_400)
        let days = rest < 0 ? whole - 1 : whole
        let time = rest < 0 ? rest + 86_400 : rest
        hour = time / 3_600
        minute = time / 60 % 60
        second = time % 60
        // Years begin in March here, so a leap day is the last of its year; an era is 400 years, of
        // 146,097 days. 719,468 days lie between 1 March of the year 0 and 1970.
        let daysSinceYear0 = days + 719_468
        let (era, dayOfEra) = daysSinceYear0.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var secondsSince1970: Int {
        daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
    }

    var daysSince1970: Int {
        // 719,162 days lie between the beginnings of the years 1 and 1970.
        let before = year - 1
        let ofYears = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        return (1..<month).reduce(ofYears + day - 1) { $0 + Self.length(year: year, month: $1) }
    }

    private static func length(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
