// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

// The receiver's key, and what it publishes of it.
let own = try DecryptionKey.generate(.ecdhESA256KW, keyID: "2026-11")
let published = try DecryptionKeySet(current: own).publicJSON()
let jwks = try DecryptionKeySet(current: own).jwksJSON()

// The sender signs, and encrypts what it signed.
let signing = try SigningKey.generate(.es256)
let claims = ["iss": "https://idp.example", "aud": "shop", "sub": "248289761001"]
let signed = try TokenSigner(key: signing).sign(claims, lifetime: .seconds(300))
let receiver = try EncryptionKey(jwk: JWK(published))
let compact = try JWEEncrypter(to: receiver, content: .a256GCM, contentType: "JWT")
    .encrypt(signed.utf8)

// If the receiver publishes a set, as at a `jwks_uri`: fetch it over https.
let found = try EncryptionKey(jwks: jwks)
print(found.keyID ?? "no kid")

// The receiver decrypts. What comes out is not verified yet.
let opened = try JWEDecrypter(key: own).decrypt(compact)
print(opened.payload.elementsEqual(signed.utf8), opened.keyID ?? "no kid")

// After a change of the key: what was encrypted to the old one still opens.
let ownKeys = try DecryptionKeySet(
    current: DecryptionKey.generate(.ecdhESA256KW), previous: [own])
let decrypter = JWEDecrypter(keys: ownKeys)
print(try decrypter.decrypt(compact).keyID ?? "no kid")

// Or both at once: decrypted, then verified.
let keys = KeySet([signing.verificationKey])
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["shop"])
let verifier = EncryptedTokenVerifier(
    decryption: JWEDecrypter(key: own), inner: TokenVerifier(keys: keys, policy: policy))
let token = try verifier.verify(compact)
print(token.registered.subject ?? "nobody")
