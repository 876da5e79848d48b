// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import SignetSessionTokens

let ring = try SessionKeyRing(SigningKey.generate(.es256))
let sessions = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "session", keys: ring,
    lifetime: .seconds(30 * 86_400))
let issued = try sessions.issue(subject: "user-1093", claims: ["role": "admin"])
print("expires in", issued.expiresIn, "seconds")

// A request: the fields of "Authorization" as they came, all of them.
let fields = ["Bearer \(issued.token)"]
let bearer = try BearerToken(authorization: fields)
let session = try sessions.verify(bearer)
print(
    session.subject == "user-1093", try session.claims(as: [String: JSONValue].self)["role"] ?? "")

// A new key signs from now on. No one is logged out: the earlier one still verifies.
let rotated = try sessions.using(ring.rotated(to: SigningKey.generate(.es256)))
print(try rotated.verify(issued.token).subject == "user-1093")
