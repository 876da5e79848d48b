// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension TransportResponse {
    /// The delay of `Retry-After` (RFC 9110, section 10.2.3), up to an hour; nil if it is neither
    /// seconds nor a date, or the field is repeated.
    ///
    /// A date is relative to the response's own `Date`, so the clocks need not agree.
    package var retryAfter: Duration? {
        guard let text = only("Retry-After") else { return nil }
        let wait: Int
        if let seconds = Self.decimal(text[...]) {
            wait = seconds
        } else {
            guard let then = Self.date(text), let now = only("Date").flatMap(Self.date) else {
                return nil
            }
            wait = then - now
        }
        return .seconds(min(max(wait, 0), 3_600))
    }

    private func only(_ name: String) -> [UInt8]? {
        let values = values(of: name)
        return values.count == 1 ? values.first.map { Array($0.utf8.prefix(64)) } : nil
    }

    /// Digits only, at most nine, which cannot overflow.
    private static func decimal(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). The weekday
    /// is ignored, and the two obsolete forms are not read.
    private static func date(_ text: [UInt8]) -> Int? {
        guard text.count == 29, text[3...4].elementsEqual(", ".utf8),
            text[25...].elementsEqual(" GMT".utf8),
            let day = decimal(text[5...6]), text[7] == 0x20, text[11] == 0x20,
            let month = months.firstIndex(where: { $0.utf8.elementsEqual(text[8...10]) }),
            let year = decimal(text[12...15]), text[16] == 0x20,
            let hour = decimal(text[17...18]), text[19] == 0x3a,
            let minute = decimal(text[20...21]), text[22] == 0x3a,
            let second = decimal(text[23...24]), hour < 24, minute < 60, second <= 60, year > 0,
            let days = CivilDate.days(year, month + 1, day)
        else { return nil }
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
