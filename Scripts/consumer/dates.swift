// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SignetFoundation
import SignetJOSE

// Carries a date in a token, with no part of Foundation but FoundationEssentials.
struct Trial: Codable {
    var ends: NumericDate
}

let key = try HMACKey.generate(.hs256)
let ends = Date(timeIntervalSince1970: 1_700_000_000)
let token = try TokenSigner(hmacKey: key).sign(
    Trial(ends: NumericDate(ends)), lifetime: .seconds(60))
let policy = try TokenPolicy(issuer: .notChecked, audience: .notChecked)
let read = try TokenVerifier(hmacKey: key, policy: policy).verify(token, as: Trial.self)
guard read.claims.ends.date == ends else { throw TokenError(.claimInvalid, "The date changed.") }
