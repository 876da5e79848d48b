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

    @Test("A sender takes the key for encryption from the document, and a receiver the whole set")
    func fromDocument() throws {
        let keys = try DecryptionKeySet(
            current: Self.key("P-384", keyID: "new"), previous: [Self.key("P-256", keyID: "old")])
        let signing = KeySet([try SigningKey.generate(.es256, keyID: "s").verificationKey])
        let found = try EncryptionKey(jwks: keys.jwksJSON(beside: signing))
        #expect(found.keyID == "new" && found.algorithm == .ecdhESA256KW)
        for key in [found, try keys.previous[0].encryptionKey()] {
            let token = try JWEEncrypter(to: key, content: .a256GCM).encrypt("hello".utf8)
            #expect(try JWEDecrypter(keys: keys).decrypt(token).keyID == key.keyID)
        }
    }

    @Test("Of several keys for encryption the first that can be used is taken, or the one named")
    func severalInDocument() throws {
        let names = [("RSA", KeyManagementAlgorithm.rsaOAEP256), ("X25519", .ecdhES)]
        let members = try names.map { name, algorithm in
            try DecryptionKeySet(
                current: DecryptionKey(jwk: JWEFixture.jwk(name), algorithm: algorithm)
            ).publicJSON()
        }
        // A kty of somebody else, a shared secret, SHA-1, no algorithm.
        let unusable = [
            #"{"kty":"AKP","use":"enc"}"#, #"{"kty":"oct","k":"AAAA","use":"enc"}"#,
            members[0].replacing("RSA-OAEP-256", with: "RSA-OAEP"),
            members[0].replacing(#""alg":"RSA-OAEP-256","#, with: ""),
        ]
        func set(_ members: [String]) -> String {
            "{\"keys\":[\(members.joined(separator: ","))]}"
        }
        let document = set(unusable + members)
        #expect(try EncryptionKey(jwks: document).algorithm == .rsaOAEP256)
        let named = try EncryptionKey(jwks: Array(document.utf8), algorithm: .ecdhES)
        #expect(try named.keyID == JWEFixture.jwk("X25519").thumbprint())
        let codes: [KeyError.Code] = [
            .unsupportedKeyType, .wrongKeyClass, .algorithmRequired, .algorithmRequired,
        ]
        for (member, code) in zip(unusable, codes) {
            let error = keyRefusal { try EncryptionKey(jwks: set([member])) }
            #expect(error?.code == code && error?.message.contains("(1) none can be used") == true)
        }
        let signing = try SigningKey.generate(.es256).verificationKey
        for text in [set([]), try KeySet([signing]).jwksJSON()] {
            let error = keyRefusal { try EncryptionKey(jwks: text) }
            #expect(error?.code == .operationNotAllowed)
        }
        #expect(keyRefusal { try EncryptionKey(jwks: members[0]) }?.code == .malformed)
    }

    @Test("Another key of the document must not have the current key's kid")
    func sharedName() throws {
        let keys = try DecryptionKeySet(
            current: Self.key("P-384", keyID: "a"), previous: [Self.key("P-256", keyID: "b")])
        let signing = try ["a", "b"].map { keyID in
            KeySet([try SigningKey.generate(.es256, keyID: keyID).verificationKey])
        }
        #expect(throws: KeyError(.duplicateKeyID, "")) { try keys.jwksJSON(beside: signing[0]) }
        // The earlier key is not in the document.
        #expect(try keys.jwksJSON(beside: signing[1]).contains("\"b\""))
    }

    @Test("A token without kid is tried with the first private key that fits, and with no other")
    func unnamedTokens() throws {
        let jwks = try (0..<2).map { _ in
            JWK(material: .key(.ecPrivate(try ECPrivateKey.generate(curve: .p256))), keyID: nil)
        }
        func key(_ index: Int, _ algorithm: KeyManagementAlgorithm) throws -> DecryptionKey {
            try DecryptionKey(
                jwk: JWK(material: jwks[index].material, keyID: "\(index)"), algorithm: algorithm)
        }
        let tokens = try jwks.map { jwk in
            try JWEEncrypter(to: EncryptionKey(jwk: jwk, algorithm: .ecdhES), content: .a256GCM)
                .encrypt("hello".utf8)
        }
        let keys = try DecryptionKeySet(
            current: key(0, .ecdhES), previous: [key(1, .ecdhES)]
        ).decrypter
        #expect(try keys.decrypt(tokens[0]).keyID == "0")
        #expect(throws: TokenError(.decryptionFailed, "")) { try keys.decrypt(tokens[1]) }
        // A key for another alg does not fit.
        let other = try DecryptionKeySet(
            current: key(0, .ecdhESA256KW), previous: [key(1, .ecdhES)]
        ).decrypter
        #expect(try other.decrypt(tokens[1]).keyID == "1")
    }

    @Test("The only key of a set answers to any kid if the set has named it")
    func ownName() throws {
        let token = try JWEEncrypter(
            to: EncryptionKey(
                jwk: JWK(material: JWEFixture.jwk("P-256").material, keyID: "of the provider"),
                algorithm: .ecdhESA256KW),
            content: .a256GCM
        ).encrypt("hello".utf8)
        let unnamed = try DecryptionKeySet(current: Self.key()).decrypter
        #expect(try unnamed.decrypt(token).payload == Array("hello".utf8))
        for keys in try [
            DecryptionKeySet(current: Self.key(keyID: "own")),
            DecryptionKeySet(current: Self.key(), previous: [Self.key("P-384")]),
        ] {
            #expect(throws: TokenError(.noMatchingKey, "")) { try keys.decrypter.decrypt(token) }
        }
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
