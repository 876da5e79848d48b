// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import Synchronization

/// Names of algorithms, and keys that are made once for all tests.
enum Keys {
    static let hmac = ["HS256", "HS384", "HS512"]
    static let rsa = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"]
    static let other = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
    static let asymmetric = rsa + other
    static let all = hmac + asymmetric

    /// A JWK of the algorithm, as the command makes it.
    static func json(_ algorithm: String) throws -> String {
        try made.withLock { keys in
            if let key = keys[algorithm] { return key }
            let outcome = CommandFolder.inProcess(["jwk", "generate", "--algorithm", algorithm])
            let key = try CommandFolder.require(outcome.isGood ? outcome.line : nil)
            keys[algorithm] = key
            return key
        }
    }

    private static let made = Mutex<[String: String]>([:])
}

extension CommandFolder {
    /// `key.json` with a key of the algorithm, and `jwks.json` with what is published of it.
    func makeKeys(_ algorithm: String = "ES256") throws {
        try write("key.json", Keys.json(algorithm))
        guard !Keys.hmac.contains(algorithm) else { return }
        try write(
            "jwks.json",
            CommandFolder.inProcess(["jwk", "public", "--key", path("key.json")]).output)
    }

    /// `secret` with a shared secret, whose text is the key, and `key.json` with the same as a JWK.
    func makeSecret(_ text: String, _ algorithm: String) throws {
        try write("secret", text + "\n")
        try write(
            "key.json",
            #"{"kty":"oct","alg":"\#(algorithm)","k":"\#(Base64URL.encode(text.utf8))"}"#)
    }
}
