// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// A verifier with many keys, and sessions signed with some of them.
struct Rings {
    let verifier: TokenVerifier
    /// Each of another key, spread over the whole set.
    let tokens: [String]

    static func hmac(count: Int, tokens: Int) throws -> Rings {
        let keys = try (0..<count).map { try TokenFixture.hmacKey("key-\($0)") }
        return try Rings(
            verifier: TokenVerifier(hmacKeys: HMACKeySet(keys), policy: TokenFixture.sessionPolicy()),
            tokens: positions(tokens, of: count).map {
                try TokenSigner(hmacKey: keys[$0]).sign(SessionClaims())
            })
    }

    /// The keys have the same numbers and different names: what grows is the set.
    static func signatures(_ algorithm: SignatureAlgorithm, count: Int, tokens: Int) throws -> Rings {
        let wanted = positions(tokens, of: count)
        let published = try TokenFixture.signingKey(algorithm, keyID: "name").verificationKey.jwk.publicJSON()
        let keys = try (0..<count).map {
            let json = published.replacing("\"name\"", with: "\"key-\($0)\"")
            return try VerificationKey(jwk: JWK(json), algorithm: algorithm)
        }
        return try Rings(
            verifier: TokenVerifier(keys: KeySet(keys), policy: TokenFixture.sessionPolicy()),
            tokens: wanted.map {
                try TokenSigner(key: TokenFixture.signingKey(algorithm, keyID: "key-\($0)")).sign(
                    SessionClaims())
            })
    }

    private static func positions(_ tokens: Int, of count: Int) -> [Int] {
        let tokens = min(tokens, count)
        return (1...max(tokens, 1)).map { $0 * count / max(tokens, 1) - 1 }
    }
}
