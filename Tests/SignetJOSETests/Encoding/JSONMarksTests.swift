// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import VectorBridge

/// Against a reader that looks at each byte: with vectors and without, at each length, and past the end of a window.
@Suite struct JSONMarksTests {
    static func isMarked(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte > 0x7f
    }

    /// Mostly plain, with what borders on a mark, and marks.
    static func text(_ count: Int, _ random: inout SeededGenerator, plain: Int) -> [UInt8] {
        let special: [UInt8] = [
            0, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7e, 0x7f, 0x80, 0xa2, 0xdc, 0xff,
        ]
        return (0..<count).map { _ in
            Int.random(in: 0..<100, using: &random) < plain
                ? UInt8(ascii: "a") : special.randomElement(using: &random) ?? 0
        }
    }

    @Test("Each byte is marked as it should be, at each length to 300", arguments: [true, false])
    func words(usesVectors: Bool) {
        var random = SeededGenerator(seed: 11)
        for count in 0...300 {
            for room in [0, 1, 2, 4, 6] {
                let text = Self.text(count, &random, plain: 60)
                var words = [UInt64](repeating: 0x5555_5555_5555_5555, count: room)
                do {
                    var span = words.mutableSpan
                    JSONMarks.find(text.span, into: &span, usesVectors: usesVectors)
                }
                for (place, word) in words.enumerated() {
                    guard place <= count / 64 else {
                        #expect(word == 0x5555_5555_5555_5555, "word \(place) of \(count) bytes")
                        continue
                    }
                    for bit in 0..<64 {
                        let position = place * 64 + bit
                        let expected = position >= count || Self.isMarked(text[position])
                        #expect((word >> UInt64(bit) & 1 == 1) == expected, "byte \(position) of \(count)")
                    }
                }
            }
        }
    }

    @Test("Every byte, at every place of a block", arguments: [true, false])
    func everyByte(usesVectors: Bool) {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<64 {
                var text = [UInt8](repeating: UInt8(ascii: "a"), count: 64)
                text[place] = byte
                var words: [UInt64] = [0]
                var span = words.mutableSpan
                JSONMarks.find(text.span, into: &span, usesVectors: usesVectors)
                #expect(words == [Self.isMarked(byte) ? 1 << UInt64(place) : 0], "\(byte) at \(place)")
            }
        }
    }

    @Test(
        "The next mark is found from everywhere, forwards and backwards, over several windows",
        arguments: [99, 100])
    func next(plain: Int) {
        var random = SeededGenerator(seed: 12)
        for count in [0, 1, 63, 64, 65, 2_047, 2_048, 2_049, 4_096, 5_000] {
            let text = Self.text(count, &random, plain: plain)
            var expected = [Int](repeating: count, count: count + 1)
            for position in text.indices.reversed() {
                expected[position] = Self.isMarked(text[position]) ? position : expected[position + 1]
            }
            var marks = JSONMarks()
            for position in 0...count {
                #expect(
                    marks.next(text.span, from: position) == expected[position], "\(position) of \(count)")
            }
            for position in (0...count).reversed() {
                #expect(
                    marks.next(text.span, from: position) == expected[position], "\(position) of \(count)")
            }
            for position in [-1, .min, count + 1, .max] {
                // Nothing is promised but that it comes back.
                _ = marks.next(text.span, from: position)
            }
        }
    }
}
