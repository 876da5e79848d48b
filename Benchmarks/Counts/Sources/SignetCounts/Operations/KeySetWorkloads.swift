// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Loading a set, and verifying with a set of few and of many keys.
enum KeySetWorkloads {
    static func all() -> [Workload] {
        [load()]
            + [
                ring(3, tokens: 1), ring(100_000, tokens: 1), ring(100, tokens: 64),
                ring(100_000, tokens: 64),
            ]
            + [3, publicKeyCount].map { publicSet($0) }
    }

    /// Making 100 000 public keys takes half a minute under valgrind.
    private static let publicKeyCount = 10_000

    private static func load() -> Workload {
        Workload("jwks.load.3rsa", 20) {
            let keys = try (0..<3).map {
                try TokenFixture.signingKey(.rs256, keyID: "key-\($0)").verificationKey
            }
            let json = try KeySet(keys).jwksJSON()
            return { try KeySet(jwks: json).keys.count == 3 }
        }
    }

    /// - Parameter tokens: with more than one, each of another key: no cache of headers holds them all.
    private static func ring(_ count: Int, tokens: Int) -> Workload {
        let kind = tokens == 1 ? "one" : "many"
        return Workload(
            "hs256.verify.session.registered.ring\(count).\(kind)", 256
        ) {
            let ring = try Rings.hmac(count: count, tokens: tokens)
            var turn = 0
            return {
                turn = turn + 1 < ring.tokens.count ? turn + 1 : 0
                return try ring.verifier.verify(ring.tokens[turn]).claims.expires
            }
        }
    }

    private static func publicSet(_ count: Int) -> Workload {
        Workload("eddsa.verify.session.registered.set\(count)", 5) {
            let set = try Rings.signatures(.edDSA, count: count, tokens: 1)
            let token = set.tokens[0]
            return { try set.verifier.verify(token).claims.expires }
        }
    }
}
