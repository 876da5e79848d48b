// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

/// How scalars are written: by words, so that each length and each place within a word is a case of its own.
@Suite("The text of scalars")
struct JSONTextTests {
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONTokenEncoder().encode([value]), as: UTF8.self)
    }

    @Test("Whole numbers of each length are written as Swift writes them")
    func wholeNumbers() throws {
        var power: UInt64 = 1
        var numbers: [UInt64] = [0, .max, .max - 1]
        for _ in 0..<20 {
            numbers += [power - 1, power, power + 1, power &* 9, power &* 7 &+ 5]
            power = power &* 10
        }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<20_000 {
            numbers.append(
                UInt64.random(in: 0 ... .max, using: &random)
                    >> UInt64.random(in: 0..<64, using: &random))
        }
        for number in numbers {
            #expect(try Self.text(number) == "[\(number)]")
            let signed = Int64(truncatingIfNeeded: number)
            #expect(try Self.text(signed) == "[\(signed)]")
        }
        #expect(try Self.text(Int64.min) == "[\(Int64.min)]")
        #expect(try Self.text(Int8.min) == "[-128]")
        #expect(try Self.text(Int128.min) == "[\(Int128.min)]")
    }

    @Test(
        "Strings with each kind of character at each place are escaped correctly"
    )
    func strings() throws {
        let specials: [(Character, String)] = [
            ("b", "b"), ("\"", "\\\""), ("\\", "\\\\"), ("\u{1f}", "\\u001f"), ("\n", "\\n"),
            ("\u{7f}", "\u{7f}"),
            ("\u{e9}", "\u{e9}"), ("\u{1f600}", "\u{1f600}"),
        ]
        for length in 0...34 {
            let plain = [Character](repeating: "a", count: length)
            #expect(try Self.text(String(plain)) == "[\"\(String(plain))\"]")
            for place in 0..<length {
                for (special, written) in specials {
                    var characters = plain
                    characters[place] = special
                    let expected = characters.map { $0 == special ? written : String($0) }.joined()
                    #expect(try Self.text(String(characters)) == "[\"\(expected)\"]")
                    #expect(try Self.text([String(characters): 1]) == "[{\"\(expected)\":1}]")
                }
            }
        }
    }
}
