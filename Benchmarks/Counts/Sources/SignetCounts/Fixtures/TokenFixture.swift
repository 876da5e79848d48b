// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// One algorithm with its key: who signs, who verifies, and a token of each kind.
struct TokenFixture {
    let name: String
    let signer: TokenSigner
    let verifier: TokenVerifier
    let sessionVerifier: TokenVerifier
    let token: String
    let session: String

    static func hmac() throws -> TokenFixture {
        let key = try hmacKey(Expected.keyID)
        return try TokenFixture(
            name: "hs256", signer: TokenSigner(hmacKey: key),
            verifier: TokenVerifier(hmacKey: key, policy: policy()),
            sessionVerifier: TokenVerifier(hmacKey: key, policy: sessionPolicy()))
    }

    static func signature(_ algorithm: SignatureAlgorithm) throws -> TokenFixture {
        let key = try signingKey(algorithm, keyID: Expected.keyID)
        // Through the published form, as a resource server gets it.
        let set = try KeySet(jwks: KeySet([key.verificationKey]).jwksJSON())
        return try TokenFixture(
            name: algorithm.name.lowercased(), signer: TokenSigner(key: key),
            verifier: TokenVerifier(keys: set, policy: policy()),
            sessionVerifier: TokenVerifier(keys: set, policy: sessionPolicy()))
    }

    private init(
        name: String, signer: TokenSigner, verifier: TokenVerifier, sessionVerifier: TokenVerifier
    ) throws {
        self.name = name
        self.signer = signer
        self.verifier = verifier
        self.sessionVerifier = sessionVerifier
        token = try signer.sign(IDTokenClaims())
        session = try signer.sign(SessionClaims())
        guard try verifier.verify(token, as: IDTokenClaims.self).claims == IDTokenClaims(),
            try sessionVerifier.verify(session, as: SessionClaims.self).claims == SessionClaims(),
            try MemberClaims.payloadByteCount(token) == 556, try MemberClaims.payloadByteCount(session) == 111
        else { throw CountsError.wrongAnswer(name) }
    }

    static func hmacKey(_ keyID: String) throws -> HMACKey {
        try HMACKey(secret: SecretKey(copying: PublishedKeys.hmac), algorithm: .hs256, keyID: keyID)
    }

    static func signingKey(_ algorithm: SignatureAlgorithm, keyID: String) throws -> SigningKey {
        let json: String
        switch algorithm {
        case .rs256: json = PublishedKeys.rsa
        case .es256: json = PublishedKeys.p256
        case .edDSA: json = PublishedKeys.ed25519
        default: throw CountsError.setup("no key for \(algorithm.name)")
        }
        return try SigningKey(jwk: JWK("{\"kid\":\"\(keyID)\"," + json.dropFirst()), algorithm: algorithm)
    }

    static func policy(clock: TokenClock = .system) throws -> TokenPolicy {
        try TokenPolicy(issuer: Expected.issuer, audience: [Expected.audience], clock: clock)
    }

    static func sessionPolicy(maximumTokenByteCount: Int = 16_384) throws -> TokenPolicy {
        try TokenPolicy(
            issuer: Expected.sessionIssuer, audience: [Expected.sessionAudience],
            maximumTokenByteCount: maximumTokenByteCount)
    }
}
