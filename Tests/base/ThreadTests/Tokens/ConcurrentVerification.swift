// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// One verifier and one signer, eight threads: run this under `swift test --sanitize=thread` as well.
@Suite("Signing and verifying on several threads")
struct ConcurrentVerification {
    @Test(
        "Good and forged tokens verify side by side, with more headers than are cached",
        arguments: [SignatureAlgorithm.rs256, .es256, .ed25519])
    func verify(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        let signer = try Forge.signer(algorithm)
        // More headers than are cached, and threads that bring the same one at once.
        let good = try (0..<20).map { index in
            try Forge.token(#"{"alg":"\#(algorithm)","kid":"k1","n":\#(index)}"#, by: signer)
        }
        let forged = good.map { String($0.dropLast(8)) + "AAAAAAAA" }
        let failures = failuresOnThreads(rounds: 60) { thread, round in
            let index = (round * 7 + thread) % good.count
            guard (try? verifier.verify(forged[index])) == nil else { return false }
            return try verifier.verify(good[index]).registered.subject == "u1"
        }
        #expect(failures == 0)
    }

    @Test("Signing and verifying run at once, with all algorithms and a ring of secrets")
    func signAndVerify() throws {
        let algorithms = SignatureAlgorithm.allCases
        let signers = try algorithms.map {
            try JWSSigner(key: TestKeys.signing($0, keyID: $0.name))
        }
        let set = KeySet(try algorithms.map { try TestKeys.verification($0, keyID: $0.name) })
        let verifier = JWSVerifier(keys: set)
        let secrets = try HMACAlgorithm.allCases.map { try TestKeys.hmac($0, keyID: $0.name) }
        let secretSigners = try secrets.map { try JWSSigner(hmacKey: $0) }
        let ring = try JWSVerifier(hmacKeys: HMACKeySet(secrets))
        let failures = failuresOnThreads(rounds: 22) { thread, round in
            let payload = Array("payload \(thread) \(round)".utf8)
            let signer = signers[(thread + round) % signers.count]
            let secretSigner = secretSigners[round % secretSigners.count]
            return try verifier.verify(signer.sign(payload)).payload == payload
                && ring.verify(secretSigner.sign(payload)).payload == payload
        }
        #expect(failures == 0)
    }

    @Test("Keys are made, published and dropped while others verify")
    func keysComeAndGo() throws {
        let json = try KeySet([TestKeys.verification(.es256)]).jwksJSON()
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        let policy = try TestClaims.policy()
        let failures = failuresOnThreads(rounds: 20) { _, _ in
            let verifier = TokenVerifier(keys: try KeySet(jwks: json), policy: policy)
            let copy = verifier
            return try copy.verify(token).keyID == "k1" && verifier.verify(token).keyID == "k1"
        }
        #expect(failures == 0)
    }
}
