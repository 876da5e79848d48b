// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE

// Verifies who has signed in, with keys that it already has. A server that fetches them also links a transport.
let key = try SigningKey.generate(.es256)
let claims = [
    "iss": "https://idp.example", "aud": "shop", "sub": "248289761001", "nonce": "n-0S6_WzA2Mj",
]
let idToken = try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))
let provider = try IdentityProvider.openID(
    issuer: "https://idp.example", clientIDs: ["shop"], algorithms: [.es256])
let verifier = try IDTokenVerifier(provider, keys: .inHand(KeySet([key.verificationKey])))
print(try await verifier.verify(idToken, nonce: .raw("n-0S6_WzA2Mj")).identityKey)
