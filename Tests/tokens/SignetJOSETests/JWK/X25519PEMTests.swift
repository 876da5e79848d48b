// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("Keys of X25519 in PEM and DER")
struct X25519PEMTests {
    /// The key of Bob (RFC 7748, section 6.1) in the structures of RFC 8410.
    static let privatePEM = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VuBCIEIF2rCH5iSopLeeF/i4OADuZvO7EpJhi2/Rwviyf/iODr
        -----END PRIVATE KEY-----

        """
    static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VuAyEA3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08=
        -----END PUBLIC KEY-----

        """
    static let numbers =
        #""kty":"OKP","crv":"X25519","x":"3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08""#

    @Test("Both halves are read, and written as they were")
    func bothHalves() throws {
        let secret = try JWK(
            "{\(Self.numbers),\"d\":\"XasIfmJKikt54X-Lg4AO5m87sSkmGLb9HC-LJ_-I4Os\"}")
        for read in [
            try JWK(pem: Self.privatePEM), try JWK(der: TestDER.contents(Self.privatePEM)),
        ] {
            let texts = try [read, secret].map { try $0.exportPrivateJSON().exposedText() }
            #expect(texts[0] == texts[1])
            #expect(try read.exportPrivatePEM().exposedText() == Self.privatePEM)
            #expect(try read.publicPEM() == Self.publicPEM)
        }
        let half = try JWK(pem: Self.publicPEM)
        #expect(try half.publicJSON() == "{\(Self.numbers)}" && !half.isPrivate)
        #expect(try half.publicPEM() == Self.publicPEM)
        #expect(
            keyRefusal { try half.exportPrivatePEM().exposedText() }?.code == .privateKeyRequired)
    }

    @Test("A public key beside the private key must be its own (RFC 5958)")
    func publicKeyBeside() throws {
        let der = try TestDER.withPublicKey(Self.privatePEM)
        #expect(try JWK(der: der).publicPEM() == Self.publicPEM)
        let changed = der.dropLast() + [der[der.count - 1] ^ 1]
        #expect(keyRefusal { try JWK(der: changed) }?.code == .invalidKeyMaterial)
    }

    @Test("A key of X25519 in PEM encrypts and decrypts, and neither signs nor verifies")
    func use() throws {
        let token = try JWEEncrypter(
            to: EncryptionKey(jwk: JWK(pem: Self.publicPEM), algorithm: .ecdhESA256KW),
            content: .a256GCM
        ).encrypt("hello".utf8)
        let key = try DecryptionKey(jwk: JWK(pem: Self.privatePEM), algorithm: .ecdhESA256KW)
        #expect(try JWEDecrypter(key: key).decrypt(token).payload == Array("hello".utf8))
        #expect(keyRefusal { try SigningKey(pem: Self.privatePEM) }?.code == .unsupportedKeyType)
        #expect(
            keyRefusal { try VerificationKey(pem: Self.publicPEM) }?.code == .unsupportedKeyType)
    }
}
