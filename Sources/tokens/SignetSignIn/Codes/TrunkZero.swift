// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The 0 that people dial before a number inside their country, and often leave in after the
/// country's code: `+44 (0)7911 123456`.
///
/// Networks connect both spellings to the same phone, so they must be the same number here. A
/// country is listed only if domestic calls begin with 0 and no number of its plan does
/// (libphonenumber 9.0.42, read as facts). Countries where the 0 belongs to the number are not
/// listed, `ownZeros` among them. Small countries, and countries whose plan is being rebuilt, are
/// not listed either: a 0 that stays splits a number into two, but a 0 that is lost makes a number
/// unreachable.
///
/// `people.2` of the database's schema has the same list.
enum TrunkZero {
    private static let countryCodes: Set<Int> = [
        20, 27, 31, 32, 33, 40, 41, 43, 44, 46, 49, 60, 61, 62, 63, 64, 66, 81, 82, 84, 86, 90,
        91, 92, 94, 98, 212, 213, 234, 254, 255, 256, 353, 355, 358, 359, 380, 381, 385, 386, 387,
        389, 421, 880, 886, 961, 962, 964, 966, 971, 972, 977,
    ]

    /// Italy and the Vatican, San Marino, Côte d'Ivoire, Burkina Faso, Benin, Gabon, Congo.
    private static let ownZeros: Set<Int> = [39, 378, 225, 226, 229, 241, 242]

    /// Whether it is known what a single 0 after this country code means.
    static func isUnderstood(in national: String, after countryCode: Substring) -> Bool {
        guard let code = Int(countryCode), !national.utf8.starts(with: "00".utf8) else {
            return false
        }
        return countryCodes.contains(code) || ownZeros.contains(code)
    }

    /// The digits after the `+` without a trunk 0. Two zeros stay: no number begins with them.
    static func removed(from digits: [UInt8]) -> [UInt8] {
        // No country's code begins with another's.
        for count in 2...3 where digits.count > count + 1 {
            let code = digits.prefix(count).reduce(0) { $0 * 10 + Int($1) - 0x30 }
            guard countryCodes.contains(code) else { continue }
            let zero = UInt8(ascii: "0")
            guard digits[count] == zero, digits[count + 1] != zero else { return digits }
            return Array(digits.prefix(count) + digits.dropFirst(count + 1))
        }
        return digits
    }
}
