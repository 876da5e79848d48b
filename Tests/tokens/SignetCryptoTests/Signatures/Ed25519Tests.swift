// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import TestSupport
import Testing

@Suite("Ed25519")
struct Ed25519Tests {
    /// The order of the base point, 2^252 + 27742317777372353535851937790883648493, big-endian.
    static let order = bytes("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")

    @Test(
        "The keys and signatures of RFC 8032, section 7.1, tests 1 to 3",
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """
            ),
            (
                "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """
            ),
        ])
    func knownAnswers(seed: String, publicKey: String, message: String, signature: String) throws {
        let pair = try Ed25519PrivateKey(seed: key(bytes(seed)))
        #expect(hex(pair.publicKey.rawRepresentation) == publicKey)
        let made = try pair.signature(for: bytes(message))
        #expect(hex(made) == hex(bytes(signature)))
        #expect(try pair.publicKey.isValidSignature(made, for: bytes(message)))
        #expect(exposed(try pair.exportSeed()) == bytes(seed))
    }

    @Test("S + L, the same scalar modulo the order, is refused (RFC 8032, section 5.1.7)")
    func malleability() throws {
        let key = try Ed25519PrivateKey.generate()
        for number in 0..<50 {
            let message = Array("\(number)".utf8)
            let signature = try key.signature(for: message)
            var s = Array(signature[32...].reversed())
            // S + L, S + 2·L, … as far as they fit in 32 bytes: all the values that reduce to S.
            var tried = 0
            while let next = BigEndian.sum(s, Self.order, count: 32) {
                s = next
                tried += 1
                let twin = signature[..<32] + s.reversed()
                #expect(try !key.publicKey.isValidSignature(twin, for: message))
            }
            #expect(tried >= 14)
        }
        #expect(ErrorQueue.isEmpty)
    }

    @Test("Any changed bit, length, message or key is refused")
    func changes() throws {
        let key = try Ed25519PrivateKey.generate()
        let other = try Ed25519PrivateKey.generate()
        let message = Array("message".utf8)
        let signature = try key.signature(for: message)
        #expect(try key.publicKey.isValidSignature(signature, for: message))
        for bit in 0..<512 {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !key.publicKey.isValidSignature(changed, for: message), "bit \(bit)")
        }
        for count in 0..<64 {
            #expect(
                try !key.publicKey.isValidSignature(signature.prefix(count), for: message),
                "\(count)")
            #expect(
                try !key.publicKey.isValidSignature(signature.suffix(count), for: message),
                "\(count)")
        }
        #expect(try !key.publicKey.isValidSignature(signature + [0], for: message))
        #expect(try !key.publicKey.isValidSignature(signature, for: message + [0]))
        #expect(try !key.publicKey.isValidSignature(signature, for: []))
        #expect(try !other.publicKey.isValidSignature(signature, for: message))
        #expect(try !key.publicKey.isValidSignature([UInt8](repeating: 0, count: 64), for: message))
        #expect(key.publicKey != other.publicKey)
        #expect(try key.signature(for: message) == signature)
    }

    @Test(
        "Seeds and public keys of another length are refused", arguments: [0, 1, 31, 33, 64, 5000])
    func lengths(count: Int) {
        let value = [UInt8](repeating: 1, count: count)
        #expect(code { _ = try Ed25519PrivateKey(seed: key(value)) } == .invalidKey)
        #expect(code { _ = try Ed25519PublicKey(rawRepresentation: value) } == .invalidKey)
    }

    @Test("A handle without a seed is not a private key")
    func publicHandle() throws {
        let key = try Ed25519PrivateKey.generate()
        #expect(code { _ = try Ed25519PrivateKey(handle: key.publicKey.handle) } == .invalidKey)
        #expect(try Ed25519PrivateKey(handle: key.handle).publicKey == key.publicKey)
    }
}
