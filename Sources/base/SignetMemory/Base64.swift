// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The two alphabets of RFC 4648, without padding. Not constant-time: it reads tables by value.
package struct Base64: Sendable {
    /// RFC 4648, section 5: the URL and file name safe alphabet.
    package static let url = Base64(lastTwo: "-_")
    /// RFC 4648, section 4: the standard alphabet.
    package static let standard = Base64(lastTwo: "+/")

    /// The characters for each pair of values: the first value is in the higher bits of the index,
    /// the first character in the lower byte.
    let pairs: [UInt16]
    /// For each of four places and each character: its value, shifted to its place in 24 bits.
    private let values: [UInt32]

    /// Marks a character outside the alphabet: bits that no value has.
    private static let foreign: UInt32 = 0xff00_0000

    private init(lastTwo: String) {
        let characters = Array(
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
        var values = [UInt32](repeating: Self.foreign, count: 1024)
        for (value, character) in characters.enumerated() {
            for place in 0..<4 {
                values[place * 256 + Int(character)] =
                    UInt32(truncatingIfNeeded: value) << UInt32(truncatingIfNeeded: 18 - 6 * place)
            }
        }
        pairs = characters.flatMap { first in
            characters.map { UInt16(first) | UInt16($0) << 8 }
        }
        self.values = values
    }

    /// Whether a character belongs to the alphabet.
    package func contains(_ character: UInt8) -> Bool { values[Int(character)] != Self.foreign }

    /// The number of bytes that `characterCount` characters decode to; nil for an impossible
    /// length.
    package static func decodedCount(_ characterCount: Int) -> Int? {
        let tail = characterCount & 3
        guard tail != 1 else { return nil }
        return (characterCount >> 2) &* 3 &+ (tail == 0 ? 0 : tail &- 1)
    }

    /// Decodes `text`; nil for a character outside the alphabet, an impossible length or trailing
    /// bits that are not zero (RFC 4648, section 3.5).
    package func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let count = Self.decodedCount(text.count) else { return nil }
        var bytes: [UInt8] = []
        var isGood = false
        bytes.append(addingCapacity: count) { output in
            output.append(repeating: 0, count: count)
            var span = output.mutableSpan
            isGood = decode(text, into: &span)
        }
        return isGood ? bytes : nil
    }

    /// Like ``decode(_:)``, but into `output`, which must have exactly the right size. Writes all
    /// of it when the answer is true.
    func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
        let values = values.span
        // The second condition spares the look-ups below a check each.
        let count = output.count
        guard Self.decodedCount(text.count) == count, values.count == 1024 else { return false }
        // Foreign characters set bits that no value has; they are looked for once, at the end.
        var seen: UInt32 = 0
        var i = 0
        var o = 0
        while i <= text.count &- 8, o <= count &- 8 {
            let word = text.word(at: i)
            let first = Self.bits(UInt32(truncatingIfNeeded: word), values: values)
            let second = Self.bits(UInt32(truncatingIfNeeded: word >> 32), values: values)
            seen |= first | second
            // Writes six bytes, and two that the next step overwrites.
            output.store(((UInt64(first) << 24 | UInt64(second)) << 16).byteSwapped, at: o)
            i &+= 8
            o &+= 6
        }
        // The rest, in groups of up to four characters, each of which gives up to three bytes.
        while o < count {
            let left = count &- o
            var bits = values[Int(text[i])] | values[256 &+ Int(text[i &+ 1])]
            if left > 1 { bits |= values[512 &+ Int(text[i &+ 2])] }
            if left > 2 { bits |= values[768 &+ Int(text[i &+ 3])] }
            seen |= bits
            output[o] = UInt8(truncatingIfNeeded: bits >> 16)
            if left > 1 { output[o &+ 1] = UInt8(truncatingIfNeeded: bits >> 8) }
            if left > 2 { output[o &+ 2] = UInt8(truncatingIfNeeded: bits) }
            // The last character may carry bits beyond the last byte, which must be zero.
            guard left > 2 || bits & (left > 1 ? 0xff : 0xffff) == 0 else { return false }
            i &+= 4
            o &+= 3
        }
        return seen & Self.foreign == 0
    }

    /// The 24 bits of four characters, of which the first is lowest.
    @inline(__always)
    private static func bits(_ characters: UInt32, values: Span<UInt32>) -> UInt32 {
        values[Int(characters & 0xff)] | values[256 &+ Int(characters >> 8 & 0xff)]
            | values[512 &+ Int(characters >> 16 & 0xff)] | values[768 &+ Int(characters >> 24)]
    }
}
