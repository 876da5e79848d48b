// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

// The service that signs. A key knows its algorithm.
// snippet.TokenSigner
let key = try SigningKey.generate(.es256)
let claims = ["iss": "https://idp.example", "aud": "api", "sub": "user-1093"]
let compact = try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))
// snippet.end

// The service that verifies. It has the public half, and says what it expects.
let keys = KeySet([key.verificationKey])
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let token = try TokenVerifier(keys: keys, policy: policy).verify(compact)
print("signed in:", token.registered.subject ?? "nobody")
