// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Makes ID tokens.
struct Mint: Sendable {
    let keys: IssuerKeys
    let clock: TimeSource

    private static let lifetimes = 1...86_400

    func idToken(_ request: MintRequest, issuer: String, clientIDs: [String]) throws -> String {
        let now = Int64(exactly: clock.now().secondsSince1970.rounded(.down)) ?? 0
        let lifetime = request.lifetime ?? 3_600
        guard Self.lifetimes.contains(lifetime) else {
            throw ProviderError.invalidRequest(
                "lifetime is 1 to 86400 seconds; for an expired token set claims.exp.")
        }
        var claims: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string(request.audience ?? clientIDs.first ?? ""),
            "iat": .integer(now), "exp": .integer(now + Int64(lifetime)),
            "auth_time": .integer(now),
        ]
        claims["nonce"] = request.nonce.map(JSONValue.string)
        for (name, value) in Self.claims(of: request.person) { claims[name] = value }
        for (name, value) in request.claims ?? [:] { claims[name] = value == .null ? nil : value }
        let signer = TokenSigner(
            key: try key(request.key ?? .current), type: request.type ?? "JWT", clock: clock)
        return try signer.sign(claims, expiration: .optional)
    }

    private static func claims(of person: Person) -> [String: JSONValue] {
        let texts = [
            "sub": person.sub, "email": person.email, "name": person.name,
            "given_name": person.givenName,
            "picture": person.picture, "hd": person.hostedDomain,
        ]
        var claims = texts.compactMapValues { $0.map(JSONValue.string) }
        claims["email_verified"] = person.emailVerified.map(JSONValue.bool)
        return claims
    }

    private func key(_ wish: MintRequest.Key) throws -> SigningKey {
        switch wish {
        case .current: keys.current
        case .unpublished: try SigningKey.generate(.rs256)
        case .impostor: try SigningKey.generate(.rs256, keyID: keys.current.keyID)
        }
    }
}
