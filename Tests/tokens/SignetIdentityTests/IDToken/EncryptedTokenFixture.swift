// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// A provider that encrypts, and the key of the program that it encrypts to.
struct EncryptedTokenFixture: Sendable {
    let provider: ProviderFixture
    let jwk: JWK

    /// - Parameters:
    ///   - name: the host of the issuer.
    ///   - key: what the provider signs with.
    ///   - keyID: the `kid` of the program's key, and of the token.
    init(
        _ name: String = "idp.example", signingWith key: ProviderKey = .rsa, keyID: String? = "e1",
        jwk: JWK? = nil
    ) throws {
        let issuer = "https://\(name)"
        provider = try ProviderFixture(
            name: name, provider: .openID(issuer: issuer, clientIDs: ["client-1"]), key: key,
            claims: ProviderFixture.openID().claims.changing(["iss": "\"\(issuer)\""]))
        let fresh = JWKMaterial.key(.ecPrivate(try ECPrivateKey.generate(curve: .p256)))
        let material = jwk?.material ?? fresh
        self.jwk = JWK(material: material, keyID: keyID)
    }

    var key: DecryptionKey {
        get throws { try DecryptionKey(jwk: jwk, algorithm: .ecdhESA256KW) }
    }

    var keys: DecryptionKeySet { get throws { try DecryptionKeySet(current: key) } }

    /// A token that anybody can make who has the published key.
    func encrypt(_ text: String, contentType: String? = "JWT") throws -> String {
        try JWEEncrypter(
            to: EncryptionKey(jwk: jwk, algorithm: .ecdhESA256KW), content: .a256GCM,
            contentType: contentType
        ).encrypt(text.utf8)
    }

    /// A token as the provider makes it, with some claims changed.
    func token(_ edits: [String: String?] = [:]) throws -> String {
        try encrypt(provider.token(edits))
    }

    func verifier(_ decryption: IDTokenVerifier.Decryption) throws -> IDTokenVerifier {
        try IDTokenVerifier(
            provider.provider, keys: .inHand(provider.key.set), decryption: decryption,
            options: provider.options())
    }
}
