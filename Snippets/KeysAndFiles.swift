// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

let configured = [UInt8](repeating: 0x5a, count: 32)
let pem = try SigningKey.generate(.ps256).verificationKey.jwk.publicPEM()
let jwks = #"{"keys":[{"kty":"AKP","kid":"pq-1","alg":"ML-DSA-44"}]}"#

// A PEM does not say how an RSA key is used: the caller does, and the key is bound to it.
let key = try VerificationKey(pem: pem, algorithm: .ps256, keyID: "2026-11")
print(try key.jwk.publicJSON())
print(try key.jwk.thumbprint())

// A set loads even if some of its keys cannot be used here. It says which, and why.
// snippet.KeySet
let keys = try KeySet(jwks: jwks)
for skipped in keys.skipped { print(skipped) }
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let verifier = TokenVerifier(keys: keys, policy: policy)
// snippet.end

// A secret from the configuration: 32 random bytes or more. `SigningKey(pem:)` reads a private key.
let secret = try HMACKey(secret: SecretKey(copying: configured), algorithm: .hs256)

// A key that is made here, and what to store of it: in a vault, as `SecretValue(kept)`.
let made = try SigningKey.generate(.es256)
let kept = try made.exportPrivateJSON()
let again = try SigningKey(jwk: JWK(kept))
print(secret, again.keyID == made.keyID)
