// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// RFC 7468: five kinds of block, one key per text, nothing encrypted, nothing guessed.
@Suite("Keys in PEM")
struct PEMTests {
    static let readable =
        JWKRoundTrips.privatePEM + [
            TestPublicPEM.rsa, TestPublicPEM.rsaPKCS1, TestPublicPEM.p256, TestPublicPEM.ed25519,
        ]

    @Test("Line ends, white space and surrounding text do not matter", arguments: readable)
    func layout(_ pem: String) throws {
        let wanted = try JWK(pem: pem).thumbprint()
        let lines = pem.split(separator: "\n")
        for text in [
            pem + "\n", lines.joined(separator: "\r\n"), lines.joined(separator: "\r"),
            "\n\n" + pem + "\n\n",
            lines.map { " \t\($0) \t" }.joined(separator: "\n"),
            "subject=CN = a\nissuer=CN = b\n" + pem,
            pem + "\ntrailing words", lines.joined(separator: "\n\n"), "\u{feff}\n" + pem,
            "\u{feff}" + pem, lines.joined(separator: "\\n"),
            lines.joined(separator: "\\r\\n") + "\\n",
            "\u{feff}" + lines.joined(separator: "\\n"),
        ] {
            #expect(try JWK(pem: text).thumbprint() == wanted)
            #expect(try JWK(pem: Array(text.utf8)).thumbprint() == wanted)
        }
    }

    @Test("An error about an encrypted key says how to decrypt it")
    func encrypted() {
        for pem in [TestRefusedPEM.encryptedPKCS8, TestRefusedPEM.encryptedTraditional] {
            let error = keyRefusal { try JWK(pem: pem) }
            #expect(error?.code == .encryptedKey)
            #expect(error?.message.contains("openssl pkey") == true)
        }
    }

    static let unusable: [(String, String, KeyError.Code)] = [
        ("RSA of 1024 bits", TestRefusedPEM.rsa1024, .keyTooShort),
        ("its private half", TestRefusedPEM.rsa1024Private, .keyTooShort),
        ("e = 3", TestRefusedPEM.rsaExponent3, .invalidKeyMaterial),
        ("id-RSASSA-PSS", TestRefusedPEM.rsaPSSOnly, .unsupportedKeyType),
        ("explicit curve", TestRefusedPEM.p256Explicit, .unsupportedKeyType),
        ("secp256k1", TestRefusedPEM.secp256k1, .unsupportedKeyType),
        ("Ed448", TestRefusedPEM.ed448, .unsupportedKeyType),
        ("three primes", TestRefusedPEM.multiPrime, .invalidKeyMaterial),
    ]

    @Test("Keys that Signet must not use are refused", arguments: unusable)
    func refused(_ name: String, _ pem: String, _ code: KeyError.Code) {
        #expect(keyRefusal { try JWK(pem: pem) }?.code == code, "\(name)")
    }

    @Test("With two keys neither is taken")
    func twoKeys() throws {
        for (first, second) in [
            (TestPublicPEM.p256, TestPublicPEM.rsa), (TestPublicPEM.p256, TestPublicPEM.p256),
            (TestPrivatePEM.p256SEC1, TestPublicPEM.p256),
        ] {
            #expect(keyRefusal { try JWK(pem: first + "\n" + second) }?.code == .malformed)
        }
        let encrypted = TestPublicPEM.p256 + "\n" + TestRefusedPEM.encryptedPKCS8
        #expect(keyRefusal { try JWK(pem: encrypted) }?.code == .encryptedKey)
        let parameters = TestPrivatePEM.p256SEC1.split(separator: "\n").prefix(3).joined(
            separator: "\n")
        #expect(keyRefusal { try JWK(pem: parameters) }?.code == .malformed)
        let many = String(repeating: parameters + "\n", count: 600)
        #expect(try JWK(pem: many + TestPrivatePEM.p256SEC1).keyType == "EC")
    }

