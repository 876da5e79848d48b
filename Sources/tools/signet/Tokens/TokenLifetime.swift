// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// How long a token lives from now on, as a person writes it: `900`, `15m`, `1h`, `2d`.
enum TokenLifetime {
    private static let units: [UInt8: Int64] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3_600,
        UInt8(ascii: "d"): 86_400,
    ]

    /// The lifetime in seconds.
    ///
    /// - Throws: `usage` for a text of another form, and for less than 1 s or more than 10 years.
    static func seconds(_ text: String) throws -> Int64 {
        let digits = text.utf8.prefix(while: \.isDigit)
        let unit = text.utf8.dropFirst(digits.count)
        let factor = unit.first.map { units[$0] } ?? 1
        guard !digits.isEmpty, unit.count <= 1, let factor else {
            throw CommandFailure.usage(
                "--exp takes a time from now on: a whole number, and s, m, h or d after it.",
                advice: "As in: --exp 15m, --exp 1h, --exp 2d; a number alone is seconds.")
        }
        // Only a number that is too large does not fit.
        let count = Int64(String(decoding: digits, as: UTF8.self)) ?? .max
        let (seconds, overflows) = count.multipliedReportingOverflow(by: factor)
        try require(seconds != 0, otherwise: "--exp is 0, and the token would be expired at once.")
        try require(
            !overflows && seconds <= TokenSigner.maximumLifetimeSeconds,
            otherwise: "--exp is more than 315,360,000 seconds (10 years) from now.",
            advice: "For a moment instead of a time from now: --claim-json exp=SECONDS-SINCE-1970")
        return seconds
    }
}
