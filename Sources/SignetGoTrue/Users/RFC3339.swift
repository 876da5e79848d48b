// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Times in GoTrue's form: `2026-08-20T12:34:56.789Z`.
enum RFC3339 {
    /// The years 1970 to 9999; other times are clamped.
    static func text(of date: NumericDate) -> String {
        let latest = 253_402_300_799.999
        let whole = (min(max(date.secondsSince1970, 0), latest) * 1000).rounded(.down)
        guard let milliseconds = Int(exactly: whole) else { return "1970-01-01T00:00:00.000Z" }
        let (seconds, fraction) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (days, time) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civil(days)
        return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
            + padded(time / 3600, 2) + ":" + padded(time / 60 % 60, 2) + ":" + padded(time % 60, 2)
            + "." + padded(fraction, 3) + "Z"
    }

    /// Year, month and day of a number of days since 1970, counted from March of the year 0.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, day) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
