// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetFoundation
import SignetJOSE

struct Trial: Codable {
    var iss: String
    var aud: String
    /// Seconds since 1970 in the token. A `Date` here is refused: it would count from 2001.
    var ends: NumericDate
}

let key = try HMACKey.generate(.hs256)
let inTwoWeeks = Date(timeIntervalSinceNow: 14 * 86_400)
let trial = Trial(iss: "https://idp.example", aud: "api", ends: NumericDate(inTwoWeeks))
let compact = try TokenSigner(hmacKey: key).sign(trial, lifetime: .seconds(300))

let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let token = try TokenVerifier(hmacKey: key, policy: policy).verify(compact, as: Trial.self)
print(token.claims.ends.date > Date())
