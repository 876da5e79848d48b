// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJOSE
import Synchronization
import Testing

/// One verifier and one signer, eight threads: run this under `swift test --sanitize=thread` as well.
@Suite struct ConcurrentVerification {
    /// Real threads, all let go at once: Swift's own pool has as many as the machine has cores.
    static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let start = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            let thread = Thread {
                start.wait()
                body(index)
                group.leave()
            }
            thread.start()
        }
        for _ in 0..<count { start.signal() }
        group.wait()
    }

    @Test(
        "Good and forged tokens side by side, with headers that come and go",
        arguments: [SignatureAlgorithm.rs256, .es256, .ed25519])
    func verify(_ algorithm: SignatureAlgorithm) throws {
        let verifier = try TestKeys.verifier(algorithm)
        let signer = try Forge.signer(algorithm)
        // More headers than are remembered, so that threads push each other's out.
        let good = try (0..<12).map { index in
            try Forge.token(#"{"alg":"\#(algorithm)","kid":"k1","n":\#(index)}"#, by: signer)
        }
        let forged = good.map { String($0.dropLast(8)) + "AAAAAAAA" }
        let wrong = Atomic<Int>(0)
        let right = Atomic<Int>(0)
        Self.onThreads(8) { thread in
            for round in 0..<60 {
                let index = (round * 7 + thread) % good.count
                let isGood = (try? verifier.verify(good[index]))?.registered.subject == "u1"
                let isForged = (try? verifier.verify(forged[index])) != nil
                if isGood && !isForged {
                    right.wrappingAdd(1, ordering: .relaxed)
                } else {
                    wrong.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(right.load(ordering: .relaxed) == 480)
    }

    @Test("Signing and verifying at once, all algorithms of a set, and a ring of secrets")
    func signAndVerify() throws {
        let algorithms = SignatureAlgorithm.allCases
        let signers = try algorithms.map { try JWSSigner(key: TestKeys.signing($0, keyID: $0.name)) }
        let set = KeySet(try algorithms.map { try TestKeys.verification($0, keyID: $0.name) })
        let verifier = JWSVerifier(keys: set)
        let secrets = try HMACAlgorithm.allCases.map { try TestKeys.hmac($0, keyID: $0.name) }
        let secretSigners = try secrets.map { try JWSSigner(hmacKey: $0) }
        let ring = try JWSVerifier(hmacKeys: HMACKeySet(secrets))
        let right = Atomic<Int>(0)
        Self.onThreads(8) { thread in
            for round in 0..<22 {
                let payload = Array("payload \(thread) \(round)".utf8)
                let signer = signers[(thread + round) % signers.count]
                let secretSigner = secretSigners[round % secretSigners.count]
                if (try? verifier.verify(signer.sign(payload)))?.payload == payload,
                    (try? ring.verify(secretSigner.sign(payload)))?.payload == payload
                {
                    right.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        #expect(right.load(ordering: .relaxed) == 176)
    }

    @Test("Keys made, published and dropped while others verify")
    func keysComeAndGo() throws {
        let json = try KeySet([TestKeys.verification(.es256)]).jwksJSON()
        let token = try Forge.token(TestKeys.header("ES256"), by: Forge.es256())
        let policy = try TestClaims.policy()
        let right = Atomic<Int>(0)
        Self.onThreads(8) { _ in
            for _ in 0..<20 {
                guard let set = try? KeySet(jwks: json) else { continue }
                let verifier = TokenVerifier(keys: set, policy: policy)
                let copy = verifier
                if (try? copy.verify(token)) != nil, (try? verifier.verify(token)) != nil {
                    right.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        #expect(right.load(ordering: .relaxed) == 160)
    }
}
