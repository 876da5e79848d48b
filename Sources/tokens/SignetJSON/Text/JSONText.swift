// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetMemory

/// The inside of a JSON string: `unescape` makes `é"` of `\u00e9\"`, and `append` writes `"é\""`
/// for it, with the quotation marks around it. A *surrogate* is half of a character beyond U+FFFF,
/// which takes two escapes: `\ud83d\ude00` is U+1F600.
// Positions in a text in memory cannot overflow, so sums are `&+`.
enum JSONText {
    /// The UTF-8 bytes of a string whose escapes the scanner has checked, so it cannot fail. In a
    /// text that was not checked, an unknown escape would lose its reverse solidus, and a lone
    /// surrogate would be left out.
    static func unescape(_ text: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var i = 0
        while i < text.count {
            let byte = text[i]
            i &+= 1
            // Any byte that begins no escape stays as it is.
            guard byte == UInt8(ascii: "\\"), i < text.count else {
                output.append(byte)
                continue
            }
            let escape = text[i]
            i &+= 1
            switch escape {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0c)
            case UInt8(ascii: "n"): output.append(0x0a)
            case UInt8(ascii: "r"): output.append(0x0d)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"): i = appendScalar(of: text, at: i, to: &output)
            default: output.append(escape)  // quotation mark, solidus, reverse solidus
            }
        }
        return output
    }

    /// Appends the scalar of a `\u` escape whose four digits begin at `start`. A high surrogate and
    /// the low surrogate after it are two escapes for one scalar.
    ///
    /// - Returns: the position after the escape or escapes.
    private static func appendScalar(
        of text: Span<UInt8>, at start: Int, to output: inout [UInt8]
    ) -> Int {
        guard let unit = codeUnit(text, at: start) else { return start }
        var value = UInt32(unit)
        var next = start &+ 4
        // The digits of a second escape come after its `\u`.
        if UTF16.isLeadSurrogate(unit), let low = codeUnit(text, at: next &+ 2),
            UTF16.isTrailSurrogate(low)
        {
            // Each surrogate has ten bits of the scalar, which counts from U+10000.
            value = 0x10000 &+ (UInt32(unit & 0x3ff) << 10 | UInt32(low & 0x3ff))
            next &+= 6
        }
        // Nil for a lone surrogate, which the scanner has rejected.
        if let scalar = Unicode.Scalar(value) {
            output.append(contentsOf: UTF8.encode(scalar) ?? .init())
        }
        return next
    }

    /// The UTF-16 code unit of the four hexadecimal digits at `start`; nil if they are not digits.
    static func codeUnit(_ text: Span<UInt8>, at start: Int) -> UInt16? {
        guard start <= text.count &- 4 else { return nil }
        var value: UInt16 = 0
        for i in start..<(start &+ 4) {
            guard let digit = text[i].hexadecimalValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// Appends a string with its quotation marks. RFC 8259, section 7: quotation mark, reverse
    /// solidus and control characters are escaped, nothing else.
    static func append(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        let utf8 = text.utf8.span
        // Copies runs that need no escape in one step.
        var start = 0
        while true {
            let end = utf8.endOfPlainText(from: start, stopsAtNonASCII: false)
            utf8.extracting(start..<end).append(to: &output)
            guard end < utf8.count else { break }
            appendEscape(of: utf8[end], to: &output)
            start = end &+ 1
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends the escape of a byte that must not stand in a string: `\n` for 0x0a, `\u001f` for
    /// 0x1f, `\"` for a quotation mark.
    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0a: output.append(UInt8(ascii: "n"))
        case 0x0c: output.append(UInt8(ascii: "f"))
        case 0x0d: output.append(UInt8(ascii: "r"))
        // A control character without a short form: `\u00` and two digits.
        case 0..<0x20:
            output.append(contentsOf: "u00".utf8)
            for digit in [byte >> 4, byte & 0x0f] {
                output.append(
                    digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &+ digit &- 10)
            }
        default: output.append(byte)  // quotation mark, reverse solidus
        }
    }
}
