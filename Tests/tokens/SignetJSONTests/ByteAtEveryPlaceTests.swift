// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import SignetMemory
import TestSupport
import Testing

/// What is read eight bytes at a time, held against each byte at each place.
@Suite("Every byte at every place")
struct ByteAtEveryPlaceTests {
    @Test("Every byte is read or refused at every place of a JSON string", arguments: 0..<256)
    func inAString(byte: Int) throws {
        let byte = UInt8(byte)
        for before in 0..<20 {
            for after in [1, 2, 7, 8, 9, 16] {
                let inside = [UInt8](repeating: UInt8(ascii: "a"), count: before) + [byte]
                let text =
                    [UInt8(ascii: "\"")] + inside
                    + [UInt8](repeating: UInt8(ascii: "b"), count: after)
                    + [UInt8(ascii: "\"")]
                let error = jsonError { try JSONDocument(text) }
                switch byte {
                case 0..<0x20: #expect(error?.code == .malformed && error?.offset == before + 1)
                case UInt8(ascii: "\""):
                    #expect(error?.code == .malformed && error?.offset == before + 2)
                case UInt8(ascii: "\\"):
                    #expect(try JSONDocument(text).root.text?.byteCount == before + after)
                case 0x80...: #expect(error?.code == .invalidUTF8 && error?.offset == before + 1)
                default:
                    #expect(
                        try JSONDocument(text).root.text.map { Array($0.utf8) }
                            == Array(text[1...].dropLast()))
                }
            }
        }
    }

    @Test("Every byte is read or refused at every place of base64url", arguments: 0..<256)
    func inBase64(byte: Int) {
        let byte = UInt8(byte)
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for length in [1, 2, 3, 4, 5, 7, 8, 9, 12, 14, 15, 16, 17, 20, 22, 23, 24, 30] {
            for place in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
                text[place] = byte
                // By single bits.
                var expected: [UInt8]? = []
                var bits = 0
                var count = 0
                for character in text {
                    guard let value = alphabet.firstIndex(of: character) else {
                        expected = nil
                        break
                    }
                    bits = bits << 6 | value
                    count += 6
                    if count >= 8 {
                        count -= 8
                        expected?.append(UInt8(bits >> count & 0xff))
                        bits &= (1 << count) - 1
                    }
                }
                if length % 4 == 1 || bits != 0 { expected = nil }
                let read = Base64.url.decode(text.span)
                #expect(read == expected, "\(byte) at \(place) of \(length)")
                if let read { #expect(Array(Base64URL.encode(read).utf8) == text) }
            }
        }
    }

    @Test("The first place of a byte is found", arguments: 0..<40)
    func firstPlace(length: Int) {
        for wanted in [UInt8(0), 1, 0x2e, 0x7f, 0x80, 0xff] {
            for other in [UInt8(0), 1, 0x2d, 0x2f, 0x7f, 0x80, 0xff] where other != wanted {
                for place in 0..<length {
                    var bytes = [UInt8](repeating: other, count: length)
                    bytes[place] = wanted
                    if place + 3 < length { bytes[place + 3] = wanted }
                    #expect(bytes.span.firstIndex(of: wanted) == place)
                    #expect(bytes.span.firstIndex(of: wanted, from: place) == place)
                }
                #expect([UInt8](repeating: other, count: length).span.firstIndex(of: wanted) == nil)
            }
        }
    }

    @Test("Byte strings that differ in one bit or in length are not equal")
    func equality() {
        func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { bytesAreEqual(a.span, b.span) }
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            #expect(areEqual(bytes, bytes))
            #expect(!areEqual(bytes, bytes + [0]))
            for place in bytes.indices {
                for bit in 0..<8 {
                    var other = bytes
                    other[place] ^= 1 << bit
                    #expect(!areEqual(bytes, other), "\(place) of \(length)")
                }
            }
        }
    }
}
