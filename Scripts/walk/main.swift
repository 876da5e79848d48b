// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// One ES256 verification to typed claims, for Scripts/walk.sh. What comes before is not counted.

import SignetJOSE

@_silgen_name("__llvm_profile_reset_counters") func forgetCounts()

struct Claims: Codable {
    var iss: String
    var aud: String
    var sub: String
    var exp: NumericDate
    var email: String
}

let key = try SigningKey.generate(.es256, keyID: "k1")
let keys = try KeySet(jwks: KeySet([key.verificationKey]).jwksJSON())
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let verifier = TokenVerifier(keys: keys, policy: policy)
let compact = try TokenSigner(key: key).sign(
    Claims(
        iss: "https://idp.example", aud: "api", sub: "u1",
        exp: NumericDate(secondsSince1970: 4_000_000_000), email: "a@company.example"))
forgetCounts()
let token = try verifier.verify(compact, as: Claims.self)
guard token.claims.sub == "u1" else { fatalError("another subject") }
