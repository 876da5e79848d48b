// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
package import SignetJOSE

/// One algorithm with its key: who signs, who verifies, and a token of each kind.
package struct TokenFixture {
    package enum Key {
        case hmac([UInt8])
        case signature(SigningKey)
    }

    package let name: String
    package let key: Key
    package let signer: TokenSigner
    package let verifier: TokenVerifier
    package let sessionVerifier: TokenVerifier
    package let token: String
    package let session: String

    package static func hmac() throws -> TokenFixture {
        let key = try hmacKey(Expected.keyID)
        return try TokenFixture(
            name: "HS256", key: .hmac(PublishedKeys.hmac), signer: TokenSigner(hmacKey: key),
            verifier: TokenVerifier(hmacKey: key, policy: policy()),
            sessionVerifier: TokenVerifier(hmacKey: key, policy: sessionPolicy()))
    }

    package static func signature(_ algorithm: SignatureAlgorithm) throws -> TokenFixture {
        let key = try signingKey(algorithm, keyID: Expected.keyID)
        // Through the published form, as a resource server gets it.
        let set = try KeySet(jwks: KeySet([key.verificationKey]).jwksJSON())
        return try TokenFixture(
            name: algorithm.name, key: .signature(key), signer: TokenSigner(key: key),
            verifier: TokenVerifier(keys: set, policy: policy()),
            sessionVerifier: TokenVerifier(keys: set, policy: sessionPolicy()))
    }

    private init(
        name: String, key: Key, signer: TokenSigner, verifier: TokenVerifier,
        sessionVerifier: TokenVerifier
    ) throws {
        self.name = name
        self.key = key
        self.signer = signer
        self.verifier = verifier
        self.sessionVerifier = sessionVerifier
        token = try signer.sign(IDTokenClaims())
        session = try signer.sign(SessionClaims())
        guard try verifier.verify(token, as: IDTokenClaims.self).claims == IDTokenClaims(),
            try sessionVerifier.verify(session, as: SessionClaims.self).claims == SessionClaims(),
            try SignedParts(token).payload.count == 556,
            try SignedParts(session).payload.count == 111
        else { throw FixtureError(name: name) }
    }

    package static func hmacKey(_ keyID: String) throws -> HMACKey {
        try HMACKey(secret: SecretKey(copying: PublishedKeys.hmac), algorithm: .hs256, keyID: keyID)
    }

    package static func signingKey(_ algorithm: SignatureAlgorithm, keyID: String) throws
        -> SigningKey
    {
        let json: String
        switch algorithm {
        case .rs256: json = PublishedKeys.rsa
        case .es256: json = PublishedKeys.p256
        case .edDSA: json = PublishedKeys.ed25519
        default: throw FixtureError(name: algorithm.name)
        }
        return try SigningKey(
            jwk: JWK("{\"kid\":\"\(keyID)\"," + json.dropFirst()), algorithm: algorithm)
    }

    package static func policy(clock: TimeSource = .system) throws -> TokenPolicy {
        try TokenPolicy(issuer: Expected.issuer, audience: [Expected.audience], clock: clock)
    }

    private static func sessionPolicy() throws -> TokenPolicy {
        try TokenPolicy(issuer: Expected.sessionIssuer, audience: [Expected.sessionAudience])
    }
}

/// The parts of a token as a raw primitive takes them.
package struct SignedParts {
    package let message: [UInt8]
    package let payload: [UInt8]
    package let signature: [UInt8]

    package init(_ token: String) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw FixtureError(name: "not a token") }
        message = Array("\(parts[0]).\(parts[1])".utf8)
        payload = try Base64URL.decode(parts[1])
        signature = try Base64URL.decode(parts[2])
    }
}

/// A fixture that is not what it should be: then no figure of the run is worth anything.
package struct FixtureError: Error {
    package let name: String

    package init(name: String) { self.name = name }
}
