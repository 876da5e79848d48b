// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("One verifier shared by eight threads", .serialized)
struct SharedVerifierTests {
    @Test("Valid and forged tokens of twenty keys get the right answers")
    func shared() throws {
        let keys = try (0..<20).map {
            try SigningKey.generate($0 < 19 ? .edDSA : .es256, keyID: "key-\($0)")
        }
        let policy = try TokenPolicy(
            issuer: "https://idp.example", audience: ["api"], clock: .still)
        let verifier = TokenVerifier(keys: KeySet(keys.map(\.verificationKey)), policy: policy)
        let claims = SessionClaims(iss: "https://idp.example", sub: "u1", aud: ["api"])
        let tokens = try keys.map {
            try TokenSigner(key: $0, clock: .still).sign(claims, lifetime: .seconds(600))
        }
        let failures = failuresOnThreads(rounds: 200) { thread, round in
            let token = tokens[(thread + round) % tokens.count]
            let verified = try verifier.verify(token, as: SessionClaims.self)
            guard verified.claims == claims,
                verified.keyID == "key-\((thread + round) % tokens.count)"
            else {
                return false
            }
            // The header of one key over the payload and signature of another.
            let other = tokens[(thread + round + 1) % tokens.count]
            let header = token.prefix { $0 != "." }
            let forged = header + other.drop { $0 != "." }
            do {
                _ = try verifier.verify(String(forged))
                return false
            } catch let error as TokenError {
                return error.code == .signatureInvalid
            }
        }
        #expect(failures == 0)
    }
}
