// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// CVE-2015-9235 and its many successors: the token says which algorithm, and the verifier believes
/// it.
@Suite("Algorithm confusion")
struct AlgorithmConfusion {
    static let names =
        SignatureAlgorithm.allCases.map(\.name) + HMACAlgorithm.allCases.map(\.name)

    @Test("The forge's honest tokens verify", arguments: SignatureAlgorithm.allCases)
    func control(_ algorithm: SignatureAlgorithm) throws {
        let token = try Forge.token(TestKeys.header(algorithm.name), by: Forge.signer(algorithm))
        let verified = try TestKeys.verifier(algorithm).verify(token)
        #expect(verified.claims.subject == "u1")
        #expect(verified.header.algorithm == algorithm.name)
        #expect(verified.keyID == "k1")
    }

    /// What an attacker may use as the secret: every form of a published key.
    static func publishedForms() throws -> [(String, [UInt8])] {
        let jwk = try JWK(pem: TestPublicPEM.rsa, keyID: "k1")
        let pem = TestPublicPEM.rsa
        let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
        guard case .key(.rsaPublic(let key)) = jwk.material else { throw Forge.Unexpected() }
        return [
            ("PEM", Array(pem.utf8)), ("PEM with a line end", Array((pem + "\n").utf8)),
            ("PEM body", Array(body.utf8)), ("DER", Base64Standard.decode(body.utf8.span) ?? []),
            ("PKCS#1 PEM", Array(TestPublicPEM.rsaPKCS1.utf8)),
            ("JWK", Array(try jwk.publicJSON().utf8)), ("modulus", key.modulus),
            ("kid", Array("k1".utf8)), ("thumbprint", Array(try jwk.thumbprint().utf8)),
        ]
    }

    @Test(
        "An RS256 public key is no HS256 secret", arguments: try publishedForms(),
        HMACAlgorithm.allCases)
    func publicKeyAsSecret(_ form: (name: String, bytes: [UInt8]), _ algorithm: HMACAlgorithm)
        throws
    {
        let forged = try Forge.token(
            TestKeys.header(algorithm.name), by: Forge.hmac(form.bytes, algorithm.hash))
        let unmarked = try KeySet(
            jwks: #"{"keys":[\#(JWK(pem: TestPublicPEM.rsa, keyID: "k1").publicJSON())]}"#)
        #expect(unmarked.keys.count == 1)
        for verifier in [
            try TestKeys.verifier(.rs256),
            TokenVerifier(keys: unmarked, policy: try TestClaims.policy()),
            TokenVerifier(key: try TestKeys.verification(.rs256), policy: try TestClaims.policy()),
        ] {
            #expect(
                refusal { try verifier.verify(forged) }?.code == .algorithmNotAllowed,
                "\(form.name)")
        }
    }

    @Test(
        "A header with any algorithm but the key's is refused",
        arguments: SignatureAlgorithm.allCases)
    func everyOtherName(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        let single = TokenVerifier(
            key: try TestKeys.verification(algorithm), policy: try TestClaims.policy())
        for name in Self.names where name != algorithm.name {
            // Signed by the right key in the right way: only the name lies.
            let token = try Forge.token(TestKeys.header(name), by: Forge.signer(algorithm))
            #expect(refusal { try verifier.verify(token) }?.code == .algorithmNotAllowed, "\(name)")
            #expect(refusal { try single.verify(token) }?.code == .algorithmNotAllowed, "\(name)")
        }
    }

