// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("Content encryption of JWE")
struct ContentEncryptionTests {
    @Test(
        "The three examples of RFC 7518, appendix B",
        arguments: [
            (
                .a128CBCHS256,
                """
                c80edfa32ddf39d5ef00c0b468834279a2e46a1b8049f792f76bfe54b903a9c9a94ac9b4
                7ad2655c5f10f9aef71427e2fc6f9b3f399a221489f16362c703233609d45ac69864e332
                1cf82935ac4096c86e133314c54019e8ca7980dfa4b9cf1b384c486f3a54c51078158ee5
                d79de59fbd34d848b3d69550a67646344427ade54b8851ffb598f7f80074b9473c82e2db
                """,
                "652c3fa36b0a7c5b3219fab3a30bc1c4"
            ),
            (
                .a192CBCHS384,
                """
                ea65da6b59e61edb419be62d19712ae5d303eeb50052d0dfd6697f77224c8edb000d279b
                dc14c1072654bd30944230c657bed4ca0c9f4a8466f22b226d1746214bf8cfc2400add9f
                5126e479663fc90b3bed787a2f0ffcbf3904be2a641d5c2105bfe591bae23b1d7449e532
                eef60a9ac8bb6c6b01d35d49787bcd57ef484927f280adc91ac0c4e79c7b11efc60054e3
                """,
                "8490ac0e58949bfe51875d733f93ac2075168039ccc733d7"
            ),
            (
                .a256CBCHS512,
                """
                4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd822c301d
                d67c373bccb584ad3e9279c2e6d12a1374b77f077553df829410446b36ebd97066296ae6
                427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3a3b75e662a2594410ae496b2
                e2e6609e31e6e02cc837f053d21f37ff4f51950bbe2638d09dd7a4930930806d0703b1f6
                """,
                "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5"
            ),
        ] as [(ContentEncryption, String, String)])
    func knownAnswers(encryption: ContentEncryption, ciphertext: String, tag: String) throws {
        let key = key((0..<UInt8(encryption.keyByteCount)).map { $0 })
        let plaintext = Array(
            """
            A cipher system must not be required to be secret, and it must be able to fall into \
            the hands of the enemy without inconvenience
            """.utf8)
        let data = Array("The second principle of Auguste Kerckhoffs".utf8)
        let nonce = bytes("1af38c2dc2b96ffdd86694092341bc04")
        let sealed = try seal(encryption, plaintext, key, nonce: nonce, data)
        #expect(hex(sealed) == hex(nonce + bytes(ciphertext) + bytes(tag)))
        #expect(try open(encryption, sealed, key, data) == plaintext)
    }

