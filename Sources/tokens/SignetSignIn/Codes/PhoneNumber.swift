// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A phone number in E.164 form: `+`, a digit from 1 to 9, and 1 to 14 more ASCII digits.
///
/// Only one digit is left out: the 0 of domestic calls after the code of a country whose numbers
/// never begin with 0, so that `+4407911123456` and `+447911123456` are equal. Where the 0 belongs
/// to the number (`+39 06…`), and for countries that are not known for certain, it stays. Nothing
/// else is stripped or added: text with spaces, hyphens, a second `+` or digits of another script
/// is rejected. **Not** checked: that the country exists, that its numbers have this length, that
/// the number is in use. Printing does not show it.
public struct PhoneNumber: Sendable, Hashable, Redacted {
    /// The number, with its `+`.
    public let e164: String

    /// A number with its `+`.
    ///
    /// - Throws: `invalidPhoneNumber`.
    public init(_ text: String) throws(SignInInputError) {
        guard text.utf8.first == UInt8(ascii: "+") else { throw Self.invalid }
        try self.init(digits: text.utf8.dropFirst())
    }

    /// A number without the `+`, as GoTrue returns it.
    ///
    /// - Throws: `invalidPhoneNumber`, also for a number with a `+`.
    public init(withoutPlus text: String) throws(SignInInputError) {
        try self.init(digits: text.utf8[...])
    }

    /// A number from a form with two fields: `+1` and `4155551234`.
    ///
    /// - Parameters:
    ///   - countryCode: `+` and 1 to 3 digits, the first of them not 0.
    ///   - national: only digits. A first 0 is left out or kept as described for ``PhoneNumber``,
    ///     and rejected if it is not known for the country what to do with it.
    /// - Throws: `invalidPhoneNumber`.
    public init(countryCode: String, national: String) throws(SignInInputError) {
        let code = countryCode.utf8
        guard code.first == UInt8(ascii: "+"), (2...4).contains(code.count),
            let first = national.utf8.first,
            first != UInt8(ascii: "0")
                || TrunkZero.isUnderstood(in: national, after: countryCode.dropFirst())
        else { throw Self.invalid }
        try self.init(digits: (countryCode + national).utf8.dropFirst())
    }

    /// The number without its `+`.
    public var withoutPlus: String { String(e164.dropFirst()) }

    private init(digits: Substring.UTF8View) throws(SignInInputError) {
        guard (2...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy(\.isDigit)
        else { throw Self.invalid }
        e164 = "+" + String(decoding: TrunkZero.removed(from: Array(digits)), as: UTF8.self)
    }

    private static var invalid: SignInInputError {
        SignInInputError(.invalidPhoneNumber, "\(reported: SignInText.invalidPhoneNumber)")
    }
}
