// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

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
        while i < text.count, text[i] &- UInt8(ascii: "0") < 10 { i &+= 1 }
        guard i > start else { throw JSONFault(kind: .malformed, offset: i) }
        return i
    }

    static func scanLiteral(
        _ text: Span<UInt8>, from start: Int, _ literal: String
    ) throws(JSONFault) -> Int {
        var i = start
        for byte in literal.utf8 {
            guard i < text.count, text[i] == byte else { throw JSONFault(kind: .malformed, offset: i) }
            i &+= 1
        }
        return i
    }
}
