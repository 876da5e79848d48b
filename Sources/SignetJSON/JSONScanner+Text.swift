// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

extension JSONScanner {
    /// The inside of a string, from behind its quotation mark to the closing one: no control
    /// characters, escapes by RFC 8259, section 7, surrogate escapes only in pairs, strict UTF-8
    /// (RFC 3629, section 4).
    mutating func skipText() throws(JSONFault) -> JSONRecord.Flags {
        var flags: JSONRecord.Flags = []
        while true {
            i = endOfPlainText(from: i)
            switch byte {
            case UInt8(ascii: "\""): return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try skipEscape()
            case 0x80...:
                flags.insert(.beyondASCII)
                try skipCharacter()
            default: throw malformed
            }
        }
    }

    /// The place of the first byte that does not stand for itself, or is past ASCII.
    private func endOfPlainText(from start: Int) -> Int {
        let text = text.span
        var i = start
        while i <= text.count &- 8 {
            let marks = Self.marks(text.word(at: i))
            if marks != 0 { return i &+ marks.trailingZeroBitCount / 8 }
            i &+= 8
        }
        while i < text.count, Self.marks(UInt64(text[i]) | 0x2020_2020_2020_2000) == 0 { i &+= 1 }
        return i
    }

    /// The highest bit of each of eight bytes that is a quotation mark, a reverse solidus, a
    /// control character or past ASCII. Of the marks the lowest one is right: what a subtraction
    /// borrows goes to higher ones.
    private static func marks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotation = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let solidus = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        let found =
            word | (word &- ones &* 0x20) & ~word | (quotation &- ones) & ~quotation
            | (solidus &- ones) & ~solidus
        return found & (ones &* 0x80)
    }

    private mutating func skipEscape() throws(JSONFault) {
        guard i &+ 1 < text.count else { throw malformed }
        switch text[i &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            i &+= 2
        case UInt8(ascii: "u"):
            guard let unit = JSONText.codeUnit(text.span, at: i &+ 2) else { throw malformed }
            guard unit & 0xf800 == 0xd800 else {
                i &+= 6
                return
            }
            // A surrogate: only a high one, and only with a low one behind it.
            guard unit < 0xdc00, i &+ 7 < text.count, text[i &+ 6] == UInt8(ascii: "\\"),
                text[i &+ 7] == UInt8(ascii: "u"),
                let low = JSONText.codeUnit(text.span, at: i &+ 8),
                low & 0xfc00 == 0xdc00
            else { throw malformed }
            i &+= 12
        default: throw malformed
        }
    }

    /// One character of two to four bytes, by the table of RFC 3629, section 4: nothing overlong,
    /// no surrogate, nothing past U+10FFFF.
    private mutating func skipCharacter() throws(JSONFault) {
        let length: Int
        let second: ClosedRange<UInt8>
        switch text[i] {
        case 0xc2...0xdf: (length, second) = (2, 0x80...0xbf)
        case 0xe0: (length, second) = (3, 0xa0...0xbf)
        case 0xe1...0xec, 0xee, 0xef: (length, second) = (3, 0x80...0xbf)
        case 0xed: (length, second) = (3, 0x80...0x9f)
        case 0xf0: (length, second) = (4, 0x90...0xbf)
        case 0xf1...0xf3: (length, second) = (4, 0x80...0xbf)
        case 0xf4: (length, second) = (4, 0x80...0x8f)
        default: throw JSONFault(.invalidUTF8, at: i)
        }
        guard i <= text.count &- length, second.contains(text[i &+ 1]) else {
            throw JSONFault(.invalidUTF8, at: i)
        }
        for k in 2..<4 where k < length {
            guard text[i &+ k] & 0xc0 == 0x80 else { throw JSONFault(.invalidUTF8, at: i) }
        }
        i &+= length
    }
}
