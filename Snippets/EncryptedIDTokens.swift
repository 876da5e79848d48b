// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE

// A provider of our own, whose keys are in hand, so that nothing here needs a network.
let signing = try SigningKey.generate(.es256)
let provider = try IdentityProvider.openID(
    issuer: "https://idp.example", clientIDs: ["shop"], algorithms: [.es256])
let issued = KeySet([signing.verificationKey])

// A private key for this purpose alone, as a vault has it.
let json = try DecryptionKey.generate(.ecdhESA256KW).exportPrivateJSON()

// Once, when the server starts. The private key is the program's own, and for nothing else.
let key = try DecryptionKey(jwk: JWK(json))
let keys = try DecryptionKeySet(current: key)
let verifier = try IDTokenVerifier(
    provider, keys: .inHand(issued), decryption: .required(keys))
// The answer at the address that the provider knows as the client's `jwks_uri`.
let document = try keys.jwksJSON()

// What the provider does: it signs, then encrypts to the published key.
let claims = ["iss": "https://idp.example", "aud": "shop", "sub": "248289761001"]
let signed = try TokenSigner(key: signing).sign(claims, lifetime: .seconds(300))
let published = try EncryptionKey(jwk: JWK(keys.publicJSON()))
let idToken = try JWEEncrypter(to: published, content: .a256GCM, contentType: "JWT")
    .encrypt(signed.utf8)

print(document.utf8.count, try await verifier.verify(idToken).identityKey)
do {
    _ = try await verifier.verify(signed)
} catch {
    print(error.code == .notEncrypted, HTTPRefusal(error).status)
}
