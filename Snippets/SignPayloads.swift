// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

// Any bytes, not only claims.
let key = try SigningKey.generate(.ed25519)
let compact = try JWSSigner(key: key, contentType: "text/plain").sign("a release".utf8)

let signed = try JWSVerifier(key: key.verificationKey).verify(compact)
print(signed.payload.elementsEqual("a release".utf8), signed.keyID ?? "no kid")

// A server that takes tokens of several issuers reads which one a token claims to be from, and
// nothing else: what it says is not verified yet.
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let verifiers = [
    "https://idp.example": TokenVerifier(key: key.verificationKey, policy: policy)
]
let token = try TokenSigner(key: key).sign(
    ["iss": "https://idp.example", "aud": "api"], lifetime: .seconds(60))
let hints = try UnverifiedToken(token)
if let verifier = verifiers.first(where: { $0.key.utf8.elementsEqual((hints.issuer ?? "").utf8) }) {
    print(try verifier.value.verify(token).registered.issuer ?? "")
}
