// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

struct SessionClaims: Codable, Equatable {
    var iss: String
    var sub: String
    var aud: [String]
}

@Suite("A token of each algorithm")
struct FirstTokenTests {
    static let claims = SessionClaims(iss: "https://idp.example", sub: "u1", aud: ["api"])

    @Test(
        "A token of each algorithm verifies with a key from a set and from PEM",
        arguments: SignatureAlgorithm.allCases)
    func roundTrip(_ algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let token = try TokenSigner(key: key, clock: .still).sign(
            Self.claims, lifetime: .seconds(300))
        let set = try KeySet(jwks: KeySet([key.verificationKey]).jwksJSON())
        #expect(set.skipped.isEmpty)
        let policy = try TokenPolicy(
            issuer: "https://idp.example", audience: ["api"], clock: .still)
        let verifier = TokenVerifier(keys: set, policy: policy)
        for _ in 0..<3 {
            let verified = try verifier.verify(token, as: SessionClaims.self)
            #expect(verified.claims == Self.claims)
            #expect(verified.header.algorithm == algorithm.name)
        }
        let pem = try VerificationKey(
            pem: key.verificationKey.jwk.publicPEM(), algorithm: algorithm)
        _ = try TokenVerifier(key: pem, policy: policy).verify(token)
        let exported = try key.exportPrivatePEM().withExposedBytes { bytes in
            var text = [UInt8]()
            for index in bytes.indices { text.append(bytes[index]) }
            return String(decoding: text, as: UTF8.self)
        }
        let again = try SigningKey(pem: exported, algorithm: algorithm)
        #expect(again.keyID == key.keyID)
    }

    @Test("A token of each HMAC algorithm verifies", arguments: HMACAlgorithm.allCases)
    func secretRoundTrip(_ algorithm: HMACAlgorithm) throws {
        let key = try HMACKey.generate(algorithm)
        let token = try TokenSigner(hmacKey: key, clock: .still).sign(
            Self.claims, lifetime: .seconds(300))
        let policy = try TokenPolicy(
            issuer: "https://idp.example", audience: ["api"], clock: .still)
        let verified = try TokenVerifier(hmacKey: key, policy: policy).verify(
            token, as: SessionClaims.self)
        #expect(verified.claims == Self.claims)
    }
}
