// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

extension JSONScanner {
    /// The inside of a string, from behind its quotation mark: no control characters, escapes by RFC 8259, section 7,
    /// surrogate escapes only in pairs, strict UTF-8 (RFC 3629, section 4).
    /// - Returns: the position of the closing quotation mark.
    @inline(__always)
    static func scanText(
        _ text: Span<UInt8>, from start: Int, _ marks: inout JSONMarks, _ flags: inout JSONRecord.Flags
    ) throws(JSONFault) -> Int {
        var i = start
        while true {
            i = marks.next(text, from: i)
            guard i < text.count else { throw JSONFault(kind: .malformed, offset: i) }
            let byte = text[i]
            if byte == UInt8(ascii: "\"") { return i }
            i = try scanSpecial(text, at: i, &flags)
        }
    }

    /// An escape, or characters past ASCII.
    @inline(never)
    private static func scanSpecial(
        _ text: Span<UInt8>, at i: Int, _ flags: inout JSONRecord.Flags
    ) throws(JSONFault) -> Int {
        let byte = text[i]
        if byte >= 0x80 {
            flags.insert(.beyondASCII)
            return try scanCharacters(text, at: i)
        }
        guard byte == UInt8(ascii: "\\"), i &+ 1 < text.count else {
            throw JSONFault(kind: .malformed, offset: i)
        }
        flags.insert(.escaped)
        switch text[i &+ 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return i &+ 2
        case UInt8(ascii: "u"):
            guard let unit = JSONText.codeUnit(text, at: i &+ 2) else {
                throw JSONFault(kind: .malformed, offset: i)
            }
            guard unit & 0xf800 == 0xd800 else { return i &+ 6 }
            // A surrogate: only a high one, and only with a low one behind it.
            guard unit < 0xdc00, i &+ 7 < text.count, text[i &+ 6] == UInt8(ascii: "\\"),
                text[i &+ 7] == UInt8(ascii: "u"), let low = JSONText.codeUnit(text, at: i &+ 8),
                low & 0xfc00 == 0xdc00
            else { throw JSONFault(kind: .malformed, offset: i) }
            return i &+ 12
        default:
            throw JSONFault(kind: .malformed, offset: i)
        }
    }

    /// Characters past ASCII that follow each other: the marks end at each byte of them.
    private static func scanCharacters(_ text: Span<UInt8>, at start: Int) throws(JSONFault) -> Int {
        var i = start
        repeat { i = try scanCharacter(text, at: i) } while i < text.count && text[i] >= 0x80
        return i
    }

    /// One character of two to four bytes, by the table of RFC 3629, section 4: nothing overlong, no surrogate,
    /// nothing past U+10FFFF.
    @inline(__always)
    private static func scanCharacter(_ text: Span<UInt8>, at i: Int) throws(JSONFault) -> Int {
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
        default: throw JSONFault(kind: .invalidUTF8, offset: i)
        }
        guard i <= text.count &- length, second.contains(text[i &+ 1]) else {
            throw JSONFault(kind: .invalidUTF8, offset: i)
        }
        for k in 2..<4 where k < length {
            guard text[i &+ k] & 0xc0 == 0x80 else { throw JSONFault(kind: .invalidUTF8, offset: i) }
        }
        return i &+ length
    }
}