    @Test("Each is as AESGCM where it is AES-GCM, and has the lengths of RFC 7518")
    func lengths() throws {
        #expect(ContentEncryption.allCases.map(\.keyByteCount) == [16, 24, 32, 32, 48, 64])
        #expect(ContentEncryption.allCases.map(\.nonceByteCount) == [12, 12, 12, 16, 16, 16])
        #expect(ContentEncryption.allCases.map(\.tagByteCount) == [16, 16, 16, 16, 24, 32])
        for encryption in [ContentEncryption.a128GCM, .a192GCM, .a256GCM] {
            let key = try SecretKey.generate(bitCount: encryption.keyByteCount * 8)
            let sealed = try seal(encryption, [1, 2, 3], key, [4])
            #expect(try AESGCM.open(sealed, using: key, authenticating: [4]) == [1, 2, 3])
            #expect(
                try AESGCM.seal(
                    [1, 2, 3], using: key, nonce: Array(sealed[..<12]), authenticating: [4])
                    == sealed)
        }
    }

    @Test(
        "Every length of plaintext comes back, each time under another nonce",
        arguments: ContentEncryption.allCases)
    func roundTrip(encryption: ContentEncryption) throws {
        let key = try SecretKey.generate(bitCount: encryption.keyByteCount * 8)
        for count in [0, 1, 15, 16, 17, 31, 32, 33, 1024, 100_000] {
            let plaintext = try SecureRandom.bytes(count: count)
            let sealed = try seal(encryption, plaintext, key, [1])
            #expect(try open(encryption, sealed, key, [1]) == plaintext, "\(count)")
            #expect(try seal(encryption, plaintext, key, [1]) != sealed)
        }
    }

    @Test(
        "Any changed bit, any other length, data or key gives the one error",
        arguments: ContentEncryption.allCases)
    func changes(encryption: ContentEncryption) throws {
        let key = try SecretKey.generate(bitCount: encryption.keyByteCount * 8)
        let data: [UInt8] = [1, 2, 3]
        let sealed = try seal(encryption, [UInt8](repeating: 5, count: 20), key, data)
        let nonce = Array(sealed.prefix(encryption.nonceByteCount))
        let tag = Array(sealed.suffix(encryption.tagByteCount))
        let ciphertext = Array(sealed.dropFirst(nonce.count).dropLast(tag.count))
        var texts: Set<String> = []
        func refused(
            _ ciphertext: [UInt8], tag: [UInt8], nonce: [UInt8], _ data: [UInt8], _ key: SecretKey
        ) {
            let found = error {
                _ = try encryption.open(
                    ciphertext.span, tag: tag.span, using: key, nonce: nonce.span,
                    authenticating: data.span)
            }
            #expect(found?.code == .authenticationFailure)
            texts.insert(found?.message ?? "none")
        }
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(
                code { _ = try open(encryption, changed, key, data) } == .authenticationFailure)
        }
        for count in 0..<tag.count {
            refused(ciphertext, tag: Array(tag.prefix(count)), nonce: nonce, data, key)
        }
        refused(ciphertext, tag: tag + [0], nonce: nonce, data, key)
        refused(ciphertext + tag.prefix(1), tag: Array(tag.dropFirst()), nonce: nonce, data, key)
        for count in 0..<ciphertext.count {
            refused(Array(ciphertext.prefix(count)), tag: tag, nonce: nonce, data, key)
        }
        for nonce in [[], Array(nonce.dropLast()), nonce + [0]] {
            refused(ciphertext, tag: tag, nonce: nonce, data, key)
        }
        refused(ciphertext, tag: tag, nonce: nonce, [], key)
        refused(ciphertext, tag: tag, nonce: nonce, data + [0], key)
        let other = try SecretKey.generate(bitCount: encryption.keyByteCount * 8)
        refused(ciphertext, tag: tag, nonce: nonce, data, other)
        #expect(texts.count == 1)
    }

    /// The length of the data is part of what is authenticated, so bytes do not move between data,
    /// nonce and ciphertext.
    @Test("Bytes that move across a border are refused")
    func borders() throws {
        let key = try SecretKey.generate()
        let sealed = try seal(.a128CBCHS256, [UInt8](repeating: 5, count: 40), key, [])
        let nonce = Array(sealed[..<16])
        let tag = Array(sealed.suffix(16))
        #expect(
            code {
                _ = try ContentEncryption.a128CBCHS256.open(
                    Array(sealed[32...].dropLast(16)).span, tag: tag.span, using: key,
                    nonce: Array(sealed[16..<32]).span, authenticating: nonce.span)
            } == .authenticationFailure)
    }

    @Test("A wrong padding under a right code is not a second error")
    func padding() throws {
        let key = try SecretKey.generate()
        let encryption = ContentEncryption.a128CBCHS256
        // Ciphertext and code are made by hand, as only an owner of the key can.
        let nonce = [UInt8](repeating: 9, count: 16)
        let ciphertext = [UInt8](repeating: 7, count: 32)
        let code = try MACKey(SecretKey(copying: exposed(key).prefix(16)), hash: .sha256)
            .authenticationCode(for: nonce + ciphertext + [UInt8](repeating: 0, count: 8))
        let sealed = nonce + ciphertext + code.prefix(16)
        let found = error { _ = try open(encryption, sealed, key, []) }
        #expect(found?.code == .authenticationFailure)
        let plain = error { _ = try open(encryption, sealed.dropLast() + [0], key, []) }
        #expect(found?.message == plain?.message)
    }

    @Test(
        "Keys and nonces of another length are refused", arguments: ContentEncryption.allCases)
    func wrongLengths(encryption: ContentEncryption) throws {
        for count in [0, 16, 24, 32, 48, 64, 65] where count != encryption.keyByteCount {
            let wrong = key(repeating: 1, count)
            #expect(code { _ = try seal(encryption, [1], wrong, []) } == .invalidKeySize)
            let sealed = [UInt8](repeating: 1, count: 96)
            #expect(code { _ = try open(encryption, sealed, wrong, []) } == .invalidKeySize)
        }
        let right = key(repeating: 1, encryption.keyByteCount)
        for count in [0, 11, 13, 15, 17] {
            let nonce = [UInt8](repeating: 1, count: count)
            #expect(
                code { _ = try seal(encryption, [1], right, nonce: nonce, []) }
                    == .invalidNonceSize)
        }
    }
}

private func seal(
    _ encryption: ContentEncryption, _ plaintext: [UInt8], _ key: SecretKey,
    nonce: [UInt8]? = nil, _ data: [UInt8]
) throws -> [UInt8] {
    try encryption.seal(
        plaintext.span, using: key, nonce: nonce, authenticating: data.span)
}

private func open(
    _ encryption: ContentEncryption, _ sealed: [UInt8], _ key: SecretKey, _ data: [UInt8]
) throws -> [UInt8] {
    let nonce = Array(sealed.prefix(encryption.nonceByteCount))
    let tag = Array(sealed.suffix(encryption.tagByteCount))
    let ciphertext = Array(sealed.dropFirst(nonce.count).dropLast(tag.count))
    return try encryption.open(
        ciphertext.span, tag: tag.span, using: key, nonce: nonce.span, authenticating: data.span)
}
