// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit

/// What a resource server asks of both kinds of payload.
enum Expected {
    static let issuer = "https://accounts.google.com"
    static let audience = "407408718192-k9v2m4q7x1z8c5b3n6h0j2l4p8r1t5w9.apps.googleusercontent.com"
    static let sessionIssuer = "https://api.example.com"
    static let sessionAudience = "example-app"
    /// Identifier of 40 characters, as Google's are.
    static let keyID = "f1e2d3c4b5a697887766554433221100aabbccdd"
}

/// The claims of an ID token as Google issues them: 13 members, 556 bytes of JSON. Both libraries decode this type.
struct IDTokenClaims: JWTPayload, Equatable {
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
    var exp = 4_000_000_000

    enum CodingKeys: String, CodingKey {
        case iss, azp, aud, sub, hd, email
        case emailVerified = "email_verified"
        case atHash = "at_hash"
        case nonce, name, picture, iat, exp
    }

    /// The checks that Signet's policy makes, for jwt-kit, which leaves them to the payload.
    func verify(using algorithm: some JWTAlgorithm) throws {
        try checkClaims(iss, aud, exp, issuer: Expected.issuer, audience: Expected.audience)
    }
}

/// A session of 5 members, 111 bytes of JSON.
struct SessionClaims: JWTPayload, Equatable {
    var sub = "user_01HZX3V9F2"
    var iat = 1_700_000_000
    var exp = 4_000_000_000
    var iss = Expected.sessionIssuer
    var aud = Expected.sessionAudience

    func verify(using algorithm: some JWTAlgorithm) throws {
        try checkClaims(iss, aud, exp, issuer: Expected.sessionIssuer, audience: Expected.sessionAudience)
    }
}

/// The registered claims of an ID token, for jwt-kit; in Signet that is the form of `verify` without a type.
struct RegisteredOnly: JWTPayload {
    var iss: String
    var sub: String
    var aud: String
    var iat: Int
    var exp: Int

    func verify(using algorithm: some JWTAlgorithm) throws {
        try checkClaims(iss, aud, exp, issuer: Expected.issuer, audience: Expected.audience)
    }
}

private func checkClaims(_ iss: String, _ aud: String, _ exp: Int, issuer: String, audience: String) throws {
    guard iss == issuer, aud == audience, Double(exp) > Date().timeIntervalSince1970 else {
        throw BenchmarkError.wrongAnswer(.jwtKit)
    }
}
