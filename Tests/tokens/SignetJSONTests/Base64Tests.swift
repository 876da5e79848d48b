// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import SignetMemory
import TestSupport
import Testing

@Suite("Base64 and base64url")
struct Base64Tests {
    /// RFC 4648, section 10, without padding; the last two need the URL alphabet.
    static let figures: [(bytes: [UInt8], text: String)] = [
        ([], ""), (Array("f".utf8), "Zg"), (Array("fo".utf8), "Zm8"), (Array("foo".utf8), "Zm9v"),
        (Array("foob".utf8), "Zm9vYg"), (Array("fooba".utf8), "Zm9vYmE"),
        (Array("foobar".utf8), "Zm9vYmFy"),
        ([0xfb, 0xff], "-_8"), ([0xff, 0xff, 0xfe], "___-"),
    ]

    @Test("Figures of each length encode and decode in both alphabets", arguments: figures)
    func figure(bytes: [UInt8], text: String) throws {
        #expect(Base64URL.encode(bytes) == text)
        #expect(try Base64URL.decode(text) == bytes)
        #expect(try Base64URL.decode(text[...]) == bytes)

        let padded =
            text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        #expect(Base64Standard.encode(bytes) == padded)
        let characters = Array(padded.utf8)
        #expect(Base64Standard.decode(characters.span) == bytes)
    }

    @Test(
        "Malformed base64url is refused with its code",
        arguments: [
            ("Zg==", JOSEEncodingError.Code.invalidCharacter), ("Zg=", .invalidCharacter),
            ("=", .invalidCharacter),
            ("+/8A", .invalidCharacter), (" Zg", .invalidCharacter), ("Zg\n", .invalidCharacter),
            ("Zm 9v", .invalidCharacter), ("Zm9\u{e9}", .invalidCharacter),
            ("Zm9\0", .invalidCharacter),
            ("Z", .invalidLength), ("Zm9vY", .invalidLength), ("Zh", .nonZeroTrailingBits),
            ("Zm9", .nonZeroTrailingBits), ("Zm9vYh", .nonZeroTrailingBits),
        ])
    func refused(text: String, code: JOSEEncodingError.Code) {
        #expect(throws: JOSEEncodingError(code: code)) { try Base64URL.decode(text) }
        let characters = Array(text.utf8)
        #expect(Base64.url.decode(characters.span) == nil)
    }

    @Test(
        "Malformed base64 is refused",
        arguments: [
            "Zg", "Zg=", "Zg===", "====", "=", "Z===", "Zh==", "Zm9=", "Zg==Zg==", "Zm9v\n", "-_8=",
            "Zm=v",
        ])
    func refusedStandard(text: String) {
        let characters = Array(text.utf8)
        #expect(Base64Standard.decode(characters.span) == nil)
    }

    @Test("A last character with trailing bits is refused")
    func everyLastCharacterHasOneText() {
        // Of the 64 characters that can end a text, only those without trailing bits may.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(alphabet.count { (try? Base64URL.decode("A\($0)")) != nil } == 4)
        #expect(alphabet.count { (try? Base64URL.decode("AA\($0)")) != nil } == 16)
        #expect(alphabet.count { (try? Base64URL.decode("AAA\($0)")) != nil } == 64)
    }

    @Test("A byte outside the alphabet is refused at every place")
    func foreignBytesAreRefusedAtEveryPlace() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max where !alphabet.contains(byte) {
            for length in [2, 3, 4, 8] {
                for place in 0..<length {
                    var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
                    text[place] = byte
                    #expect(
                        Base64.url.decode(text.span) == nil, "byte \(byte) at \(place) of \(length)"
                    )
                }
            }
        }
    }

    @Test("Bytes of every length up to 199 come back")
    func roundTripOfEveryLength() {
        var random = SeededGenerator(seed: 7)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Array(Base64URL.encode(bytes).utf8)
            #expect(Base64.url.decode(text.span) == bytes)
            let standard = Array(Base64Standard.encode(bytes).utf8)
            #expect(Base64Standard.decode(standard.span) == bytes)
        }
    }

    @Test("Encoding appends to existing text")
    func appends() {
        var text = Array("a.".utf8)
        Base64.url.append(encoding: Array("foob".utf8).span, to: &text)
        #expect(text == Array("a.Zm9vYg".utf8))
    }

    @Test("An error has a description, without the text")
    func errorsDoNotHoldTheText() {
        #expect(throws: JOSEEncodingError.self) { try Base64URL.decode("c2VjcmV0=") }
        for code in [JOSEEncodingError.Code.invalidCharacter, .invalidLength, .nonZeroTrailingBits]
        {
            #expect(!JOSEEncodingError(code: code).description.isEmpty)
        }
    }
}
