// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// `0` to `9`.
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    /// `a` to `z` and `A` to `Z`.
    var isASCIILetter: Bool { (0x61...0x7a).contains(self | 0x20) }

    /// Space and tab.
    var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero; the nearest number where 64 bits are too few.
    var milliseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }
}