    /// Labels under which the same keys are read.
    private static func areAlike(_ a: String, _ b: String) -> Bool {
        let secret = ["PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"]
        let published = ["PUBLIC KEY", "RSA PUBLIC KEY"]
        return [secret, published].contains { $0.contains(a) && $0.contains(b) }
    }

    @Test("A malformed label, or one of another class, is refused")
    func labels() throws {
        let labels = [
            "PUBLIC KEY", "RSA PUBLIC KEY", "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY",
            "CERTIFICATE",
            "OPENSSH PRIVATE KEY",
            "public key", "PUBLIC  KEY", " PUBLIC KEY", "", "-", "PUBLIC KEY-----", "X509 CRL",
            String(repeating: "A", count: 64),
            String(repeating: "A", count: 65), "K\u{fc}",
        ]
        for pem in Self.readable where !pem.contains("EC PARAMETERS") {
            let own = String(pem.split(separator: "\n")[0].dropFirst(11).dropLast(5))
            for label in labels where !Self.areAlike(label, own) {
                let text = pem.split(separator: own, omittingEmptySubsequences: false).joined(
                    separator: label)
                #expect(keyRefusal { try JWK(pem: text) } != nil, "\(own) as \(label)")
            }
        }
    }

    @Test(
        "A file truncated anywhere, or missing a line, is refused",
        arguments: [TestPublicPEM.p256, TestPrivatePEM.ed25519, TestPrivatePEM.p256SEC1])
    func truncated(_ pem: String) {
        for count in 0..<pem.utf8.count {
            #expect(keyRefusal { try JWK(pem: pem.utf8.prefix(count)) } != nil, "\(count) bytes")
        }
        let lines = pem.split(separator: "\n")
        for index in lines.indices
        where !lines[index].contains("PARAMETERS") && lines[index] != "BggqhkjOPQMBBw==" {
            var rest = lines
            rest.remove(at: index)
            #expect(
                keyRefusal { try JWK(pem: rest.joined(separator: "\n")) } != nil, "line \(index)")
        }
    }

    @Test(
        "Random text is refused",
        arguments: [
            "", "-----BEGIN", "-----BEGIN PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\n====\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nAAA\u{e9}\n-----END PUBLIC KEY-----",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PRIVATE KEY-----",
            "-----END PUBLIC KEY-----",
            "-----BEGIN -----\nAAAA\n-----END -----",
            "----------", "-----BEGIN PUBLIC KEY-----AAAA-----END PUBLIC KEY-----", "\0", "{}",
            "MCowBQYDK2VwAyEA",
        ])
    func garbage(_ text: String) {
        #expect(keyRefusal { try JWK(pem: text) } != nil)
    }

    static func contents(_ lines: [Substring]) -> [UInt8] {
        Base64Standard.decode(Array(lines.dropFirst().dropLast().joined().utf8).span) ?? []
    }

    @Test("Bytes after the key inside the block are refused")
    func trailingDER() throws {
        for pem in Self.readable where !pem.contains("EC PARAMETERS") {
            let lines = pem.split(separator: "\n")
            let der = Self.contents(lines)
            for extra in [[0], [0x30, 0x00], der] as [[UInt8]] {
                let text =
                    "\(lines[0])\n\(Base64Standard.encode(der + extra))\n\(lines[lines.count - 1])"
                #expect(keyRefusal { try JWK(pem: text) }?.code == .invalidKeyMaterial)
            }
        }
    }

    @Test("A private scalar of another point is refused")
    func halves() throws {
        let lines = TestPrivatePEM.p256.split(separator: "\n")
        var der = Self.contents(lines)
        // The scalar begins at byte 36 of this structure.
        der[50] ^= 1
        let text = "\(lines[0])\n\(Base64Standard.encode(der))\n\(lines[lines.count - 1])"
        #expect(keyRefusal { try JWK(pem: text) }?.code == .invalidKeyMaterial)
    }
}
