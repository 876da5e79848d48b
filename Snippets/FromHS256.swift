// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens

// The setting of the backend that is there. Its library used the text's bytes as the key.
let setting = String(repeating: "example-", count: 5)
let secret = SecretKey(copying: setting.utf8)

// Its tokens: HS256, without `kid` and `sid`. The key has no identifier either.
let earlier = try TokenVerifier(
    hmacKey: HMACKey(secret: secret, algorithm: .hs256),
    policy: TokenPolicy(
        issuer: "https://api.example", audience: ["mobile"], maximumAge: .seconds(30 * 86_400),
        requiredClaims: ["sub"]))

// The tokens from now on: another key, which each token names, another audience, and a session.
let sessions = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "session",
    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(30 * 86_400))

// The moment from which the earlier backend issued nothing.
let switched = NumericDate(secondsSince1970: 4_102_444_800)

/// Whose token it is: one of now, or one of the earlier backend, until its last has expired.
func subject(of token: BearerToken) throws(TokenError) -> String {
    guard try UnverifiedToken(token.exposedText).keyID == nil else {
        return try sessions.verify(token).subject
    }
    let claims = try earlier.verify(token.exposedText).registered
    guard let subject = claims.subject, let issuedAt = claims.issuedAt, issuedAt < switched else {
        throw TokenError(.claimInvalid, claim: "iat", "It was issued after the switch.")
    }
    return subject
}

// What a phone still holds, and what it gets in exchange at its next call.
let held = try TokenSigner(hmacKey: HMACKey(secret: secret, algorithm: .hs256)).sign(
    ["iss": "https://api.example", "aud": "mobile", "sub": "110169484474386276334"],
    lifetime: .seconds(30 * 86_400))
let person = try subject(of: BearerToken(authorization: ["Bearer \(held)"]))
let issued = try sessions.issue(subject: person)
print(try subject(of: BearerToken(authorization: ["Bearer \(issued.token)"])) == person)

// A new secret in place of the ring's key pair, for servers that share it. It names itself too.
let new = try SessionSecret.base64(
    "b25seSBhbiBleGFtcGxlOiBtYWtlIHlvdXIgb3duISE=", keyID: "2026-11")
print(try sessions.using(SessionKeyRing(new)).issue(subject: person).expiresIn)
