// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

/// Both alphabets of RFC 4648 in one coder: 32 characters at a time where the processor can, else eight by tables. Not
/// constant in time: tables are read by value.
enum Base64Codec {
    /// How many bytes a text of so many characters without padding stands for; nil for a length that no text has.
    static func decodedCount(_ characterCount: Int) -> Int? {
        let tail = characterCount & 3
        guard tail != 1 else { return nil }
        return (characterCount >> 2) &* 3 &+ (tail == 0 ? 0 : tail &- 1)
    }

    /// Text to bytes, without padding.
    /// - Returns: nil for a foreign character, an impossible length, or non-zero trailing bits.
    static func decode(_ text: Span<UInt8>, _ alphabet: Base64Alphabet) -> [UInt8]? {
        guard let count = decodedCount(text.count) else { return nil }
        var bytes = [UInt8].zeros(count)
        var output = bytes.mutableSpan
        return decode(text, alphabet, into: &output) ? bytes : nil
    }

    /// Text to bytes, written to the beginning of `output`, which has room for ``decodedCount(_:)`` of them.
    /// - Returns: false for a foreign character, an impossible length, non-zero trailing bits, or too little room. What has
    ///   been written then is of no use.
    static func decode(
        _ text: Span<UInt8>, _ alphabet: Base64Alphabet, into output: inout MutableSpan<UInt8>
    ) -> Bool {
        let table = alphabet.places.span
        // Said once here, so that no look-up below has to be checked again.
        guard table.count == 1024, let count = decodedCount(text.count), count <= output.count
        else { return false }
        // One look at the end finds any foreign character.
        var seen: UInt32 = 0
        let blocks = Base64Blocks.decode(text, into: &output, isURL: alphabet.isURL)
        var i = blocks &* Base64Blocks.characterCount
        var o = blocks &* Base64Blocks.byteCount
        while i <= text.count &- 8, o <= output.count &- 8 {
            let word = text.word(at: i)
            let low = group(table, word)
            let high = group(table, word >> 32)
            seen |= low | high
            output.store(UInt64(low) | UInt64(high) << 24, at: o)
            i &+= 8
            o &+= 6
        }
        while i <= text.count &- 4 {
            let bits =
                table[Int(text[i])] | table[256 &+ Int(text[i &+ 1])] | table[512 &+ Int(text[i &+ 2])]
                | table[768 &+ Int(text[i &+ 3])]
            seen |= bits
            output[o] = UInt8(truncatingIfNeeded: bits)
            output[o &+ 1] = UInt8(truncatingIfNeeded: bits >> 8)
            output[o &+ 2] = UInt8(truncatingIfNeeded: bits >> 16)
            i &+= 4
            o &+= 3
        }
        if i < text.count {
            // Two or three characters are left; the bits behind their last byte are zero (RFC 4648, section 3.5).
            var bits = table[Int(text[i])] | table[256 &+ Int(text[i &+ 1])]
            output[o] = UInt8(truncatingIfNeeded: bits)
            if i < text.count &- 2 {
                bits |= table[512 &+ Int(text[i &+ 2])]
                output[o &+ 1] = UInt8(truncatingIfNeeded: bits >> 8)
                bits &= ~0xffff
            } else {
                bits &= ~0xff
            }
            // What is left of them has to be nothing: neither the mark of a foreign character nor a trailing bit.
            guard bits == 0 else { return false }
        }
        return seen & Base64Alphabet.foreign == 0
    }

    @inline(__always)
    private static func group(_ table: Span<UInt32>, _ word: UInt64) -> UInt32 {
        table[Int(word & 0xff)] | table[256 &+ Int(word >> 8 & 0xff)] | table[512 &+ Int(word >> 16 & 0xff)]
            | table[768 &+ Int(word >> 24 & 0xff)]
    }

    /// How many characters so many bytes become, without padding.
    static func encodedCount(_ byteCount: Int) -> Int {
        (byteCount / 3) &* 4 &+ (byteCount % 3 == 0 ? 0 : byteCount % 3 &+ 1)
    }

    /// Bytes to text, without padding, behind what `output` already holds.
    static func append(_ bytes: Span<UInt8>, to output: inout [UInt8], _ alphabet: Base64Alphabet) {
        let start = output.count
        let count = encodedCount(bytes.count)
        output.append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
        var all = output.mutableSpan
        encode(bytes, alphabet, into: &all, from: start)
    }

    /// Bytes to text, without padding, written to `output` from `start` on, where there is room for ``encodedCount(_:)``
    /// characters.
    static func encode(
        _ bytes: Span<UInt8>, _ alphabet: Base64Alphabet, into output: inout MutableSpan<UInt8>,
        from start: Int
    ) {
        let table = alphabet.pairs.span
        guard table.count == 4096, start >= 0, encodedCount(bytes.count) <= output.count &- start
        else { return }
        let blocks = Base64Blocks.encode(bytes, into: &output, from: start, isURL: alphabet.isURL)
        var i = blocks &* Base64Blocks.byteCount
        var o = start &+ blocks &* Base64Blocks.characterCount
        while i <= bytes.count &- 8, o <= output.count &- 8 {
            let bits = bytes.word(at: i).byteSwapped >> 16
            let first = UInt64(table[Int(bits >> 36)]) | UInt64(table[Int(bits >> 24 & 0xfff)]) << 16
            let second = UInt64(table[Int(bits >> 12 & 0xfff)]) | UInt64(table[Int(bits & 0xfff)]) << 16
            output.store(first | second << 32, at: o)
            i &+= 6
            o &+= 8
        }
        while i < bytes.count {
            let left = bytes.count &- i
            let a = UInt32(bytes[i]) << 16
            let b = left > 1 ? UInt32(bytes[i &+ 1]) << 8 : 0
            let c = left > 2 ? UInt32(bytes[i &+ 2]) : 0
            let front = table[Int(a | b) >> 12]
            let back = table[Int(b | c) & 0xfff]
            output[o] = UInt8(truncatingIfNeeded: front)
            output[o &+ 1] = UInt8(truncatingIfNeeded: front >> 8)
            if left > 1 { output[o &+ 2] = UInt8(truncatingIfNeeded: back) }
            if left > 2 { output[o &+ 3] = UInt8(truncatingIfNeeded: back >> 8) }
            i &+= 3
            o &+= 4
        }
    }
}
