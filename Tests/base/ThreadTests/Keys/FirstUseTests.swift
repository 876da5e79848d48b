// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// What libcrypto needs of a key is made when a token first names it.
@Suite("The first use of a key by several threads")
struct FirstUseTests {
    @Test("Keys of one set are first used by eight threads at once")
    func firstUse() throws {
        let (rsa, p256) = (TestPublicPEM.rsa, TestPublicPEM.p256)
        let members = try (0..<64).map {
            try JWK(pem: $0.isMultiple(of: 2) ? rsa : p256, keyID: "key-\($0)").publicJSON()
        }
        let verifier = JWSVerifier(
            keys: try KeySet(jwks: #"{"keys":["# + members.joined(separator: ",") + "]}"))
        let tokens = try (0..<64).map {
            $0.isMultiple(of: 2)
                ? try Forge.token(TestKeys.header("RS256", keyID: "key-\($0)"), by: Forge.rs256())
                : try Forge.token(TestKeys.header("ES256", keyID: "key-\($0)"), by: Forge.es256())
        }
        let failures = failuresOnThreads(rounds: 64) { _, round in
            try verifier.verify(tokens[round]).keyID == "key-\(round)"
        }
        #expect(failures == 0)
    }

    @Test("A forged token that comes first does not harm the key")
    func forgedFirst() throws {
        let set = try KeySet(
            jwks: #"{"keys":[\#(JWK(pem: TestPublicPEM.rsa, keyID: "k1").publicJSON())]}"#)
        let verifier = JWSVerifier(keys: set)
        let forged = Forge.compact(
            TestKeys.header("RS256"), TestClaims.json, [UInt8](repeating: 1, count: 256))
        let good = try Forge.token(TestKeys.header("RS256"), by: Forge.rs256())
        for _ in 0..<3 {
            #expect(refusal { try verifier.verify(forged) }?.code == .signatureInvalid)
            #expect(throws: Never.self) { try verifier.verify(good) }
        }
    }
}
