// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

extension JSONScanner {
    /// A number by the grammar of RFC 8259, section 6: no leading zero or plus, digits on both sides of the point.
    static func scanNumber(
        _ text: Span<UInt8>, from start: Int, _ flags: inout JSONRecord.Flags
    ) throws(JSONFault) -> Int {
        var i = start
        if text[i] == UInt8(ascii: "-") { i &+= 1 }
        guard i < text.count else { throw JSONFault(kind: .malformed, offset: i) }
        if text[i] == UInt8(ascii: "0") {
            i &+= 1
        } else {
            i = try scanDigits(text, from: i)
        }
        flags = .integer
        if i < text.count, text[i] == UInt8(ascii: ".") {
            flags = []
            i = try scanDigits(text, from: i &+ 1)
        }
        if i < text.count, text[i] | 0x20 == UInt8(ascii: "e") {
            flags = []
            i &+= 1
            if i < text.count, text[i] == UInt8(ascii: "+") || text[i] == UInt8(ascii: "-") { i &+= 1 }
            i = try scanDigits(text, from: i)
        }
        return i
    }

    /// One digit or more.
    @inline(__always)
    private static func scanDigits(_ text: Span<UInt8>, from start: Int) throws(JSONFault) -> Int {
        var i = start
        if i <= text.count &- 8, foreignToDigits(text.word(at: i)) == 0 { i &+= 8 }
        while i < text.count, text[i] &- UInt8(ascii: "0") < 10 { i &+= 1 }
        guard i > start else { throw JSONFault(kind: .malformed, offset: i) }
        return i
    }

    /// Not 0 when one of eight characters is no digit.
    @inline(__always)
    private static func foreignToDigits(_ word: UInt64) -> UInt64 {
        // From 10 on a value reaches bit 7. What a value of 138 or more carries over goes past a bit that is set already.
        let values = word ^ 0x3030_3030_3030_3030
        return (values | (values &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080
    }

    /// The number of eight digits, the first one lowest; nil when they are not digits.
    @inline(__always)
    static func eightDigits(_ word: UInt64) -> Int64? {
        guard foreignToDigits(word) == 0 else { return nil }
        // Pairs, then pairs of pairs: each step multiplies the left one by its place and adds the right one.
        let ones = word ^ 0x3030_3030_3030_3030
        let pairs = (ones &* 10 &+ ones >> 8) & 0x00ff_00ff_00ff_00ff
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_ffff_0000_ffff
        return Int64(truncatingIfNeeded: (fours &* 10_000 &+ fours >> 32) & 0xffff_ffff)
    }

    /// One of the three literals, whose first byte has been seen.
    @inline(__always)
    static func scanLiteral<let count: Int>(
        _ text: Span<UInt8>, from start: Int, _ rest: InlineArray<count, Unicode.Scalar>
    ) throws(JSONFault) -> Int {
        var i = start &+ 1
        for k in 0..<count {
            guard i < text.count, UInt32(text[i]) == rest[k].value else {
                throw JSONFault(kind: .malformed, offset: i)
            }
            i &+= 1
        }
        return i
    }
}
