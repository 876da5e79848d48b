// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
public import SignetBase

/// Dates in claims: declare them as `NumericDate`, which is encoded as seconds since 1970 (RFC
/// 7519, section 2), and convert where the program works with `Date`. A `Date` property is rejected
/// (`unsupportedType`), since it would count from 2001.
///
/// A type whose property has to stay a `Date` codes it by hand, one line each way:
/// `ends = try values.decode(NumericDate.self, forKey: .ends).date` in `init(from:)`, and
/// `try values.encode(NumericDate(ends), forKey: .ends)` in `encode(to:)`.
extension NumericDate {
    /// A date, with its fraction of a second. Many readers of tokens accept only whole seconds: for
    /// them, round `timeIntervalSince1970` and use `init(secondsSince1970:)`.
    ///
    /// Limited to 2^53 seconds before or after 1970.
    public init(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }

    /// The same moment as a date, exact to about a microsecond for present dates.
    public var date: Date { Date(timeIntervalSince1970: secondsSince1970) }
}
