// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A moment: whole milliseconds since the beginning of 1970 in UTC.
public struct ItemTime: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// Milliseconds since 1970, at most 2^63 - 1.
    public let milliseconds: UInt64

    /// A moment; what is beyond the range becomes its end.
    public init(milliseconds: UInt64) { self.milliseconds = min(milliseconds, UInt64(Int64.max)) }

    /// Earlier or later.
    public static func < (a: ItemTime, b: ItemTime) -> Bool { a.milliseconds < b.milliseconds }

    /// Seconds and milliseconds since 1970.
    public var description: String {
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }
}
