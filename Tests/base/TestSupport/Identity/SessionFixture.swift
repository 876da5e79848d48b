// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
package import SignetJOSE
import Testing

/// Keys, issuers and forged tokens of the session tests.
package enum SessionFixture {
    package static let now = 1_800_000_000.0
    package static let issuer = "https://app.example"
    package static let audience = "app.session"

    /// The algorithms that the library names for sessions.
    package enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
        case ed25519 = "Ed25519"

        package var testDescription: String { rawValue }
        package var signature: SignatureAlgorithm? { SignatureAlgorithm(name: rawValue) }
    }

    package static func secret(_ keyID: String = "k1") throws -> HMACKey {
        try HMACKey.generate(.hs256, keyID: keyID)
    }

    package static func pair(_ algorithm: SignatureAlgorithm = .es256, _ keyID: String = "k1")
        throws
        -> SigningKey
    {
        try SigningKey.generate(algorithm, keyID: keyID)
    }

    package static func ring(_ kind: Kind, _ keyID: String = "k1") throws -> SessionKeyRing {
        guard let algorithm = kind.signature else { return try SessionKeyRing(secret(keyID)) }
        return try SessionKeyRing(pair(algorithm, keyID))
    }

    /// The ring with a new key of its own class in front.
    package static func rotated(
        _ ring: SessionKeyRing, _ kind: Kind, _ keyID: String, until: Double? = nil
    ) throws -> SessionKeyRing {
        let until = until.map { NumericDate(secondsSince1970: $0) }
        guard let algorithm = kind.signature else {
            return try ring.rotated(to: secret(keyID), earlierUntil: until)
        }
        return try ring.rotated(to: pair(algorithm, keyID), earlierUntil: until)
    }

    package static func issuer(
        _ ring: SessionKeyRing, at seconds: Double = now,
        lifetime: Duration = .seconds(30 * 86_400),
        issuer: String = issuer, audience: String = audience, type: String = "JWT"
    ) throws -> SessionTokenIssuer {
        try SessionTokenIssuer(
            issuer: issuer, audience: audience, keys: ring, lifetime: lifetime, type: type,
            clock: .fixed(secondsSince1970: seconds))
    }

    /// The claims of a token as a JSON value, without verifying it.
    package static func payload(_ token: String) throws -> JSONValue {
        let part = try #require(token.split(separator: ".").dropFirst().first)
        return try JSONTokenDecoder().decode(JSONValue.self, from: Base64URL.decode(part))
    }

    /// All claims of a good token, to be altered.
    package static func claims() -> [String: JSONValue] {
        [
            "iss": .string(issuer), "aud": .string(audience), "sub": .string("user-1"),
            "sid": .string("session-1"), "jti": .string("token-1"), "iat": .integer(Int64(now)),
            "nbf": .integer(Int64(now)), "exp": .integer(Int64(now) + 3600),
        ]
    }
}

/// Why a configuration was refused; nil when it was not. Any other error fails the test.
package func configurationRefusal<Value: ~Copyable>(_ body: () throws -> Value)
    -> IdentityConfigurationError.Code?
{
    do {
        _ = try body()
        return nil
    } catch let error as IdentityConfigurationError {
        return error.code
    } catch {
        Issue.record("not an IdentityConfigurationError: \(error)")
        return nil
    }
}
