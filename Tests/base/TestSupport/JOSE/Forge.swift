// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
package import SignetJOSE

/// Makes tokens that no honest signer makes: any header, payload and signature.
package enum Forge {
    package typealias Signer = @Sendable ([UInt8]) throws -> [UInt8]

    /// Three parts, each encoded as it should be.
    package static func compact(_ header: String, _ payload: String, _ signature: [UInt8]) -> String
    {
        [encoded(header), encoded(payload), Base64URL.encode(signature)].joined(separator: ".")
    }

    /// A token whose signature is good for whatever the header and the payload say.
    package static func token(
        _ header: String, _ payload: String = TestClaims.json, by signer: Signer
    ) throws -> String {
        try token(encodedHeader: encoded(header), encodedPayload: encoded(payload), by: signer)
    }

    /// The same from parts that are used literally: a signature does not make bad base64url good.
    package static func token(encodedHeader: String, encodedPayload: String, by signer: Signer)
        throws
        -> String
    {
        let input = encodedHeader + "." + encodedPayload
        return try input + "." + Base64URL.encode(signer(Array(input.utf8)))
    }

    package static func encoded(_ text: String) -> String { Base64URL.encode(text.utf8) }

    // MARK: - Primitives, with no policy in front of them

    package static func rsa(_ scheme: RSAScheme, _ hash: HashAlgorithm = .sha256) throws -> Signer {
        guard case .key(.rsaPrivate(let key)) = try JWK(pem: TestPrivatePEM.rsa).material else {
            throw Unexpected()
        }
        return { try key.signature(for: $0, scheme: scheme, hash: hash) }
    }

    package static func rs256() throws -> Signer { try rsa(.pkcs1v15) }

    package static func es256() throws -> Signer { try ec(.p256, .sha256) }

    package static func ec(_ curve: EllipticCurve, _ hash: HashAlgorithm) throws -> Signer {
        let key = try ecKey(curve)
        return { try key.signature(for: $0, hash: hash) }
    }

    package static func ecKey(_ curve: EllipticCurve) throws -> ECPrivateKey {
        let pem =
            switch curve {
            case .p256: TestPrivatePEM.p256
            case .p384: TestPrivatePEM.p384
            case .p521: TestPrivatePEM.p521
            }
        guard case .key(.ecPrivate(let key)) = try JWK(pem: pem).material else {
            throw Unexpected()
        }
        return key
    }

    package static func ed25519() throws -> Signer {
        guard case .key(.ed25519Private(let key)) = try JWK(pem: TestPrivatePEM.ed25519).material
        else {
            throw Unexpected()
        }
        return { try key.signature(for: $0) }
    }

    package static func hmac(_ secret: some Collection<UInt8>, _ hash: HashAlgorithm = .sha256)
        throws
        -> Signer
    {
        let key = try MACKey(SecretKey(copying: secret), hash: hash)
        return { try key.authenticationCode(for: $0) }
    }

    /// The primitive that `algorithm` names, with the test key of its kind.
    package static func signer(_ algorithm: SignatureAlgorithm) throws -> Signer {
        switch algorithm.family {
        case .rsa(let scheme, let hash): try rsa(scheme, hash)
        case .ec(let curve, let hash): try ec(curve, hash)
        case .ed25519: try ed25519()
        }
    }

    package struct Unexpected: Error {
        package init() {}
    }
}

/// Claims that ``TestClaims/policy(issuer:audience:type:expiration:leeway:maximumAge:requiredClaims:at:)`` accepts.
package enum TestClaims {
    package static let issuer = "https://idp.example"
    package static let audience = "api"
    package static let issuedAt = 1_700_000_000.0
    /// When the tests take place.
    package static let now = 1_700_000_100.0
    package static let expires = 1_700_000_300.0

    package static let json =
        #"{"iss":"https://idp.example","aud":"api","sub":"u1","iat":1700000000,"exp":1700000300}"#

    /// The claims with another member behind them.
    package static func json(adding member: String) -> String {
        json.dropLast() + "," + member + "}"
    }

    package static func policy(
        issuer: TokenPolicy.IssuerRule = "https://idp.example",
        audience: TokenPolicy.AudienceRule = ["api"],
        type: TokenPolicy.TypeRule = .jwt, expiration: TokenPolicy.ExpirationRule = .required,
        leeway: Duration = .seconds(30), maximumAge: Duration? = nil, requiredClaims: [String] = [],
        at now: Double = TestClaims.now
    ) throws -> TokenPolicy {
        try TokenPolicy(
            issuer: issuer, audience: audience, type: type, expiration: expiration, leeway: leeway,
            maximumAge: maximumAge, requiredClaims: requiredClaims,
            clock: .fixed(secondsSince1970: now))
    }
}
