// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Names of algorithms, and keys that are made once for all tests.
enum Keys {
    static let hmac = ["HS256", "HS384", "HS512"]
    static let rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
    static let other = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
    static let asymmetric = rsa + other
    static let all = hmac + asymmetric

    /// A JWK of each algorithm, as the command makes it.
    static func json(_ algorithm: String) throws -> String { try Desk.require(made.get()[algorithm]) }

    private static let made: Result<[String: String], any Error> = Result {
        let desk = try Desk()
        var keys: [String: String] = [:]
        for algorithm in all {
            keys[algorithm] = try desk.signet(["jwk", "generate", "--algorithm", algorithm]).line
        }
        return keys
    }
}

extension Desk {
    /// `key.json` with a key of the algorithm, and `jwks.json` with what is published of it.
    func makeKeys(_ algorithm: String = "ES256") throws {
        try write("key.json", Keys.json(algorithm))
        guard !Keys.hmac.contains(algorithm) else { return }
        try write("jwks.json", signet("jwk public --key key.json").output)
    }
}
