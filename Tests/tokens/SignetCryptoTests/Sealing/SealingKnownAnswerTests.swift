// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Sealing: published values and other collections")
struct SealingKnownAnswerTests {
    @Test(
        "XAES-256-GCM gives both known answers of C2SP",
        arguments: [
            (1, "", "ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271"),
            (
                3, "c2sp.org/XAES-256-GCM",
                "986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d"
            ),
        ] as [(UInt8, String, String)])
    func xaes(byte: UInt8, data: String, expected: String) throws {
        let key = key(repeating: byte, 32)
        let nonce = Array("ABCDEFGHIJKLMNOPQRSTUVWX".utf8)
        let plaintext = Array("XAES-256-GCM".utf8)
        let sealed = try XAES256GCM.seal(
            plaintext, using: key, nonce: nonce, authenticating: Array(data.utf8))
        #expect(hex(sealed) == hex(nonce) + expected)
        #expect(try XAES256GCM.open(sealed, using: key, authenticating: data.utf8) == plaintext)
    }

    @Test(
        "AES-GCM gives its designers' test cases 4 (first blocks), 10 and 16",
        arguments: [
            (
                "feffe9928665731c6d6a8f9467308308",
                """
                42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05
                1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47
                """
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c",
                """
                3980ca0b3c00e841eb06fac4872a2757859e1ceaa6efd984628593b40ca1e19c7d773d00c144c525ac619d18c84a3f47
                18e2448b2fe324d9ccda27102519498e80f1478f37ba55bd6d27618c
                """
            ),
            (
                "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
                """
                522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838
                c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b
                """
            ),
        ])
    func gcm(keyText: String, expected: String) throws {
        let key = key(bytes(keyText))
        let nonce = bytes("cafebabefacedbaddecaf888")
        let plaintext = bytes(
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525
            b16aedf5aa0de657ba637b39
            """)
        let data = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let sealed = try AESGCM.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        #expect(hex(sealed) == hex(nonce) + hex(bytes(expected)))
        #expect(try AESGCM.open(sealed, using: key, authenticating: data) == plaintext)
    }

    @Test("Slices, lazy collections and text seal and open as arrays do")
    func collections() throws {
        let key = try SecretKey.generate()
        let text = "Straße"
        let sealed = try XAES256GCM.seal(
            text.utf8, using: key, authenticating: text.utf8.reversed())
        let padded: [UInt8] = [1, 2, 3] + sealed + [4]
        let slice = padded[3..<(padded.count - 1)]
        let reversed = Array(text.utf8.reversed())
        #expect(
            try XAES256GCM.open(slice, using: key, authenticating: reversed) == Array(text.utf8))
        #expect(
            try XAES256GCM.open(sealed.lazy.map { $0 }, using: key, authenticating: reversed)
                == Array(text.utf8))
        let empty = try AESGCM.seal(EmptyCollection<UInt8>(), using: key)
        #expect(
            try AESGCM.open(empty, using: key, authenticating: EmptyCollection<UInt8>()).isEmpty)
    }

    @Test("The constants are those of the algorithms")
    func constants() {
        #expect(AESGCM.nonceByteCount == 12)
        #expect(AESGCM.tagByteCount == 16)
        #expect(XAES256GCM.nonceByteCount == 24)
        #expect(XAES256GCM.keyByteCount == 32)
        #expect(XAES256GCM.tagByteCount == 16)
    }
}
