// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

@Suite("Sets of keys that decrypt")
struct DecryptionKeySetTests {
    private static func key(_ curve: String = "P-256", keyID: String? = nil) throws -> DecryptionKey
    {
        try DecryptionKey(
            jwk: JWK(material: JWEFixture.jwk(curve).material, keyID: keyID),
            algorithm: .ecdhESA256KW)
    }

    @Test("The current key is published with use, alg and kid, and without its private half")
    func published() throws {
        for curve in ["P-256", "P-384", "P-521", "X25519", "RSA"] {
            let algorithm: KeyManagementAlgorithm = curve == "RSA" ? .rsaOAEP256 : .ecdhESA256KW
            let keys = try DecryptionKeySet(
                current: DecryptionKey(jwk: JWEFixture.jwk(curve), algorithm: algorithm))
            let read = try JWK(keys.publicJSON())
            #expect(read.use == "enc" && read.algorithm == algorithm.name && !read.isPrivate)
            #expect(read.keyOperations == nil)
            #expect(try read.keyID == JWEFixture.jwk(curve).thumbprint())
            #expect(read.keyID == keys.current.keyID)
            // A sender needs nothing else.
            let token = try JWEEncrypter(to: EncryptionKey(jwk: read), content: .a128GCM)
                .encrypt("hello".utf8)
            let opened = try JWEDecrypter(key: keys.current).decrypt(token)
            #expect(opened.payload == Array("hello".utf8) && opened.keyID == read.keyID)
        }
    }

    @Test("Earlier keys are not published, and others stand beside the current one")
    func document() throws {
        let keys = try DecryptionKeySet(
            current: Self.key("P-384", keyID: "new"), previous: [Self.key("P-256", keyID: "old")])
        #expect(try keys.jwksJSON() == "{\"keys\":[\(try keys.publicJSON())]}")
        #expect(try !keys.jwksJSON().contains("\"old\""))
        let signing = try SigningKey.generate(.es256, keyID: "s")
        let set = try KeySet(
            jwks: keys.jwksJSON(beside: KeySet([signing.verificationKey])))
        #expect(set.keys.map(\.keyID) == ["s"])
        #expect(set.skipped.map(\.keyID) == ["new"])
    }

    @Test("A shared secret is not published, and gets no name")
    func secrets() throws {
        let keys = try DecryptionKeySet(
            current: DecryptionKey(secret: JWEFixture.secret(32), algorithm: .direct))
        #expect(keys.current.keyID == nil)
        #expect(throws: KeyError(.wrongKeyClass, "")) { try keys.publicJSON() }
        #expect(throws: KeyError(.wrongKeyClass, "")) { try keys.jwksJSON() }
    }

    @Test("Two private keys that one header would choose are refused")
    func duplicates() throws {
        #expect(throws: KeyError(.duplicateKeyID, "")) {
            try DecryptionKeySet(
                current: Self.key("P-256", keyID: "a"), previous: [Self.key("P-384", keyID: "a")])
        }
        #expect(throws: KeyError(.duplicateKeyID, "")) {
            try DecryptionKeySet(current: Self.key(), previous: [Self.key()])
        }
        #expect(
            try DecryptionKeySet(current: Self.key(), previous: [Self.key("P-384")])
                .previous.count == 1)
    }

    @Test("Nothing secret is printed")
    func printing() throws {
        let keys = try DecryptionKeySet(
            current: DecryptionKey(
                secret: JWEFixture.secret(32), algorithm: .direct, keyID: "k"),
            previous: [Self.key(keyID: "old")])
        var dumped = "\(keys) \(String(reflecting: keys))"
        dump(keys, to: &dumped)
        #expect(dumped.contains("kid: k"))
        let jwk = JWK(material: .octets(JWEFixture.secret(32)), keyID: nil)
        for text in [
            Base64URL.encode(JWEFixture.secretBytes.prefix(32)), try jwk.thumbprint(),
        ] {
            #expect(!dumped.contains(text))
        }
    }
}