    @Test(
        "The right key under another of its algorithms is refused",
        arguments: SignatureAlgorithm.allCases)
    func siblingAlgorithm(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        for other in SignatureAlgorithm.allCases where other.family != algorithm.family {
            let honest = try Forge.token(TestKeys.header(other.name), by: Forge.signer(other))
            #expect(
                refusal { try verifier.verify(honest) }?.code == .algorithmNotAllowed, "\(other)")
            let lying = try Forge.token(TestKeys.header(algorithm.name), by: Forge.signer(other))
            #expect(refusal { try verifier.verify(lying) }?.code == .signatureInvalid, "\(other)")
        }
    }

    @Test("An HMAC verifier takes no other algorithm", arguments: HMACAlgorithm.allCases)
    func secretWithOtherNames(_ algorithm: HMACAlgorithm) throws {
        let key = try TestKeys.hmac(algorithm)
        let ring = try TokenVerifier(hmacKeys: HMACKeySet([key]), policy: TestClaims.policy())
        let single = try TokenVerifier(hmacKey: key, policy: TestClaims.policy())
        let honest = try Forge.token(
            TestKeys.header(algorithm.name), by: Forge.hmac(TestKeys.secret, algorithm.hash))
        #expect(try ring.verify(honest).keyID == "k1")
        #expect(try single.verify(honest).keyID == "k1")
        for name in Self.names where name != algorithm.name {
            let token = try Forge.token(
                TestKeys.header(name), by: Forge.hmac(TestKeys.secret, algorithm.hash))
            #expect(refusal { try ring.verify(token) }?.code == .algorithmNotAllowed, "\(name)")
            #expect(refusal { try single.verify(token) }?.code == .algorithmNotAllowed, "\(name)")
        }
    }

    @Test(
        "A name that resembles a registered algorithm is refused",
        arguments: [
            "rs256", "Rs256", "RS256 ", " RS256", "RS256\\u0000", "RS256\\n", "ＲＳ256", "RS-256",
            "RS0256",
            "ES256K", "RS1", "HS1", "RSA-OAEP", "dir", "A256KW", "ML-DSA-44", "Ed448", "",
        ])
    func resemblingNames(_ name: String) throws {
        // Refused before any key is looked up: the error is not about the unknown kid.
        let header = TestKeys.header(name, keyID: "no-such-key")
        let token = try Forge.token(header, by: Forge.rs256())
        #expect(
            refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .algorithmNotAllowed)
    }

    @Test(
        "alg of another JSON type is refused",
        arguments: ["1", "null", "true", #"["RS256"]"#, #"{"RS256":1}"#])
    func algorithmType(_ value: String) throws {
        let token = try Forge.token(#"{"alg":\#(value),"kid":"k1"}"#, by: Forge.rs256())
        #expect(refusal { try TestKeys.verifier(.rs256).verify(token) }?.code == .malformed)
    }

    @Test(
        "A JWK with public or private numbers never becomes an HMAC key",
        arguments: SignatureAlgorithm.allCases)
    func jwkAsSecret(_ algorithm: SignatureAlgorithm) throws {
        let jwk = try JWK(pem: TestKeys.pem(algorithm))
        #expect(keyRefusal { try HMACKey(jwk: jwk, algorithm: .hs256) }?.code == .wrongKeyClass)
        #expect(
            keyRefusal { try HMACKey(jwk: jwk.publicKey(), algorithm: .hs256) }?.code
                == .wrongKeyClass)
    }

    @Test("A symmetric JWK never becomes a verification or signing key")
    func secretAsPublicKey() throws {
        let jwk = try JWK(#"{"kty":"oct","k":"\#(Base64URL.encode(TestKeys.secret))"}"#)
        for algorithm in SignatureAlgorithm.allCases {
            #expect(
                keyRefusal { try VerificationKey(jwk: jwk, algorithm: algorithm) }?.code
                    == .wrongKeyClass)
            #expect(
                keyRefusal { try SigningKey(jwk: jwk, algorithm: algorithm) }?.code
                    == .wrongKeyClass)
        }
        #expect(keyRefusal { try jwk.publicJSON() }?.code == .wrongKeyClass)
        #expect(keyRefusal { try jwk.publicPEM() }?.code == .wrongKeyClass)
        #expect(keyRefusal { try jwk.exportPrivatePEM().count }?.code == .wrongKeyClass)
    }
}
