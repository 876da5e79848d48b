// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Both alphabets of RFC 4648 in one table-driven coder. Not constant in time: the tables are read by value.
enum Base64Codec {
    /// Text to bytes, without padding.
    /// - Returns: nil for a foreign character, an impossible length, or non-zero trailing bits.
    static func decode(_ text: Span<UInt8>, _ values: [UInt8]) -> [UInt8]? {
        let table = values.span
        // Said once here, so that no look-up below has to be checked again.
        guard table.count == 256 else { return nil }
        let tail = text.count & 3
        guard tail != 1 else { return nil }
        let whole = text.count &- tail
        // Values of foreign characters have bit 7 set, so one look at the end finds any of them.
        var seen: UInt8 = 0
        var isCanonical = true
        let bytes = [UInt8](capacity: (whole / 4) * 3 + 2) { output in
            var i = 0
            while i < whole {
                let quad = text.extracting(i..<(i &+ 4))
                let a = table[Int(quad[0])]
                let b = table[Int(quad[1])]
                let c = table[Int(quad[2])]
                let d = table[Int(quad[3])]
                seen |= a | b | c | d
                output.append(a << 2 | b >> 4)
                output.append(b << 4 | c >> 2)
                output.append(c << 6 | d)
                i &+= 4
            }
            guard tail != 0 else { return }
            let a = table[Int(text[i])]
            let b = table[Int(text[i &+ 1])]
            seen |= a | b
            output.append(a << 2 | b >> 4)
            if tail == 2 {
                isCanonical = b & 0x0f == 0
            } else {
                let c = table[Int(text[i &+ 2])]
                seen |= c
                output.append(b << 4 | c >> 2)
                isCanonical = c & 0x03 == 0
            }
        }
        return seen & 0x80 == 0 && isCanonical ? bytes : nil
    }

    /// Bytes to text, without padding, behind what `output` already holds.
    static func append(
        _ bytes: Span<UInt8>, to output: inout [UInt8], _ characters: [UInt8]
    ) {
        let alphabet = characters.span
        guard alphabet.count == 64 else { return }
        let tail = bytes.count % 3
        let whole = bytes.count &- tail
        output.append(addingCapacity: (whole / 3) * 4 + 3) { text in
            var i = 0
            while i < whole {
                let triple = bytes.extracting(i..<(i &+ 3))
                let a = triple[0]
                let b = triple[1]
                let c = triple[2]
                text.append(alphabet[Int(a >> 2)])
                text.append(alphabet[Int(a << 4 & 0x3f | b >> 4)])
                text.append(alphabet[Int(b << 2 & 0x3f | c >> 6)])
                text.append(alphabet[Int(c & 0x3f)])
                i &+= 3
            }
            guard tail != 0 else { return }
            let a = bytes[i]
            text.append(alphabet[Int(a >> 2)])
            if tail == 1 {
                text.append(alphabet[Int(a << 4 & 0x3f)])
            } else {
                let b = bytes[i &+ 1]
                text.append(alphabet[Int(a << 4 & 0x3f | b >> 4)])
                text.append(alphabet[Int(b << 2 & 0x3f)])
            }
        }
    }
}
