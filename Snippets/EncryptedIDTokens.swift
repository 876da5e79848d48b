// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn
import SignetVault

// A provider of our own, whose keys are in hand, so that nothing here needs a network.
let signing = try SigningKey.generate(.es256)
let provider = try IdentityProvider.openID(
    issuer: "https://idp.example", clientIDs: ["shop"], algorithms: [.es256])
let issued = KeySet([signing.verificationKey])

// The example uses a new folder each time.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: folder) }
let path = folder.appendingPathComponent("keys.vault").path
let vault = try FileVault.openOrCreate(
    at: path, with: PassphraseUnlock("correct horse battery staple"))
let clientSecret = "of the provider's console"

// A key for this purpose alone, by its name (`kid`): made when it is first asked for, then read.
func decryptionKey(_ name: String, in vault: FileVault) throws -> DecryptionKey {
    let item = ItemKey.key(service: "https://idp.example", name: name)
    let value = try vault.write { writer in
        if let kept = try writer.get(item) { return kept }
        let made = SecretValue(
            try DecryptionKey.generate(.ecdhESA256KW, keyID: name).exportPrivateJSON())
        try writer.set(made, for: item)
        return made
    }
    return try value.withExposedBytes { try DecryptionKey(jwk: JWK(SecretBytes(copying: $0))) }
}

// Once, when the server starts. The private key is the program's own, and for nothing else.
let key = try decryptionKey("2026-11", in: vault)
let keys = try DecryptionKeySet(current: key)
let verifier = try IDTokenVerifier(
    provider, keys: .inHand(issued), decryption: .required(keys))
// The answer at the address that the provider knows as the client's `jwks_uri`.
let document = try keys.jwksJSON()

// A server that signs people in: its ID tokens are encrypted, and logouts may be only signed.
let signIn = try SignIn(
    provider, authentication: .clientSecretPost(clientSecret),
    redirectURI: "https://app.example/callback", keeping: .store(MemorySignInStore()),
    transport: .curl, decryption: .required(keys))
let logouts = try BackChannelLogout(
    provider, keys: .fetched(over: .curl), replays: MemoryLogoutReplayStore(),
    decryption: .offered(keys))

// If the client is registered for encrypted userinfo answers: the form is named.
func name(of finished: SignIn.Finished) async throws(SignInError) -> String? {
    try await signIn.userInfo(of: finished, expecting: .encrypted).name
}

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

// To rotate: three restarts, each on all instances before the next.
let next = try decryptionKey("2027-05", in: vault)
// 1. The new key decrypts. The old one is still published.
let prepared = try DecryptionKeySet(current: key, previous: [next])
// 2. The new key is published. The old one still decrypts.
let changed = try DecryptionKeySet(current: next, previous: [key])
// 3. When no provider can have the old document any more, the old key goes.
let ended = try DecryptionKeySet(current: next)
print(prepared, changed, ended)
print(try decryptionKey("2026-11", in: vault).keyID == key.keyID)
