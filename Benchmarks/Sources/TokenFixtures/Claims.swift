// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a resource server asks of both kinds of payload.
package enum Expected {
    package static let issuer = "https://accounts.google.com"
    package static let audience =
        "407408718192-k9v2m4q7x1z8c5b3n6h0j2l4p8r1t5w9.apps.googleusercontent.com"
    package static let sessionIssuer = "https://api.example.com"
    package static let sessionAudience = "example-app"
    /// Identifier of 40 characters, as Google's are.
    package static let keyID = "f1e2d3c4b5a697887766554433221100aabbccdd"
    package static let expiration = 4_000_000_000
}

/// What a policy asks for is read from the payload.
package protocol FixtureClaims: Codable, Equatable, Sendable {
    var iss: String { get }
    var aud: String { get }
    var exp: Int { get }
}

/// The claims of an ID token as Google issues them: 13 members, 556 bytes of JSON.
package struct IDTokenClaims: FixtureClaims {
    package var iss = Expected.issuer
    package var azp = Expected.audience
    package var aud = Expected.audience
    package var sub = "10769150350006150715113082367"
    package var hd = "example.com"
    package var email = "jsmith@example.com"
    package var emailVerified = true
    package var atHash = "HK6E_P6Dh8Y93mRNtsDB1Q"
    package var nonce = "0394852-3190485-2490358-7f2c1a9e4b"
    package var name = "Jane Smith-Garcia"
    package var picture =
        "https://lh3.googleusercontent.com/a-/AOh14GgXY0123456789abcdefghijklmnopqrstuvwxyzABCDEFG=s96-c"
    package var iat = 1_700_000_000
    package var exp = Expected.expiration

    package enum CodingKeys: String, CodingKey {
        case iss, azp, aud, sub, hd, email
        case emailVerified = "email_verified"
        case atHash = "at_hash"
        case nonce, name, picture, iat, exp
    }

    package init() {}
}

/// A session of 5 members, 111 bytes of JSON.
package struct SessionClaims: FixtureClaims {
    package var sub = "user_01HZX3V9F2"
    package var iat = 1_700_000_000
    package var exp = Expected.expiration
    package var iss = Expected.sessionIssuer
    package var aud = Expected.sessionAudience

    package init() {}
}
