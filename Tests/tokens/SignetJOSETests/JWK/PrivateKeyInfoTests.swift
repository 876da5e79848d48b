// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// PKCS#8 (RFC 5208) and its successor with the public key (RFC 5958): what libcrypto reads, and
/// what it does not look at.
@Suite("PKCS#8 and its successor")
struct PrivateKeyInfoTests {
    static let withPublicKey = [
        TestPrivatePEM.ed25519, TestPrivatePEM.p256, TestPrivatePEM.p384, TestPrivatePEM.p521,
    ]

    private func code(_ der: [UInt8]) -> KeyError.Code? {
        let pem = TestDER.pem("PRIVATE KEY", der)
        let refused = keyRefusal { try JWK(pem: pem) }
        #expect(refused == keyRefusal { try JWK(der: der) })
        return refused?.code
    }

    @Test("PKCS#8 with its public key gives the same private key", arguments: withPublicKey)
    func publicKeyBeside(_ pem: String) throws {
        let octets = try TestDER.publicOctets(pem)
        let attributes: [UInt8] = [0xa0, 0x00]
        let wanted = try JWK(pem: pem).exportPrivateJSON().exposedText()
        var forms = [
            TestDER.element(0x81, [0] + octets),
            attributes + TestDER.element(0x81, [0] + octets),
            // As ring wrote it before 0.17.
            TestDER.element(0xa1, TestDER.element(3, [0] + octets)),
        ]
        if octets.count > 32 {
            let width = octets.count / 2
            let parity = 2 | octets[octets.count - 1] & 1
            forms.append(TestDER.element(0x81, [0, parity] + octets[1...width]))
        }
        for form in forms {
            let der = TestDER.pkcs8(pem, version: [1], form)
            #expect(try JWK(der: der).exportPrivateJSON().exposedText() == wanted)
            let armoured = TestDER.pem("PRIVATE KEY", der)
            #expect(try JWK(pem: armoured).exportPrivateJSON().exposedText() == wanted)
        }
    }

    @Test("Another public key than the private one's is refused", arguments: withPublicKey)
    func otherPublicKey(_ pem: String) throws {
        let octets = try TestDER.publicOctets(pem)
        var wrong = (0..<octets.count).map { index in
            var changed = octets
            changed[index] ^= 1
            return [0] + changed
        }
        // No whole octets, none at all, too few, too many.
        wrong += [[1] + octets, [0], [], [0] + octets.dropLast(), [0, 0] + octets]
        for bits in wrong {
            let der = TestDER.pkcs8(pem, version: [1], TestDER.element(0x81, bits))
            #expect(code(der) == .invalidKeyMaterial)
        }
        if octets.count > 32 {
            let width = octets.count / 2
            let parity = 3 - octets[octets.count - 1] & 1
            let compressed = TestDER.element(0x81, [0, parity] + octets[1...width])
            #expect(code(TestDER.pkcs8(pem, version: [1], compressed)) == .invalidKeyMaterial)
        }
    }

    @Test("A public key beside an RSA key is refused, and said to be")
    func rsa() throws {
        let der = TestDER.pkcs8(
            TestPrivatePEM.rsa, version: [1], TestDER.element(0x81, [0, 0x30, 0x00]))
        #expect(code(der) == .invalidKeyMaterial)
        #expect(keyRefusal { try JWK(der: der) }?.message.contains("not for RSA") == true)
    }

    @Test(
        "The version is 0 without a public key and 1 with one",
        arguments: withPublicKey + [TestPrivatePEM.rsa])
    func versions(_ pem: String) throws {
        #expect(code(TestDER.pkcs8(pem, version: [0])) == nil)
        for version: [UInt8] in [[1], [2], [3], [0x7f], [0xff], [0, 0], [0, 1], []] {
            #expect(code(TestDER.pkcs8(pem, version: version)) == .invalidKeyMaterial)
        }
        guard pem != TestPrivatePEM.rsa else { return }
        let publicKey = TestDER.element(0x81, [0] + (try TestDER.publicOctets(pem)))
        for version: [UInt8] in [[0], [2], [0, 1], []] {
            let der = TestDER.pkcs8(pem, version: version, publicKey)
            #expect(code(der) == .invalidKeyMaterial)
        }
        let twice = TestDER.pkcs8(pem, version: [1], publicKey + publicKey)
        #expect(code(twice) == .invalidKeyMaterial)
        let trailing = TestDER.pkcs8(pem, version: [1], publicKey) + [0]
        #expect(code(trailing) == .invalidKeyMaterial)
    }

    private static let ecPublicKey: [UInt8] = [6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1]
    private static let p256: [UInt8] = [6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]
    private static let p384: [UInt8] = [6, 5, 0x2b, 0x81, 4, 0, 0x22]

    private func pkcs8(_ curve: [UInt8], _ sec1: [UInt8]) -> [UInt8] {
        TestDER.element(
            0x30,
            [2, 1, 0] + TestDER.element(0x30, Self.ecPublicKey + curve) + TestDER.element(4, sec1))
    }

    @Test("Two curves in one key are refused, and the same one twice is not")
    func curves() throws {
        // It names P-256 itself.
        let sec1 = TestDER.contents(TestPrivatePEM.p256SEC1)
        #expect(
            try JWK(der: pkcs8(Self.p256, sec1)).thumbprint()
                == JWK(pem: TestPrivatePEM.p256SEC1).thumbprint())
        for other in [Self.p384, [5, 0], []] {
            #expect(code(pkcs8(other, sec1)) == .invalidKeyMaterial)
        }
        let error = keyRefusal { try JWK(der: pkcs8(Self.p384, sec1)) }
        #expect(error?.message.contains("the same curve") == true)
    }

    @Test("The versions inside are those of SEC1 and PKCS#1")
    func innerVersions() throws {
        let sec1 = TestDER.body(TestDER.contents(TestPrivatePEM.p256SEC1))
        let pkcs1 = TestDER.body(TestDER.contents(TestPrivatePEM.rsaPKCS1))
        for version: UInt8 in [0, 1, 2, 0x11, 0xff] {
            let ec = TestDER.element(0x30, [2, 1, version] + sec1.dropFirst(3))
            let rsa = TestDER.element(0x30, [2, 1, version] + pkcs1.dropFirst(3))
            #expect((code(pkcs8(Self.p256, ec)) == nil) == (version == 1))
            #expect((code(ec) == nil) == (version == 1))
            #expect((code(rsa) == nil) == (version == 0))
            let rsaEncryption: [UInt8] = [
                0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0,
            ]
            let info = TestDER.element(0x30, [2, 1, 0] + rsaEncryption + TestDER.element(4, rsa))
            #expect((code(info) == nil) == (version == 0))
        }
    }
}
