// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

extension TransportResponse {
    /// The delay of `Retry-After` (RFC 9110, section 10.2.3), up to an hour; nil if it is neither
    /// seconds nor a date, or the field is repeated.
    ///
    /// A date is relative to the response's own `Date`, so the clocks need not agree.
    package var retryAfter: Duration? {
        guard let text = singleValue(of: "Retry-After") else { return nil }
        let wait: Int
        if let seconds = Self.decimal(text[...]) {
            wait = seconds
        } else {
            guard let then = CivilTime(httpDate: text),
                let now = singleValue(of: "Date").flatMap({ CivilTime(httpDate: $0) })
            else { return nil }
            wait = then.secondsSince1970 - now.secondsSince1970
        }
        return .seconds(min(max(wait, 0), 3_600))
    }

    private func singleValue(of name: String) -> [UInt8]? {
        let values = values(of: name)
        return values.count == 1 ? values.first.map { Array($0.utf8.prefix(64)) } : nil
    }

    /// Digits only, at most nine, which cannot overflow.
    private static func decimal(_ text: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
