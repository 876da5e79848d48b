// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension UInt8 {
    /// `0` to `9`.
    @inlinable package var isDigit: Bool { (0x30...0x39).contains(self) }

    /// `a` to `z` and `A` to `Z`.
    @inlinable package var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }

    /// Space and tab.
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// `A` to `Z` in lower case, anything else unchanged.
    @inlinable package var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }

    /// The value of a hexadecimal digit of either case; nil for anything else.
    @inlinable package var hexadecimalValue: UInt8? {
        if isDigit { return self - 0x30 }
        return (0x61...0x66).contains(lowercased) ? lowercased - 0x57 : nil
    }
}

extension Sequence<UInt8> {
    /// Two digits an octet, in lower case.
    package var hexadecimalText: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The octets without leading and trailing blanks.
    package var withoutOuterBlanks: Self {
        var rest = drop(while: \.isBlank)
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return rest
    }
}
