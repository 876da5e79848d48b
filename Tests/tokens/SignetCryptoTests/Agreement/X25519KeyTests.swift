// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import TestSupport
import Testing

@Suite("X25519 keys")
struct X25519KeyTests {
    @Test(
        "The keys of RFC 7748, section 6.1",
        arguments: [
            (
                "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
                "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"
            ),
            (
                "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
                "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"
            ),
        ])
    func knownAnswers(scalar: String, publicKey: String) throws {
        let pair = try X25519PrivateKey(privateScalar: key(bytes(scalar)))
        #expect(hex(pair.publicKey.rawRepresentation) == publicKey)
        #expect(
            pair.publicKey == (try X25519PublicKey(rawRepresentation: bytes(publicKey))))
        #expect(hex(exposed(try pair.exportPrivateScalar())) == scalar)
    }

    @Test("The bits that are fixed do not change the public key and come back as they were")
    func clamping() throws {
        let scalar = [UInt8](repeating: 0x55, count: 32)
        let pair = try X25519PrivateKey(privateScalar: key(scalar))
        var other = scalar
        other[0] ^= 0b111
        other[31] ^= 0b1100_0000
        let twin = try X25519PrivateKey(privateScalar: key(other))
        #expect(twin.publicKey == pair.publicKey)
        #expect(exposed(try twin.exportPrivateScalar()) == other)
        #expect(try X25519PrivateKey.generate().publicKey != pair.publicKey)
    }

    @Test(
        "Scalars and public keys of another length are refused",
        arguments: [0, 1, 31, 33, 56, 5000]
    )
    func lengths(count: Int) {
        let value = [UInt8](repeating: 1, count: count)
        #expect(code { _ = try X25519PrivateKey(privateScalar: key(value)) } == .invalidKey)
        #expect(code { _ = try X25519PublicKey(rawRepresentation: value) } == .invalidKey)
    }

    @Test("Printing shows nothing of the key")
    func printing() throws {
        let pair = try X25519PrivateKey(privateScalar: key(repeating: 0x41, 32))
        var dumped = ""
        dump(pair, to: &dumped)
        for text in ["\(pair)", String(reflecting: pair), dumped] {
            #expect(!text.contains("4141") && !text.contains("65, 65") && !text.contains("AAAA"))
            #expect(!text.contains("0x"), "\(text)")
        }
    }
}
