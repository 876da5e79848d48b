// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

// The receiver's key, and what it publishes of it.
let own = try DecryptionKey.generate(.ecdhESA256KW, keyID: "2026-11")
let published = try DecryptionKeySet(current: own).publicJSON()

// The sender signs, and encrypts what it signed.
let signing = try SigningKey.generate(.es256)
let claims = ["iss": "https://idp.example", "aud": "shop", "sub": "248289761001"]
let signed = try TokenSigner(key: signing).sign(claims, lifetime: .seconds(300))
let receiver = try EncryptionKey(jwk: JWK(published))
let compact = try JWEEncrypter(to: receiver, content: .a256GCM, contentType: "JWT")
    .encrypt(signed.utf8)

// The receiver decrypts. What comes out is not verified yet.
let opened = try JWEDecrypter(key: own).decrypt(compact)
print(opened.payload.elementsEqual(signed.utf8), opened.keyID ?? "no kid")

// After a change of the key: what was encrypted to the old one still opens.
let ownKeys = try DecryptionKeySet(
    current: DecryptionKey.generate(.ecdhESA256KW), previous: [own])
let decrypter = try JWEDecrypter(keys: [ownKeys.current] + ownKeys.previous)
print(try decrypter.decrypt(compact).keyID ?? "no kid")

/// The key of a published set that is for encrypting; nil if there is none.
func encryptionKey(in jwks: [UInt8]) throws -> EncryptionKey? {
    let keys = try JSONDocument(jwks).root.member("keys")
    let key = keys?.elements.first { $0.member("use")?.text?.isEqual(to: "enc") == true }
    return try key.map { try EncryptionKey(jwk: JWK($0.rawBytes)) }
}
print(try encryptionKey(in: Array(ownKeys.jwksJSON().utf8))?.algorithm.name ?? "none")

// Or all at once.
let keys = KeySet([signing.verificationKey])
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["shop"])
let verifier = EncryptedTokenVerifier(
    decryption: JWEDecrypter(key: own), inner: TokenVerifier(keys: keys, policy: policy))
let token = try verifier.verify(compact)
print(token.registered.subject ?? "nobody")
