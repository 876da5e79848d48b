// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a resource server asks of both kinds of payload; the payloads are those of `make bench`, byte for byte.
enum Expected {
    static let issuer = "https://accounts.google.com"
    static let audience = "407408718192-k9v2m4q7x1z8c5b3n6h0j2l4p8r1t5w9.apps.googleusercontent.com"
    static let sessionIssuer = "https://api.example.com"
    static let sessionAudience = "example-app"
    /// Identifier of 40 characters, as Google's are.
    static let keyID = "f1e2d3c4b5a697887766554433221100aabbccdd"
    static let expiration = 4_000_000_000
}

/// What both payloads have: looked at in each answer, at next to no cost.
protocol ExpiringClaims: Codable, Equatable, Sendable {
    var exp: Int { get }
    init()
}

/// The claims of an ID token as Google issues them: 13 members, 556 bytes of JSON.
struct IDTokenClaims: ExpiringClaims {
    var iss = Expected.issuer
    var azp = Expected.audience
    var aud = Expected.audience
    var sub = "10769150350006150715113082367"
    var hd = "example.com"
    var email = "jsmith@example.com"
    var emailVerified = true
    var atHash = "HK6E_P6Dh8Y93mRNtsDB1Q"
    var nonce = "0394852-3190485-2490358-7f2c1a9e4b"
    var name = "Jane Smith-Garcia"
    var picture =
        "https://lh3.googleusercontent.com/a-/AOh14GgXY0123456789abcdefghijklmnopqrstuvwxyzABCDEFG=s96-c"
    var iat = 1_700_000_000
    var exp = Expected.expiration

    enum CodingKeys: String, CodingKey {
        case iss, azp, aud, sub, hd, email
        case emailVerified = "email_verified"
        case atHash = "at_hash"
        case nonce, name, picture, iat, exp
    }
}

/// A session of 5 members, 111 bytes of JSON.
struct SessionClaims: ExpiringClaims {
    var sub = "user_01HZX3V9F2"
    var iat = 1_700_000_000
    var exp = Expected.expiration
    var iss = Expected.sessionIssuer
    var aud = Expected.sessionAudience
}
