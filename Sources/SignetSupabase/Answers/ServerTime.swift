// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Points in time as GoTrue writes them (RFC 3339): `2026-08-20T12:34:56.789Z`, with or without a
/// fraction, in any zone.
enum ServerTime {
    /// The point in time; nil for any other text.
    static func date(_ text: ReceivedText) -> NumericDate? {
        guard (20...40).contains(text.byteCount) else { return nil }
        let octets = Array(text.utf8)
        guard let year = number(octets[0..<4]), octets[4] == UInt8(ascii: "-"),
            let month = number(octets[5..<7]), octets[7] == UInt8(ascii: "-"),
            let day = number(octets[8..<10]), [0x54, 0x74, 0x20].contains(octets[10]),
            let hour = number(octets[11..<13]), octets[13] == UInt8(ascii: ":"),
            let minute = number(octets[14..<16]), octets[16] == UInt8(ascii: ":"),
            let second = number(octets[17..<19]), (1...12).contains(month),
            (1...daysIn(month, year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = octets[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: \.isDigit)
            guard (1...9).contains(digits.count), let value = number(digits) else { return nil }
            fraction = Double(value)
            for _ in digits { fraction /= 10 }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offset(rest) else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return NumericDate(secondsSince1970: Double(seconds) + fraction)
    }

    /// Up to nine digits, which do not overflow.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// How many seconds a zone is ahead.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        let zone = Array(zone)
        if zone.count == 1, zone[0].lowercased == UInt8(ascii: "z") { return 0 }
        guard zone.count == 6, zone[3] == UInt8(ascii: ":"),
            let hours = number(zone[1..<3]), let minutes = number(zone[4..<6]), hours < 24,
            minutes < 60
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        switch zone[0] {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }

    private static func daysIn(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The Gregorian calendar, from a year that begins in March: leap days are its last ones.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month <= 2 ? year - 1 : year
        let months = month <= 2 ? month + 9 : month - 3
        let leapDays =
            Int((Double(years) / 4).rounded(.down))
            - Int((Double(years) / 100).rounded(.down)) + Int((Double(years) / 400).rounded(.down))
        return years * 365 + leapDays + (months * 153 + 2) / 5 + day - 719_469
    }
}
