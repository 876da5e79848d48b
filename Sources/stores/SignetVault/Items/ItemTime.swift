// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// A moment: whole milliseconds since the beginning of 1970 in UTC.
public struct ItemTime: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// Milliseconds since 1970, at most 2^63 - 1.
    public let milliseconds: UInt64

    /// A moment; values out of range are clamped.
    public init(milliseconds: UInt64) { self.milliseconds = min(milliseconds, UInt64(Int64.max)) }

    /// A moment from seconds with fractions, as `Date.timeIntervalSince1970` gives them. Times
    /// before 1970 and NaN become 1970; times that are too late are clamped.
    public init(secondsSince1970 seconds: Double) {
        let rounded = (seconds * 1000).rounded()
        let isNumber = !rounded.isNaN && rounded > 0
        self.init(milliseconds: isNumber ? UInt64(exactly: rounded) ?? .max : 0)
    }

    /// Seconds since 1970, for `Date(timeIntervalSince1970:)`.
    public var secondsSince1970: Double { Double(milliseconds) / 1000 }

    /// Reads milliseconds, as a single number.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(UInt64.self))
    }

    /// Writes milliseconds, as a single number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// Whether `a` is earlier than `b`.
    public static func < (a: ItemTime, b: ItemTime) -> Bool { a.milliseconds < b.milliseconds }

    /// UTC as in ISO 8601: `2026-07-25T08:15:30.250Z`.
    public var description: String {
        let (seconds, rest) = Int(clamping: milliseconds).quotientAndRemainder(dividingBy: 1000)
        return CivilTime(secondsSince1970: seconds).rfc3339(fraction: rest, digitCount: 3)
    }
}
