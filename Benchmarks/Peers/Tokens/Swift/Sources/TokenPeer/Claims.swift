// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a policy asks for is read from the payload that is signed.
protocol Claims: Codable {
    var iss: String { get }
    var aud: String { get }
}

/// The claims of an ID token as Google issues them: 13 members, 556 bytes of JSON.
struct IDTokenClaims: Claims {
    var iss: String
    var azp: String
    var aud: String
    var sub: String
    var hd: String
    var email: String
    var emailVerified: Bool
    var atHash: String
    var nonce: String
    var name: String
    var picture: String
    var iat: Int
    var exp: Int

    enum CodingKeys: String, CodingKey {
        case iss, azp, aud, sub, hd, email
        case emailVerified = "email_verified"
        case atHash = "at_hash"
        case nonce, name, picture, iat, exp
    }
}

/// A session of 5 members, 111 bytes of JSON.
struct SessionClaims: Claims {
    var sub: String
    var iat: Int
    var exp: Int
    var iss: String
    var aud: String
}
