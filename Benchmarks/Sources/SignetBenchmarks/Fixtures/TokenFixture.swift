// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CRawLibcrypto
import Crypto
import Foundation
import JWTKit
import SignetCrypto
import SignetJOSE

/// One algorithm with a new key, and everything that the contenders need to sign and verify with it.
struct TokenFixture {
    let name: String
    let signer: TokenSigner
    let verifier: TokenVerifier
    let sessionVerifier: TokenVerifier
    /// What jwt-kit signs and verifies with, under the same identifier.
    let signingKeys: JWTKeyCollection
    let verificationKeys: JWTKeyCollection
    /// An ID token and a session, both minted by Signet.
    let token: String
    let session: String
    let floor: Floor

    /// The same work without anything around it.
    enum Floor {
        case hmac([UInt8])
        case signature(privatePEM: String, publicPEM: String, raw_scheme)
    }

    static let keyIdentifier = JWKIdentifier(string: Expected.keyID)

    static func hmac() async throws -> TokenFixture {
        let secret = try SecureRandom.bytes(count: 32)
        let key = try SignetJOSE.HMACKey(
            secret: SecretKey(copying: secret), algorithm: .hs256, keyID: Expected.keyID)
        let keys = JWTKeyCollection()
        await keys.add(
            hmac: JWTKit.HMACKey(from: secret), digestAlgorithm: .sha256, kid: keyIdentifier)
        return try await TokenFixture(
            name: "HS256", signer: TokenSigner(hmacKey: key),
            verifier: TokenVerifier(hmacKey: key, policy: policy()),
            sessionVerifier: TokenVerifier(hmacKey: key, policy: sessionPolicy()),
            keys: (keys, keys), floor: .hmac(secret))
    }

    static func signature(_ algorithm: SignatureAlgorithm) async throws -> TokenFixture {
        let key = try SigningKey.generate(algorithm, keyID: Expected.keyID)
        let privatePEM = try key.exportPrivatePEM().withExposedBytes { text($0) }
        let publicPEM = try key.verificationKey.jwk.publicPEM()
        // Through the published form, as a resource server gets it.
        let set = try KeySet(jwks: KeySet([key.verificationKey]).jwksJSON())
        let signs = JWTKeyCollection()
        let verifies = JWTKeyCollection()
        let scheme: raw_scheme
        switch algorithm {
        case .rs256:
            scheme = raw_scheme_rs256
            await signs.add(
                rsa: try Insecure.RSA.PrivateKey(pem: privatePEM), digestAlgorithm: .sha256,
                kid: keyIdentifier)
            await verifies.add(
                rsa: try Insecure.RSA.PublicKey(pem: publicPEM), digestAlgorithm: .sha256, kid: keyIdentifier)
        case .ps256:
            scheme = raw_scheme_ps256
            await signs.add(
                pss: try Insecure.RSA.PrivateKey(pem: privatePEM), digestAlgorithm: .sha256,
                kid: keyIdentifier)
            await verifies.add(
                pss: try Insecure.RSA.PublicKey(pem: publicPEM), digestAlgorithm: .sha256, kid: keyIdentifier)
        case .es256:
            scheme = raw_scheme_es256
            await signs.add(ecdsa: try ES256PrivateKey(pem: privatePEM), kid: keyIdentifier)
            await verifies.add(ecdsa: try ES256PublicKey(pem: publicPEM), kid: keyIdentifier)
        case .edDSA:
            scheme = raw_scheme_ed25519
            await signs.add(eddsa: try EdDSA.PrivateKey(pem: privatePEM), kid: keyIdentifier)
            await verifies.add(eddsa: try EdDSA.PublicKey(pem: publicPEM), kid: keyIdentifier)
        default:
            throw BenchmarkError.setup("no fixture for \(algorithm.name)")
        }
        return try await TokenFixture(
            name: algorithm.name, signer: TokenSigner(key: key),
            verifier: TokenVerifier(keys: set, policy: policy()),
            sessionVerifier: TokenVerifier(keys: set, policy: sessionPolicy()), keys: (signs, verifies),
            floor: .signature(privatePEM: privatePEM, publicPEM: publicPEM, scheme))
    }

    private init(
        name: String, signer: TokenSigner, verifier: TokenVerifier, sessionVerifier: TokenVerifier,
        keys: (JWTKeyCollection, JWTKeyCollection), floor: Floor
    ) async throws {
        self.name = name
        self.signer = signer
        self.verifier = verifier
        self.sessionVerifier = sessionVerifier
        (signingKeys, verificationKeys) = keys
        token = try signer.sign(IDTokenClaims())
        session = try signer.sign(SessionClaims())
        self.floor = floor
        try await proveAgreement()
    }

    static func policy() throws -> TokenPolicy {
        try TokenPolicy(issuer: Expected.issuer, audience: [Expected.audience])
    }

    private static func sessionPolicy() throws -> TokenPolicy {
        try TokenPolicy(issuer: Expected.sessionIssuer, audience: [Expected.sessionAudience])
    }

    /// Both libraries verify both libraries' tokens to the same claims: nothing is measured that is not right.
    private func proveAgreement() async throws {
        let foreign = try await signingKeys.sign(IDTokenClaims(), kid: Self.keyIdentifier)
        for compact in [token, foreign] {
            let own = try verifier.verify(compact, as: IDTokenClaims.self).claims
            let peer = try await verificationKeys.verify(compact, as: IDTokenClaims.self)
            guard own == IDTokenClaims(), peer == own else { throw BenchmarkError.differentClaims(name) }
        }
        let session = try sessionVerifier.verify(session, as: SessionClaims.self).claims
        let peer = try await verificationKeys.verify(self.session, as: SessionClaims.self)
        guard session == SessionClaims(), peer == session else { throw BenchmarkError.differentClaims(name) }
        let size = try SignedParts(token).payload.count
        guard size == 556 else { throw BenchmarkError.setup("the payload has \(size) bytes") }
    }
}

/// The parts of a token as a raw primitive takes them.
struct SignedParts {
    let message: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]

    init(_ token: String) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw BenchmarkError.setup("not a token") }
        message = Array("\(parts[0]).\(parts[1])".utf8)
        payload = try Base64URL.decode(parts[1])
        signature = try Base64URL.decode(parts[2])
    }
}

func text(_ bytes: Span<UInt8>) -> String {
    var copy = [UInt8]()
    for index in bytes.indices { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
}
