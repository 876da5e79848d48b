// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Keys by what their bytes are, with any label of their class or with none.
@Suite("Keys in DER, with or without a label")
struct KeyDERTests {
    static let privateKeys = JWKRoundTrips.privatePEM
    static let publicKeys = [
        TestPublicPEM.rsa, TestPublicPEM.rsaPKCS1, TestPublicPEM.p256, TestPublicPEM.p256Compressed,
        TestPublicPEM.ed25519,
    ]

    @Test("DER of every kind of key gives what its PEM gives", arguments: privateKeys + publicKeys)
    func withoutLabel(_ pem: String) throws {
        let der = TestDER.contents(pem)
        let key = try JWK(der: der, keyID: "k")
        let wanted = try JWK(pem: pem, keyID: "k")
        #expect(key.keyID == "k" && key.isPrivate == wanted.isPrivate)
        #expect(try key.publicJSON() == wanted.publicJSON())
        if key.isPrivate {
            #expect(
                try key.exportPrivateJSON().exposedText()
                    == wanted.exportPrivateJSON().exposedText())
        }
        #expect(InputShape(of: der.span) == .der)
        for extra in [[0], [0x30, 0x00], der] as [[UInt8]] {
            #expect(keyRefusal { try JWK(der: der + extra) }?.code == .invalidKeyMaterial)
        }
        for count in 0..<der.count {
            #expect(keyRefusal { try JWK(der: der.prefix(count)) } != nil, "\(count) bytes")
        }
    }

    @Test("A key is read under every label of its class, and under none of the other")
    func labels() throws {
        let labels = [
            true: ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"],
            false: ["PUBLIC KEY", "RSA PUBLIC KEY"],
        ]
        for (pem, isPrivate) in Self.privateKeys.map({ ($0, true) })
            + Self.publicKeys.map({ ($0, false) })
        {
            let der = TestDER.contents(pem)
            let wanted = try JWK(pem: pem)
            for label in labels[isPrivate] ?? [] {
                let key = try JWK(pem: TestDER.pem(label, der))
                #expect(try key.thumbprint() == wanted.thumbprint(), "\(label)")
                #expect(key.isPrivate == isPrivate)
            }
            for label in labels[!isPrivate] ?? [] {
                let error = keyRefusal { try JWK(pem: TestDER.pem(label, der)) }
                #expect(error?.code == .invalidKeyMaterial, "\(label)")
                #expect(error?.message.contains("and holds a") == true)
            }
            #expect(keyRefusal { try JWK(pem: TestDER.pem("CERTIFICATE", der)) } != nil)
        }
    }

    @Test("What is no key in the clear is named")
    func otherThings() {
        let encrypted = TestDER.contents(TestRefusedPEM.encryptedPKCS8)
        let certificate = TestDER.contents(TestCertificatePEM.ed25519)
        // PFX (RFC 7292, section 4), up to its password.
        let store = TestDER.element(
            0x30,
            [2, 1, 3]
                + TestDER.element(
                    0x30, [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1, 0xa0, 0])
                + [0x30, 0])
        for label in ["PUBLIC KEY", "PRIVATE KEY", "RSA PRIVATE KEY", nil] {
            func refused(_ der: [UInt8]) -> KeyError? {
                guard let label else { return keyRefusal { try JWK(der: der) } }
                return keyRefusal { try JWK(pem: TestDER.pem(label, der)) }
            }
            #expect(refused(encrypted)?.code == .encryptedKey)
            #expect(refused(certificate)?.code == .invalidKeyMaterial)
            #expect(refused(certificate)?.message.contains("certificate") == true)
            #expect(refused(store)?.code == .unsupportedKeyType)
            #expect(refused(store)?.message.contains("openssl pkcs12") == true)
            #expect(
                refused([0x30, 3, 1, 1, 0])?.code
                    == (label == nil ? .malformed : .invalidKeyMaterial))
        }
        let explicit = keyRefusal { try JWK(pem: TestRefusedPEM.p256Explicit) }
        #expect(explicit?.code == .unsupportedKeyType)
        #expect(explicit?.message.contains("-ec_param_enc named_curve") == true)
        let ssh = keyRefusal { try JWK(pem: TestDER.pem("OPENSSH PRIVATE KEY", [1, 2, 3])) }
        #expect(ssh?.message.contains("ssh-keygen") == true)
        let other = keyRefusal { try JWK(pem: TestDER.pem("X509 CRL", [1, 2, 3])) }
        #expect(other?.message.contains("X509 CRL") == true)
    }

    @Test("A length that is not the shortest, or none, is no DER of a private key")
    func encodingRules() {
        let pem = TestPrivatePEM.ed25519
        let body = TestDER.body(TestDER.contents(pem))
        for header: [UInt8] in [
            [0x30, 0x81, UInt8(body.count)], [0x30, 0x82, 0, UInt8(body.count)], [0x30, 0x80],
            [0x30, 0x84, 0, 0, 0, UInt8(body.count)], [0x31, UInt8(body.count)],
            [0x30, 0xff], [0x30],
        ] {
            #expect(keyRefusal { try JWK(der: header + body) } != nil)
            #expect(
                keyRefusal { try JWK(pem: TestDER.pem("PRIVATE KEY", header + body)) }?.code
                    == .invalidKeyMaterial)
        }
    }

    @Test("More than 65,536 bytes are refused unread")
    func length() {
        let der = [UInt8](repeating: 0x30, count: 65_537)
        #expect(keyRefusal { try JWK(der: der) }?.code == .tooLarge)
        #expect(keyRefusal { try JWK(der: der.dropLast()) }?.code == .malformed)
        let long = String(repeating: "k", count: 1_025)
        #expect(keyRefusal { try JWK(der: [0x30, 0], keyID: long) }?.code == .tooLarge)
    }
}
