// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

@Suite("Encrypted tokens, made and opened here")
struct JWERoundTrips {
    private static let offered = KeyManagementAlgorithm.allCases.filter { $0 != .rsaOAEP }

    @Test(
        "Every algorithm opens what it has encrypted, with every content encryption",
        arguments: offered, ContentEncryptionAlgorithm.allCases)
    func everyPair(
        algorithm: KeyManagementAlgorithm, content: ContentEncryptionAlgorithm
    ) throws {
        let isAgreement = algorithm.name.hasPrefix("ECDH")
        for curve in isAgreement ? ["P-256", "P-384", "P-521", "X25519"] : [""] {
            let jwk = try JWEFixture.jwk(for: algorithm, content: content, curve: curve)
            let compact = try JWEEncrypter(
                to: EncryptionKey(jwk: jwk, algorithm: algorithm), content: content,
                type: "t", contentType: "text/plain"
            ).encrypt("what is said".utf8)
            let key = try DecryptionKey(jwk: jwk, algorithm: algorithm, content: [content])
            let opened = try JWEDecrypter(key: key).decrypt(compact)
            #expect(opened.payload == Array("what is said".utf8))
            #expect(opened.header.algorithm == algorithm)
            #expect(opened.header.contentEncryption == content)
            #expect(opened.header.type == "t")
            #expect(opened.header.contentType == "text/plain")
            #expect(compact.split(separator: ".", omittingEmptySubsequences: false).count == 5)
        }
    }

    @Test("A changed character anywhere is refused", arguments: offered)
    func changedCharacters(algorithm: KeyManagementAlgorithm) throws {
        let content = ContentEncryptionAlgorithm.a128CBCHS256
        let jwk = try JWEFixture.jwk(for: algorithm, content: content)
        let compact = try JWEEncrypter(
            to: EncryptionKey(jwk: jwk, algorithm: algorithm), content: content
        ).encrypt("0123456789".utf8)
        let decrypter = try JWEDecrypter(
            key: DecryptionKey(jwk: jwk, algorithm: algorithm, content: [content]))
        let characters = Array(compact.utf8)
        for index in stride(from: 0, to: characters.count, by: Effort.isFull ? 1 : 7) {
            var changed = characters
            changed[index] =
                changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TokenError.self) { try decrypter.decrypt(changed) }
        }
    }

    @Test("The content's length is bounded at both ends")
    func lengths() throws {
        let key = try EncryptionKey(secret: JWEFixture.secret(32), algorithm: .direct)
        let encrypter = try JWEEncrypter(to: key, content: .a256GCM)
        let decrypter = JWEDecrypter(
            key: try DecryptionKey(secret: JWEFixture.secret(32), algorithm: .direct))
        #expect(try decrypter.decrypt(encrypter.encrypt([UInt8]())).payload.isEmpty)
        let long = [UInt8](repeating: 7, count: 196_000)
        #expect(try decrypter.decrypt(encrypter.encrypt(long)).payload == long)
        for count in [200_000, 300_000] {
            #expect(throws: TokenError(.tooLarge, "")) {
                try encrypter.encrypt([UInt8](repeating: 7, count: count))
            }
        }
        #expect(throws: TokenError(.tooLarge, "")) {
            try decrypter.decrypt([UInt8](repeating: UInt8(ascii: "A"), count: (1 << 18) + 1))
        }
    }

    @Test("An encrypted token is verified by what is inside of it, in one layer")
    func nested() throws {
        let signing = try SigningKey.generate(.es256, keyID: "s")
        let policy = try TokenPolicy(
            issuer: "https://issuer.example", audience: ["app"], clock: .still)
        let claims = ["iss": "https://issuer.example", "aud": "app", "sub": "alice"]
        let signed = try TokenSigner(key: signing, clock: .still).sign(
            claims, lifetime: .seconds(60))
        let encryption = try EncryptionKey(
            jwk: JWEFixture.jwk("P-256"), algorithm: .ecdhESA128KW)
        let decryption = JWEDecrypter(
            key: try DecryptionKey(jwk: JWEFixture.jwk("P-256"), algorithm: .ecdhESA128KW))
        let verifier = EncryptedTokenVerifier(
            decryption: decryption,
            inner: TokenVerifier(key: signing.verificationKey, policy: policy))
        for type in [nil, "JWT", "jwt", "application/JWT"] {
            let compact = try JWEEncrypter(to: encryption, content: .a256GCM, contentType: type)
                .encrypt(signed.utf8)
            #expect(try verifier.verify(compact).registered.subject == "alice")
        }
        // Not a token's type.
        let other = try JWEEncrypter(to: encryption, content: .a256GCM, contentType: "json")
        #expect(throws: TokenError(.typeMismatch, "")) {
            try verifier.verify(other.encrypt(signed.utf8))
        }
        // Claims alone, an unsigned token and a second layer: what anybody can encrypt.
        let encrypter = try JWEEncrypter(to: encryption, content: .a256GCM)
        let unsigned =
            Base64URL.encode(#"{"alg":"none"}"#.utf8) + "."
            + signed.split(separator: ".")[1] + "."
        for inner in [#"{"sub":"alice"}"#, unsigned, try encrypter.encrypt(signed.utf8)] {
            #expect(throws: TokenError.self) { try verifier.verify(encrypter.encrypt(inner.utf8)) }
        }
        // A signed token that is not encrypted.
        #expect(throws: TokenError(.malformed, "")) { try verifier.verify(signed) }
        // What the inner token says keeps its code.
        let foreign = EncryptedTokenVerifier(
            decryption: decryption,
            inner: TokenVerifier(
                key: try SigningKey.generate(.es256, keyID: "s").verificationKey, policy: policy))
        #expect(throws: TokenError(.signatureInvalid, "")) {
            try foreign.verify(encrypter.encrypt(signed.utf8))
        }
    }
}
