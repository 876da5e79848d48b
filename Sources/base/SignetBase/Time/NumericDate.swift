// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A point in time in a JWT (RFC 7519, section 2): seconds since 1970-01-01T00:00:00Z, ignoring
/// leap seconds.
///
/// Use it in your claim types. Foundation's `Date` encodes itself as seconds since 2001 and is
/// rejected. `SignetFoundation` converts between the two.
public struct NumericDate: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Seconds since 1970, with a fraction if the token has a fraction.
    public let secondsSince1970: Double

    /// Limits the time to 2^53 seconds before or after 1970. NaN becomes the latest time, so that
    /// with a broken clock tokens have expired.
    public init(secondsSince1970: Double) {
        self.secondsSince1970 =
            secondsSince1970.isNaN
            ? Self.limit : min(max(secondsSince1970, -Self.limit), Self.limit)
    }

    /// Reads a JSON number. A number above 2^53 becomes 2^53 ("never"), a number below -2^53 is an
    /// error.
    public init(from decoder: any Decoder) throws {
        let seconds = try decoder.singleValueContainer().decode(Double.self)
        guard seconds >= -Self.limit else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "A NumericDate is out of range."))
        }
        self.init(secondsSince1970: seconds)
    }

    /// Writes a JSON number, without a fraction where there is none.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let whole = Int64(exactly: secondsSince1970) {
            try container.encode(whole)
        } else {
            try container.encode(secondsSince1970)
        }
    }

    /// Orders by time.
    public static func < (a: NumericDate, b: NumericDate) -> Bool {
        a.secondsSince1970 < b.secondsSince1970
    }

    /// The number of seconds.
    public var description: String { "\(secondsSince1970)" }

    /// The latest time, in seconds: whole numbers are exact up to here, and adding a leeway does
    /// not overflow. It is in the year 285,428,751.
    package static let limit: Double = 9_007_199_254_740_992
}
