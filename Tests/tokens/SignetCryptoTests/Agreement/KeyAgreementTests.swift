// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import OpenSSLBridge
import SignetCrypto
import TestSupport
import Testing

@Suite("Key agreement")
struct KeyAgreementTests {
    private static let agreement = Result { () throws -> KeyAgreement in
        try KeyAgreement(
            algorithmID: "A128GCM".utf8, partyUInfo: "Alice".utf8, partyVInfo: "Bob".utf8)
    }

    private static let alice = "d3f3716913d4310a0026de741b3f18893afc8114f0c84682ba677e313a13988a"
    private static let bob = "5449836690d75caf29f0dd029ddb31b3ddb8aba9d2d515c5012465e817d4a9dc"
    private static let shared = "9e56d91d817135d372834283bf84269cfb316ea3da806a48f6daa7798cfe90c4"

    private func p256(_ scalar: String) throws -> ECPrivateKey {
        try ECPrivateKey(curve: .p256, privateScalar: key(bytes(scalar)))
    }

    @Test("The key of RFC 7518, appendix C, on both sides and from the printed secret")
    func knownAnswer() throws {
        let agreement = try Self.agreement.get()
        let (alice, bob) = (try p256(Self.alice), try p256(Self.bob))
        let expected = "56aa8deaf8236d205c2228cd71a7101a"
        let ours = try agreement.key(of: alice, with: bob.publicKey, byteCount: 16)
        let theirs = try agreement.key(of: bob, with: alice.publicKey, byteCount: 16)
        #expect(hex(exposed(ours)) == expected)
        #expect(ours == theirs)
        let derived = try agreement.key(sharedSecret: key(bytes(Self.shared)), byteCount: 16)
        #expect(hex(exposed(derived)) == expected)
        // OtherInfo as the appendix prints it.
        let otherInfo = bytes("000000074131323847434d00000005416c69636500000003426f6200000080")
        #expect(
            try KeyAgreement.key(
                sharedSecret: key(bytes(Self.shared)), otherInfo: otherInfo, byteCount: 16) == ours)
    }

    @Test(
        "The shared secrets of RFC 7748: both pairs of section 5.2 and the pair of 6.1",
        arguments: [
            (
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
            ),
            (
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"
            ),
            (
                "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
                "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
                "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
            ),
        ])
    func x25519(scalar: String, coordinate: String, shared: String) throws {
        let agreement = try Self.agreement.get()
        let own = try X25519PrivateKey(privateScalar: key(bytes(scalar)))
        let other = try X25519PublicKey(rawRepresentation: bytes(coordinate))
        #expect(
            try agreement.key(of: own, with: other)
                == agreement.key(sharedSecret: key(bytes(shared)), byteCount: 32))
    }

    @Test("Both sides get the same key on every curve", arguments: EllipticCurve.allCases)
    func bothSides(curve: EllipticCurve) throws {
        let agreement = try KeyAgreement(algorithmID: "A256GCM".utf8)
        let alice = try ECPrivateKey.generate(curve: curve)
        let bob = try ECPrivateKey.generate(curve: curve)
        let ours = try agreement.key(of: alice, with: bob.publicKey)
        #expect(ours.byteCount == 32)
        #expect(try agreement.key(of: bob, with: alice.publicKey) == ours)
        #expect(try agreement.key(of: alice, with: alice.publicKey) != ours)
    }

    @Test("Both sides get the same key with X25519")
    func bothSidesX25519() throws {
        let agreement = try KeyAgreement(algorithmID: "A256GCM".utf8)
        let (alice, bob) = (try X25519PrivateKey.generate(), try X25519PrivateKey.generate())
        let ours = try agreement.key(of: alice, with: bob.publicKey)
        #expect(try agreement.key(of: bob, with: alice.publicKey) == ours)
        #expect(try agreement.key(of: alice, with: alice.publicKey) != ours)
        // The highest bit of a coordinate is ignored (RFC 7748, section 5).
        var masked = bob.publicKey.rawRepresentation
        masked[31] |= 0x80
        #expect(
            try agreement.key(of: alice, with: X25519PublicKey(rawRepresentation: masked)) == ours)
    }

    @Test("Every part of OtherInfo, its border and the length change the key")
    func otherInfo() throws {
        let (alice, bob) = (try p256(Self.alice), try p256(Self.bob))
        func made(_ id: String, _ u: String, _ v: String, _ count: Int = 16) throws -> [UInt8] {
            let agreement = try KeyAgreement(
                algorithmID: id.utf8, partyUInfo: u.utf8, partyVInfo: v.utf8)
            return exposed(
                try agreement.key(of: alice, with: bob.publicKey, byteCount: count))
        }
        let keys = [
            try made("A128GCM", "Alice", "Bob"), try made("A128KW", "Alice", "Bob"),
            try made("A128GCM", "AliceB", "ob"), try made("A128GCMA", "lice", "Bob"),
            try made("A128GCM", "", "AliceBob"), try made("A128GCM", "", ""),
            try made("", "", ""), try made("A128GCM", "Bob", "Alice"),
            // The same hash would begin with the same bytes.
            Array(try made("A128GCM", "Alice", "Bob", 32).prefix(16)),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(try made("A128GCM", "Alice", "Bob") == keys[0])
    }

    @Test(
        "The KDF is SHA-256 of counter, secret and OtherInfo, block after block",
        arguments: [1, 16, 31, 32, 33, 64, 65, 1024])
    func blocks(byteCount: Int) throws {
        let secret = bytes(Self.shared)
        var expected: [UInt8] = []
        for counter in 1...UInt8(byteCount / 32 + 1) {
            let parties = bytes("000000074131323847434d00000005416c69636500000003426f62")
            let bits = [0, 0, UInt8(byteCount * 8 / 256), UInt8(byteCount * 8 % 256)]
            expected += try MessageDigest.digest(
                [0, 0, 0, counter] + secret + parties + bits, using: .sha256)
        }
        let made = try Self.agreement.get().key(sharedSecret: key(secret), byteCount: byteCount)
        #expect(exposed(made) == Array(expected.prefix(byteCount)))
    }

    @Test("Lengths and texts out of range are refused")
    func ranges() throws {
        let agreement = try Self.agreement.get()
        let (alice, bob) = (try p256(Self.alice), try p256(Self.bob))
        for count in [Int.min, -1, 0, 1025, Int.max] {
            #expect(
                code { _ = try agreement.key(of: alice, with: bob.publicKey, byteCount: count) }
                    == .invalidParameter, "\(count)")
        }
        let long = [UInt8](repeating: 1, count: 65_536)
        #expect(code { _ = try KeyAgreement(algorithmID: long) } == .invalidParameter)
        #expect(
            code { _ = try KeyAgreement(algorithmID: [], partyUInfo: long) } == .invalidParameter)
        #expect(
            code { _ = try KeyAgreement(algorithmID: [], partyVInfo: long) } == .invalidParameter)
        let longest = try KeyAgreement(algorithmID: [], partyVInfo: long.dropLast())
        #expect(try longest.key(of: alice, with: bob.publicKey).byteCount == 32)
    }

    @Test("Keys on two curves share no secret")
    func curves() throws {
        let agreement = try Self.agreement.get()
        for curve in EllipticCurve.allCases {
            for other in EllipticCurve.allCases where other != curve {
                let own = try ECPrivateKey.generate(curve: curve)
                let foreign = try ECPrivateKey.generate(curve: other).publicKey
                #expect(
                    code { _ = try agreement.key(of: own, with: foreign) } == .invalidKey)
            }
        }
    }

    @Test(
        "A point of small order, in any encoding, shares no secret",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(coordinate: String) throws {
        let agreement = try Self.agreement.get()
        let own = try X25519PrivateKey.generate()
        for highestBit: UInt8 in [0, 0x80] {
            var point = bytes(coordinate)
            point[31] |= highestBit
            let other = try X25519PublicKey(rawRepresentation: point)
            #expect(code { _ = try agreement.key(of: own, with: other) } == .invalidKey)
        }
    }
}
