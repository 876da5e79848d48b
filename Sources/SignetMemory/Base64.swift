// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Both alphabets of RFC 4648, without padding. Not constant in time: tables are read by value.
package struct Base64: Sendable {
    /// RFC 4648, section 5: the URL and file name safe alphabet.
    package static let url = Base64(lastTwo: "-_")
    /// RFC 4648, section 4: the standard alphabet.
    package static let standard = Base64(lastTwo: "+/")

    /// Of a character outside of the alphabet.
    private static let foreign: UInt8 = 0xff

    /// By value.
    let characters: [UInt8]
    /// By character.
    private let values: [UInt8]

    private init(lastTwo: String) {
        let characters = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
        var values = [UInt8](repeating: Self.foreign, count: 256)
        for (value, character) in characters.enumerated() {
            values[Int(character)] = UInt8(truncatingIfNeeded: value)
        }
        self.characters = characters
        self.values = values
    }

    /// Whether a character belongs to the alphabet.
    package func contains(_ character: UInt8) -> Bool { values[Int(character)] != Self.foreign }

    /// How many bytes a text of so many characters stands for; nil for a length that no text has.
    package static func decodedCount(_ characterCount: Int) -> Int? {
        let tail = characterCount & 3
        guard tail != 1 else { return nil }
        return (characterCount >> 2) &* 3 &+ (tail == 0 ? 0 : tail &- 1)
    }

    /// The bytes that a text stands for; nil for a foreign character, an impossible length, or
    /// trailing bits that are not zero (RFC 4648, section 3.5).
    package func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let count = Self.decodedCount(text.count) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var output = bytes.mutableSpan
        return decode(text, into: &output) ? bytes : nil
    }

    /// As ``decode(_:)``, to where just these bytes have room.
    func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
        let values = values.span
        // The second condition spares each look-up below its own.
        let count = output.count
        guard Self.decodedCount(text.count) == count, values.count == 256 else { return false }
        // A foreign character shows in the bits that no value has, and is looked for once.
        var seen: UInt8 = 0
        var i = 0
        var o = 0
        while i <= text.count &- 8, o <= count &- 8 {
            var word = text.word(at: i)
            var bits: UInt64 = 0
            for _ in 0..<8 {
                let value = values[Int(word & 0xff)]
                seen |= value
                bits = bits << 6 | UInt64(value)
                word >>= 8
            }
            // Six bytes, and two that are written over.
            output.store((bits << 16).byteSwapped, at: o)
            i &+= 8
            o &+= 6
        }
        while i < text.count &- 3, o < count &- 2 {
            let (a, b) = (values[Int(text[i])], values[Int(text[i &+ 1])])
            let (c, d) = (values[Int(text[i &+ 2])], values[Int(text[i &+ 3])])
            seen |= a | b | c | d
            output[o] = a << 2 | b >> 4
            output[o &+ 1] = b << 4 | c >> 2
            output[o &+ 2] = c << 6 | d
            i &+= 4
            o &+= 3
        }
        if o < count {
            let (a, b) = (values[Int(text[i])], values[Int(text[i &+ 1])])
            let c = o &+ 1 < count ? values[Int(text[i &+ 2])] : 0
            seen |= a | b | c
            output[o] = a << 2 | b >> 4
            if o &+ 1 < count { output[o &+ 1] = b << 4 | c >> 2 }
            let rest = o &+ 1 < count ? c << 6 : b << 4
            guard rest == 0 else { return false }
        }
        return seen & 0xc0 == 0
    }
}
