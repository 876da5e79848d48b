// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension CivilTime {
    /// The day 0 since 1970 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A date-time of RFC 3339, also ISO 8601: `2026-08-20T12:34:56.789Z`.
    ///
    /// - Parameters:
    ///   - fraction: of the second, in units of the last digit.
    ///   - digitCount: how many digits the fraction has; 0 for no fraction.
    package func rfc3339(fraction: Int = 0, digitCount: Int = 0) -> String {
        let tail = digitCount > 0 ? "." + Self.padded(fraction, to: digitCount) : ""
        return "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
            + "T\(clock)\(tail)Z"
    }

    /// The date-time of a message (RFC 5322, section 3.3): `Sun, 06 Nov 1994 08:49:37 +0000`.
    package var rfc5322: String {
        let weekday = Self.weekdays[(daysSince1970 % 7 + 7) % 7]
        let date = "\(Self.padded(day, to: 2)) \(Self.months[month - 1]) \(year)"
        return "\(weekday), \(date) \(clock) +0000"
    }

    /// Reads a date-time of RFC 3339 with an offset, or a space instead of `T` (section 5.6). A
    /// leap second counts as the next second. An offset may have no minutes, as PostgreSQL writes
    /// it.
    ///
    /// - Returns: the moment, to the nanosecond as far as a `Double` has it; nil if the text has a
    ///   different form.
    package static func readRFC3339(_ text: [UInt8]) -> NumericDate? {
        var reader = CivilTimeReader(text)
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2),
            reader.take("-"), let day = reader.number(2), reader.take("Tt "),
            let clock = reader.clock(), let fraction = reader.fraction(),
            let offset = reader.offset(), reader.isAtEnd,
            let time = CivilTime(
                year: year, month: month, day: day, hour: clock.hour, minute: clock.minute,
                second: clock.second)
        else { return nil }
        let seconds = time.secondsSince1970 - offset * 60
        return NumericDate(secondsSince1970: Double(seconds) + fraction)
    }

    /// Reads a date of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). The weekday
    /// is ignored, and the two obsolete forms are not read.
    package init?(httpDate text: [UInt8]) {
        var reader = CivilTimeReader(text)
        guard reader.skip(3), reader.take(","), reader.take(" "), let day = reader.number(2),
            reader.take(" "), let month = reader.index(in: Self.months), reader.take(" "),
            let year = reader.number(4), reader.take(" "), let clock = reader.clock(),
            reader.index(in: [" GMT"]) != nil, reader.isAtEnd
        else { return nil }
        self.init(
            year: year, month: month + 1, day: day, hour: clock.hour, minute: clock.minute,
            second: clock.second)
    }

    private var clock: String {
        [hour, minute, second].map { Self.padded($0, to: 2) }.joined(separator: ":")
    }

    private static func padded(_ number: Int, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
