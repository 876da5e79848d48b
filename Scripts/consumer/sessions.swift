// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Someone else's server that issues and verifies its own session tokens, and no others. Scripts/consumer.sh builds and runs it.
import SignetJOSE
import SignetSessionTokens

let sessions = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "session",
    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(30 * 86_400))
let issued = try sessions.issue(subject: "user-1093")
let bearer = try BearerToken(authorization: ["Bearer \(issued.token)"])
print(try sessions.verify(bearer).subject)
