// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing
import VectorBridge

/// Texts long enough for blocks of 32 characters, against a decoder that goes bit by bit.
@Suite struct Base64BlocksTests {
    static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    static let alphabet = Array((letters + "-_").utf8)

    /// As slow and as plain as it can be.
    static func reference(_ text: [UInt8], _ alphabet: [UInt8] = alphabet) -> [UInt8]? {
        var bits = [Bool]()
        for character in text {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            for shift in [5, 4, 3, 2, 1, 0] { bits.append(value >> shift & 1 == 1) }
        }
        guard text.count % 4 != 1, bits[(bits.count / 8 * 8)...].allSatisfy({ !$0 }) else { return nil }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<(start + 8)].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    @Test("Each length to 300 goes there and back, as the reference has it")
    func lengths() throws {
        var random = SeededGenerator(seed: 5)
        for count in 0...300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Array(Base64URL.encode(bytes).utf8)
            #expect(Self.reference(text) == bytes, "\(count) bytes")
            #expect(Base64URL.decode(text.span) == bytes, "\(count) bytes")
            let padded = Base64Standard.encode(bytes)
            #expect(Base64Standard.decode(Array(padded.utf8).span) == bytes, "\(count) bytes")
        }
    }

    @Test("Each character at each place of two blocks and a rest is read as the reference reads it")
    func everyCharacterAtEveryPlace() {
        var random = SeededGenerator(seed: 6)
        let good = (0..<71).map { _ in Self.alphabet.randomElement(using: &random) ?? 0x41 }
        for place in good.indices {
            for character in UInt8.min...UInt8.max {
                var text = good
                text[place] = character
                let isRight = Base64URL.decode(text.span) == Self.reference(text)
                #expect(isRight, "\(character) at \(place)")
            }
        }
    }

    @Test("The same of the standard alphabet, at each place of a block and behind it")
    func everyStandardCharacter() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array((Self.letters + "+/").utf8)
        let good = (0..<40).map { _ in alphabet.randomElement(using: &random) ?? 0x41 }
        for place in good.indices {
            // The equals sign at the end is padding, of which the reference knows nothing.
            for character in UInt8.min...UInt8.max where character != UInt8(ascii: "=") || place < 38 {
                var text = good
                text[place] = character
                let isRight = Base64Standard.decode(text.span) == Self.reference(text, alphabet)
                #expect(isRight, "\(character) at \(place)")
            }
        }
    }

    @Test("Nothing is written outside of the room that is given", arguments: [0, 24, 27, 28, 48, 51, 52, 75])
    func room(count: Int) {
        let text = [UInt8](repeating: UInt8(ascii: "_"), count: 96)
        var memory = [UInt8](repeating: 0x55, count: count + 64)
        var blocks = 0
        do {
            var all = memory.mutableSpan
            var part = all._mutatingExtracting(32..<(32 + count))
            blocks = Base64Blocks.decode(text.span, into: &part, isURL: true)
        }
        #expect(blocks * 24 <= count)
        #expect(memory[..<32].allSatisfy { $0 == 0x55 } && memory[(32 + count)...].allSatisfy { $0 == 0x55 })
        #expect(memory[32..<(32 + blocks * 24)].allSatisfy { $0 == 0xff })
        #expect(blocks == (Base64Blocks.isOffered ? max(0, (count - 4) / 24) : 0))
    }

    @Test("Nor by encoding", arguments: [0, 31, 32, 33, 63, 64, 95])
    func roomForCharacters(count: Int) {
        let bytes = [UInt8](repeating: 0xff, count: 200)
        var memory = [UInt8](repeating: 0x55, count: count + 64)
        var blocks = 0
        do {
            var all = memory.mutableSpan
            var part = all._mutatingExtracting(0..<(32 + count))
            blocks = Base64Blocks.encode(bytes.span, into: &part, from: 32, isURL: true)
        }
        #expect(memory[..<32].allSatisfy { $0 == 0x55 } && memory[(32 + count)...].allSatisfy { $0 == 0x55 })
        #expect(memory[32..<(32 + blocks * 32)].allSatisfy { $0 == UInt8(ascii: "_") })
        #expect(blocks == (Base64Blocks.isOffered ? count / 32 : 0))
    }
}
