// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import TestSupport
import Testing

@Suite("GCM in the bridge")
struct GCMTests {
    static let nonce = [UInt8](repeating: 7, count: 12)

    @Test(
        "A key of any length but 16, 24 and 32 never reaches libcrypto, which would read past its end"
    )
    func keyLengths() {
        for count in 0...80 where ![16, 24, 32].contains(count) {
            let key = [UInt8](repeating: 1, count: count)
            #expect(
                failure { _ = try seal([1], key: key, nonce: Self.nonce) } == .invalidLength,
                "\(count)")
            #expect(
                failure {
                    _ = try open([UInt8](repeating: 0, count: 17), key: key, nonce: Self.nonce)
                }
                    == .invalidLength, "\(count)")
        }
    }

    @Test("A nonce of any length but 12 never reaches libcrypto", arguments: [16, 24, 32])
    func nonceLengths(keyByteCount: Int) {
        let key = [UInt8](repeating: 1, count: keyByteCount)
        for count in 0...40 where count != 12 {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(
                failure { _ = try seal([1], key: key, nonce: nonce) } == .invalidLength, "\(count)")
            #expect(
                failure { _ = try open([UInt8](repeating: 0, count: 17), key: key, nonce: nonce) }
                    == .invalidLength, "\(count)")
        }
    }

    @Test("Fewer bytes than a tag are not authentic", arguments: 0..<16)
    func shorterThanTag(count: Int) {
        let key = [UInt8](repeating: 1, count: 32)
        let sealed = [UInt8](repeating: 0, count: count)
        #expect(failure { _ = try open(sealed, key: key, nonce: Self.nonce) } == .authentication)
    }

    @Test(
        "The published figures of SP 800-38D's designers (test cases 1, 2, 4, 13, 14, 16)",
        arguments: [
            (
                "00000000000000000000000000000000", "000000000000000000000000", "", "",
                "58e2fccefa7e3061367f1d57a4e7455a"
            ),
            (
                "00000000000000000000000000000000", "000000000000000000000000",
                "00000000000000000000000000000000", "",
                "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
            ),
            (
                "0000000000000000000000000000000000000000000000000000000000000000",
                "000000000000000000000000", "", "",
                "530f8afbc74536b9a963b4f1c4cb738b"
            ),
            (
                "0000000000000000000000000000000000000000000000000000000000000000",
                "000000000000000000000000",
                "00000000000000000000000000000000", "",
                "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
            ),
            (
                "feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
                """
                d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525
                b16aedf5aa0de657ba637b39
                """, "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                """
                42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05
                1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47
                """
            ),
        ])
    func knownAnswers(key: String, nonce: String, plaintext: String, data: String, sealed: String)
        throws
    {
        let result = try seal(
            bytes(plaintext), key: bytes(key), nonce: bytes(nonce), data: bytes(data))
        #expect(hex(result) == hex(bytes(sealed)))
        #expect(
            try open(bytes(sealed), key: bytes(key), nonce: bytes(nonce), data: bytes(data))
                == bytes(plaintext))
    }

    @Test("Spans without a base address stand for no bytes", arguments: [16, 24, 32])
    func nullBases(keyByteCount: Int) throws {
        let key = [UInt8](repeating: 1, count: keyByteCount)
        let none = Span<UInt8>()
        let sealed = Array(
            try AEAD.gcm.seal(none, key: secret(key), nonce: Self.nonce.span, authenticating: none)
                .dropFirst(12))
        #expect(sealed.count == 16)
        let opened = try AEAD.gcm.open(
            sealed.span, key: secret(key), nonce: Self.nonce.span, authenticating: none)
        #expect(opened.isEmpty)
        #expect(
            failure {
                _ = try AEAD.gcm.seal(none, key: secret([]), nonce: none, authenticating: none)
            } == .invalidLength)
        #expect(
            failure {
                _ = try AEAD.gcm.open(
                    none, key: secret(key), nonce: Self.nonce.span, authenticating: none)
            } == .authentication)
    }
}
