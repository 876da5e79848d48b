// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import TestSupport
import Testing

private typealias Texts = TestCertificatePEM

/// A certificate as a key: its public key, and nothing else of it.
@Suite("A certificate as a key")
struct CertificateKeyTests {
    private static func der(_ pem: String) throws -> [UInt8] {
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return [UInt8](try #require(Data(base64Encoded: base64)))
    }

    @Test("PEM and DER certificates give the subject's key, which only verifies")
    func subject() throws {
        let key = try SigningKey(pem: Texts.key, keyID: "k")
        let token = try JWSSigner(key: key).sign([1, 2, 3])
        for jwk in [
            try JWK(pem: Texts.leaf, keyID: "k"),
            try JWK(certificate: Self.der(Texts.leaf), keyID: "k"),
            try JWK(pem: Texts.key + "\n" + Texts.leaf, keyID: "k").publicKey(),
        ] {
            #expect(try jwk.thumbprint() == JWK(pem: Texts.key).thumbprint())
            #expect(!jwk.isPrivate && jwk.keyID == "k")
            let verifier = try JWSVerifier(key: VerificationKey(jwk: jwk))
            _ = try verifier.verify(token)
            #expect(keyRefusal { try SigningKey(jwk: jwk) }?.code == .privateKeyRequired)
        }
        #expect(try JWK(pem: Texts.ed25519).keyType == "OKP")
        #expect(try VerificationKey(pem: Texts.leaf).algorithm == .es256)
    }

    private static let parameters =
        "-----BEGIN DH PARAMETERS-----\nMAYCAQUCAQI=\n-----END DH PARAMETERS-----"
    private static let request =
        "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----"

    private static let unread = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"

    private static let files: [(String, [String], isPrivate: Bool, KeyError.Code?)] = [
        ("key, certificate", [Texts.key, Texts.leaf], true, nil),
        ("certificate, key", [Texts.leaf, Texts.key], true, nil),
        ("key and chain", [Texts.key, Texts.leaf, Texts.authority], true, nil),
        ("chain and key", [Texts.authority, Texts.leaf, Texts.key], true, nil),
        (
            "public key and certificate", [TestPublicPEM.p256, Texts.leaf], false,
            .invalidKeyMaterial
        ),
        ("key and another's certificate", [Texts.key, Texts.ed25519], true, .invalidKeyMaterial),
        (
            "RSA key and EC certificate", [TestPrivatePEM.rsa, Texts.leaf], true,
            .invalidKeyMaterial
        ),
        (
            "key and its issuer's certificate", [Texts.key, Texts.authority], true,
            .invalidKeyMaterial
        ),
        (
            "a certificate to agree on keys besides", [Texts.key, Texts.agreement, Texts.leaf],
            true, nil
        ),
        ("parameters beside the key", [Texts.key, parameters, Texts.leaf], true, nil),
        (
            "two files with byte-order marks", ["\u{feff}" + Texts.key, "\u{feff}" + Texts.leaf],
            true, nil
        ),
        (
            "a certificate of another key behind a byte-order mark",
            [Texts.key, "\u{feff}" + Texts.ed25519],
            true, .invalidKeyMaterial
        ),
        ("a key and a request", [Texts.key, request], true, .unsupportedKeyType),
        ("two keys", [Texts.key, Texts.leaf, Texts.key], true, .malformed),
        ("a chain alone", [Texts.leaf, Texts.authority], false, .malformed),
        ("a certificate twice", [Texts.leaf, Texts.leaf], false, .malformed),
        ("to sign certificates", [Texts.authority], false, .operationNotAllowed),
        ("to agree on keys", [Texts.agreement], false, .operationNotAllowed),
        ("key, to agree on keys", [Texts.key, Texts.agreement], true, .operationNotAllowed),
        ("key and a certificate that does not parse", [Texts.key, unread], true, .malformed),
        ("key, certificate, and one that is not read", [Texts.key, Texts.leaf, unread], true, nil),
        (
            "key, another's, and one that is not read", [Texts.key, Texts.ed25519, unread], true,
            .malformed
        ),
        ("a certificate, and one that is not read", [Texts.leaf, unread], false, .malformed),
        (
            "an encrypted key and a certificate", [TestRefusedPEM.encryptedPKCS8, Texts.leaf], true,
            .encryptedKey
        ),
    ]

    @Test(
        "With a key and certificates in one file, one certificate must match the key",
        arguments: files)
    func together(_ name: String, _ blocks: [String], isPrivate: Bool, _ code: KeyError.Code?)
        throws
    {
        let pem = blocks.joined(separator: "\n")
        #expect(keyRefusal { try JWK(pem: pem) }?.code == code, "\(name)")
        guard code == nil else { return }
        let key = try JWK(pem: pem)
        #expect(key.isPrivate == isPrivate)
        #expect(try key.thumbprint() == JWK(pem: Texts.key).thumbprint(), "\(name)")
    }

    @Test("A damaged certificate is refused, or gives the same key")
    func damaged() throws {
        let good = try Self.der(Texts.leaf)
        let thumbprint = try JWK(certificate: good).thumbprint()
        for count in 0..<good.count {
            #expect(keyRefusal { try JWK(certificate: good.prefix(count)) }?.code == .malformed)
        }
        #expect(keyRefusal { try JWK(certificate: good + [0]) }?.code == .malformed)
        #expect(
            keyRefusal { try JWK(certificate: [UInt8](repeating: 0x30, count: 70_000)) }?.code
                == .tooLarge)
        #expect(
            keyRefusal { try JWK(certificate: Self.der(TestPublicPEM.p256)) }?.code == .malformed)
        var read = 0
        for position in good.indices {
            var changed = good
            changed[position] ^= 1
            guard let key = try? JWK(certificate: changed) else { continue }
            read += 1
            // In the subject's key each change gives another key, or no point of the curve.
            #expect(try key.keyType == "EC" && !key.isPrivate && !key.thumbprint().isEmpty)
            #expect(try key.publicPEM().isEmpty == false)
        }
        #expect(read > 0)
        #expect(thumbprint.isEmpty == false)
    }
}
