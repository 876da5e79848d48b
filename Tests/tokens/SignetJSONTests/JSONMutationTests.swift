// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

/// No input may trap: altered documents go through the reader, every property and the decoder.
@Suite("Mutated JSON", .tags(.fuzzing, .sampled))
struct JSONMutationTests {
    struct Claims: Codable {
        struct Address: Codable {
            let street: String?
            let lines: [[Int16]]?
        }

        let iss: String?
        let aud: [String]?
        let exp: Int64?
        let iat: Double?
        let small: UInt8?
        let flag: Bool?
        let address: Address?
        let extra: [String: JSONValue]?
    }

    static let seeds = [
        "{\"iss\":\"https://a.example\",\"aud\":[\"x\",\"y\"],\"exp\":1300819380,\"iat\":1.5e9,\"small\":255,\"flag\":true}",
        "{\"address\":{\"street\":\"\\u00e9\\ud83d\\ude00 \u{e9}\",\"lines\":[[1,-2],[],[32767]]},\"extra\":{\"a\":[{}],\"b\":null}}",
        "[1,2.5,-0,1e300,\"\\n\",true,false,null,{\"a\":{\"b\":[[]]}}]",
        "{\"a\":1,\"\\u0062\":2,\"\u{212a}\":3,\"d\":[0.1,9223372036854775807,18446744073709551615]}",
    ]

    /// Bytes and pieces that mean something to a JSON reader.
    static let pieces = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", "-", "0", "e", ".", "\\u", "\\ud800", "\\udc00",
        "1e999",
        "\0", "null",
        "\"a\":", "{\"a\":1},", "99999999999999999999", "\u{e9}", "[[[[[[[[[[[[", "exp", "1.0",
    ].map { Array($0.utf8) }

    @Test(
        "Mutated JSON never traps, and accepted JSON is written and read again the same",
        arguments: 0..<4)
    func nothingTraps(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) + 42)
        var accepted = 0
        for _ in 0..<Effort.rounds(12_500) {
            var text = Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&text, &random) }
            guard let read = try? JSONDocument(text) else { continue }
            accepted += 1
            exercise(read.root)
            let decoder = JSONTokenDecoder()
            _ = try? decoder.decode(Claims.self, from: read.root)
            _ = try? decoder.decode([String: Int].self, from: read.root)
            _ = try? decoder.decode([Double].self, from: read.root)
            guard let value = try? decoder.decode(JSONValue.self, from: read.root) else { continue }
            // What was read can be written, and reads back the same.
            let written = try? JSONTokenEncoder(allowsFragments: true).encode(value)
            let again = written.flatMap { try? decoder.decode(JSONValue.self, from: $0) }
            #expect(again.map(normalized) == normalized(value))
        }
        #expect(accepted > Effort.rounds(500))
    }

    /// Whole doubles are written as integers.
    private func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? value
        case .array(let elements): .array(elements.map(normalized))
        case .object(let members): .object(members.mapValues(normalized))
        default: value
        }
    }

    private func mutate(_ text: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place < text.count: text[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where place < text.count: text.remove(at: place)
        case 2: text.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 3: text.removeSubrange(place..<text.count)
        case 4:
            text.insert(
                contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)],
                at: place)
        default:
            let other = Int.random(in: 0...text.count, using: &random)
            text.insert(contentsOf: text[min(place, other)..<max(place, other)], at: place)
        }
    }
}
