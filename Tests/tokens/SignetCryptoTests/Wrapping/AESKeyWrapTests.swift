// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("AES key wrap")
struct AESKeyWrapTests {
    private static let longest = bytes(
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")

    @Test(
        "The six examples of RFC 3394, section 4",
        arguments: [
            (
                16, "00112233445566778899aabbccddeeff",
                "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"
            ),
            (
                24, "00112233445566778899aabbccddeeff",
                "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"
            ),
            (
                32, "00112233445566778899aabbccddeeff",
                "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"
            ),
            (
                24, "00112233445566778899aabbccddeeff0001020304050607",
                "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"
            ),
            (
                32, "00112233445566778899aabbccddeeff0001020304050607",
                "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"
            ),
            (
                32, "00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f",
                """
                28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326
                cbc7f0e71a99f43bfb988b9b7a02dd21
                """
            ),
        ] as [(Int, String, String)])
    func knownAnswers(count: Int, wrappedKey: String, expected: String) throws {
        let wrappingKey = key(Array(Self.longest.prefix(count)))
        let wrapped = try AESKeyWrap.wrap(key(bytes(wrappedKey)), using: wrappingKey)
        #expect(hex(wrapped) == hex(bytes(expected)))
        #expect(hex(exposed(try AESKeyWrap.unwrap(wrapped, using: wrappingKey))) == wrappedKey)
    }

    @Test("Every length that fits comes back, and each other is refused")
    func lengths() throws {
        let wrappingKey = try SecretKey.generate()
        for count in [16, 24, 32, 48, 64, 512, 2048, 4096] {
            let secret = SecretKey(try SecretBytes.random(count: count))
            let wrapped = try AESKeyWrap.wrap(secret, using: wrappingKey)
            #expect(wrapped.count == count + 8)
            #expect(try AESKeyWrap.unwrap(wrapped, using: wrappingKey) == secret)
        }
        for count in [0, 1, 8, 15, 17, 20, 23, 4104] {
            #expect(
                code { _ = try AESKeyWrap.wrap(key(repeating: 1, count), using: wrappingKey) }
                    == .invalidKeySize, "\(count)")
            #expect(
                code {
                    let wrapped = [UInt8](repeating: 1, count: count + 8)
                    _ = try AESKeyWrap.unwrap(wrapped, using: wrappingKey)
                } == .authenticationFailure, "\(count)")
        }
        for count in 0..<8 {
            #expect(
                code {
                    let wrapped = [UInt8](repeating: 1, count: count)
                    _ = try AESKeyWrap.unwrap(wrapped, using: wrappingKey)
                } == .authenticationFailure, "\(count)")
        }
    }

    @Test("Wrapping keys have 16, 24 or 32 bytes", arguments: [0, 8, 15, 17, 31, 33, 48, 64])
    func wrappingKeys(count: Int) {
        let wrappingKey = key(repeating: 2, count)
        let wrapped = [UInt8](repeating: 1, count: 24)
        #expect(
            code { _ = try AESKeyWrap.wrap(key(repeating: 1, 16), using: wrappingKey) }
                == .invalidKeySize)
        #expect(
            code { _ = try AESKeyWrap.unwrap(wrapped, using: wrappingKey) } == .invalidKeySize)
    }

    @Test("Any changed bit, missing or further byte and any other key give the one error")
    func changes() throws {
        let wrappingKey = try SecretKey.generate(bitCount: 192)
        let wrapped = try AESKeyWrap.wrap(SecretKey.generate(), using: wrappingKey)
        var texts: Set<String> = []
        func refused(_ wrapped: [UInt8], _ wrappingKey: SecretKey) {
            let found = error { _ = try AESKeyWrap.unwrap(wrapped, using: wrappingKey) }
            #expect(found?.code == .authenticationFailure)
            texts.insert(found?.message ?? "none")
        }
        for bit in 0..<(wrapped.count * 8) {
            var changed = wrapped
            changed[bit / 8] ^= 1 << (bit % 8)
            refused(changed, wrappingKey)
        }
        for count in 0..<wrapped.count { refused(Array(wrapped.prefix(count)), wrappingKey) }
        refused(wrapped + [UInt8](repeating: 0, count: 8), wrappingKey)
        for bitCount in [128, 192, 256] {
            refused(wrapped, try SecretKey.generate(bitCount: bitCount))
        }
        #expect(texts.count == 1)
    }

    @Test("Slices and lazy collections unwrap as arrays do")
    func collections() throws {
        let wrappingKey = try SecretKey.generate()
        let secret = try SecretKey.generate()
        let wrapped = try AESKeyWrap.wrap(secret, using: wrappingKey)
        let padded: [UInt8] = [1] + wrapped + [2]
        #expect(
            try AESKeyWrap.unwrap(padded.dropFirst().dropLast(), using: wrappingKey) == secret)
        #expect(try AESKeyWrap.unwrap(wrapped.lazy.map { $0 }, using: wrappingKey) == secret)
    }
}
