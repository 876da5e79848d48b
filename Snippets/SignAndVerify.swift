// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

struct Session: Codable {
    var iss: String
    var aud: String
    var sub: String
    var role: String
}

// Once: a key pair. The private half goes to a file that only the service can read, the public
// half is published.
let key = try SigningKey.generate(.es256)
let jwks = try KeySet([key.verificationKey]).jwksJSON()

// The service that signs.
let signer = TokenSigner(key: key)
let session = Session(iss: "https://idp.example", aud: "api", sub: "user-1093", role: "admin")
let compact = try signer.sign(session, lifetime: .seconds(300))

// The service that verifies: make the verifier once, use it from any thread.
// snippet.TokenVerifier
let keys = try KeySet(jwks: jwks)
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let verifier = TokenVerifier(keys: keys, policy: policy)

let token = try verifier.verify(compact, as: Session.self)
// snippet.end
print(token.claims.sub, token.claims.role, token.keyID ?? "no kid")
