// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Converts dates of the Gregorian calendar.
package enum CivilDate {
    /// Days since 1970-01-01; nil for a day that does not exist.
    package static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1, day <= length(year, month) else { return nil }
        return beforeYear(year) + beforeMonth(year, month) + day - 1
    }

    /// The date of a day from 0001-01-01 to 9999-12-31.
    package static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        // Never too late, and at most one year early.
        var year = min(max(1, 1970 + days / 366 - (days < 0 ? 1 : 0)), 9999)
        while year > 1, beforeYear(year) > days { year -= 1 }
        while year < 9999, beforeYear(year + 1) <= days { year += 1 }
        let ofYear = days - beforeYear(year)
        let month = (1...12).last { beforeMonth(year, $0) <= ofYear } ?? 1
        return (year, month, ofYear - beforeMonth(year, month) + 1)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func length(_ year: Int, _ month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func beforeMonth(_ year: Int, _ month: Int) -> Int {
        (1..<month).reduce(0) { $0 + length(year, $1) }
    }

    private static func beforeYear(_ year: Int) -> Int {
        let before = year - 1
        return before * 365 + before / 4 - before / 100 + before / 400 - 719_162
    }
}
