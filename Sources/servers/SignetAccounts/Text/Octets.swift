// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// SignetBase has the like for the other wings, and for them alone: as public API it would be in
// every program's way.
extension UInt8 {
    /// `0` to `9`.
    package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    /// `a` to `z` and `A` to `Z`.
    package var isASCIILetter: Bool { (0x61...0x7a).contains(self | 0x20) }

    /// Space and tab.
    var isSpaceOrTab: Bool { self == 0x20 || self == 0x09 }

    /// `A` to `Z` in lower case, anything else unchanged.
    package var inLowerCase: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }

    /// The value of a hexadecimal digit of either case; nil for anything else.
    var hexValue: UInt8? {
        if isASCIIDigit { return self - 0x30 }
        return (0x61...0x66).contains(inLowerCase) ? inLowerCase - 0x57 : nil
    }
}

extension UInt64 {
    /// The 8 bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}

extension Sequence<UInt8> {
    /// Two digits an octet, in lower case.
    package var hexDigits: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without spaces and tabs at the beginning and the end.
    package var trimmed: Self {
        var rest = drop(while: \.isSpaceOrTab)
        while let last = rest.last, last.isSpaceOrTab { rest.removeLast() }
        return rest
    }
}
