// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// Nothing derived from an unverified token is kept: forged tokens cannot change what a verifier does later.
@Suite("Forged tokens before good ones")
struct KeyPoisoning {
    @Test("A forged alg does not pin a key without alg (Microsoft's sets)")
    func algorithmIsNotPinned() throws {
        let jwk = try JWK(pem: TestPublicPEM.rsa, keyID: "k1").publicJSON()
        let verifier = TokenVerifier(
            keys: try KeySet(jwks: #"{"keys":[\#(jwk)]}"#), policy: try TestClaims.policy())
        let honest = try Forge.token(TestKeys.header("RS256"), by: Forge.rs256())
        for name in AlgorithmConfusion.names + ["none"] where name != "RS256" {
            let forged = try Forge.token(TestKeys.header(name), by: Forge.signer(.ps512))
            #expect(refusal { try verifier.verify(forged) }?.code == .algorithmNotAllowed)
            #expect(try verifier.verify(honest).header.algorithm == "RS256")
        }
    }

    @Test("Thousands of forged headers change nothing, before or after the good one")
    func forgedHeaders() throws {
        let verifier = try TestKeys.verifier(.es256)
        let honest = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        for index in 0..<3_000 {
            let header = #"{"alg":"ES256","kid":"k1","n":\#(index)}"#
            let forged = Forge.compact(header, TestClaims.json, [UInt8](repeating: 1, count: 64))
            #expect(refusal { try verifier.verify(forged) }?.code == .signatureInvalid)
            if index % 500 == 0 { _ = try verifier.verify(honest) }
        }
    }

    @Test("A header that verified once is no pass for later tokens")
    func knownHeader() throws {
        let verifier = try TestKeys.verifier(.es256)
        let header = TestKeys.header("ES256")
        let honest = try Forge.token(header, by: Forge.es256())
        for _ in 0..<3 {
            _ = try verifier.verify(honest)
            let parts = honest.split(separator: ".")
            let other = Forge.encoded(TestClaims.json(adding: #""admin":true"#))
            #expect(
                refusal { try verifier.verify("\(parts[0]).\(other).\(parts[2])") }?.code
                    == .signatureInvalid
            )
            #expect(
                refusal { try verifier.verify("\(parts[0]).\(parts[1]).") }?.code
                    == .signatureInvalid)
            #expect(
                refusal { try verifier.verify("\(parts[0]).\(parts[1]).\(parts[2])=") }?.code
                    == .malformed)
            #expect(
                refusal { try verifier.verify("\(parts[0]).\(parts[1]).\(parts[2]).") }?.code
                    == .malformed)
            let expired = try Forge.token(
                header, #"{"iss":"https://idp.example","aud":"api","exp":1}"#, by: Forge.es256())
            #expect(refusal { try verifier.verify(expired) }?.code == .expired)
        }
    }

    @Test("Two headers of one length, one with a forged crit, are not confused")
    func similarHeader() throws {
        let verifier = try TestKeys.verifier(.es256)
        let good = #"{"alg":"ES256","kid":"k1","crix":["x"]}"#
        let bad = #"{"alg":"ES256","kid":"k1","crit":["x"]}"#
        for _ in 0..<3 {
            _ = try verifier.verify(Forge.token(good, by: Forge.es256()))
            let token = try Forge.token(bad, by: Forge.es256())
            #expect(refusal { try verifier.verify(token) }?.code == .criticalUnsupported)
        }
    }

    @Test("More headers than the cache holds still verify")
    func manyHeaders() throws {
        let keys = try (0..<20).map { try TestKeys.verification(.es256, keyID: "k\($0)") }
        let verifier = TokenVerifier(keys: KeySet(keys), policy: try TestClaims.policy())
        for round in 0..<3 {
            for index in 0..<20 {
                let header = #"{"alg":"ES256","kid":"k\#(index)","x":"\#(round)\#(index)"}"#
                let token = try Forge.token(header, by: Forge.es256())
                for _ in 0..<2 { #expect(try verifier.verify(token).keyID == "k\(index)") }
            }
        }
    }

    @Test("One verifier does not use what another has cached")
    func separateVerifiers() throws {
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        _ = try TestKeys.verifier(.es256).verify(token)
        let other = try SigningKey.generate(.es256, keyID: "k1")
        let stranger = TokenVerifier(
            keys: KeySet([other.verificationKey]), policy: try TestClaims.policy())
        #expect(refusal { try stranger.verify(token) }?.code == .signatureInvalid)
    }

    @Test("A token that one verifier of a set accepts must still pass another's rules")
    func otherRules() throws {
        let keys = KeySet([try TestKeys.verification(.es256)])
        let policy = try TestClaims.policy()
        func verifier(_ algorithms: [SignatureAlgorithm], kid isRequired: Bool) -> TokenVerifier {
            TokenVerifier(
                keys: keys, algorithms: algorithms, requiresKeyID: isRequired, policy: policy)
        }
        let typed = try TokenVerifier(
            keys: keys,
            policy: TokenPolicy(
                issuer: TestClaims.issuer, audience: ["api"], type: .exactly("at+jwt"),
                clock: .fixed(secondsSince1970: TestClaims.now)))
        let named = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        let nameless = try Forge.token(#"{"alg":"ES256"}"#, by: Forge.es256())
        for _ in 0..<3 {
            #expect(try verifier([.es256], kid: false).verify(named).keyID == "k1")
            #expect(try verifier([.es256], kid: false).verify(nameless).header.keyID == nil)
            for strict in [verifier([.rs256], kid: false), verifier([], kid: true)] {
                #expect(refusal { try strict.verify(named) }?.code == .algorithmNotAllowed)
            }
            #expect(try verifier([.es256], kid: true).verify(named).keyID == "k1")
            #expect(
                refusal { try verifier([.es256], kid: true).verify(nameless) }?.code
                    == .noMatchingKey)
            #expect(refusal { try typed.verify(named) }?.code == .typeMismatch)
        }
    }
}
