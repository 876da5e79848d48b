// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// What these tests ask of Signet, with keys as text, as other programs pass them.
enum Signet {
    /// What a verifier expects; the defaults are what ``Claims/current`` satisfies.
    struct Policy {
        var issuer = "https://issuer.example"
        var audience = "api"
        var secondsFromNow: Int64 = 0

        func make() throws -> TokenPolicy {
            try TokenPolicy(
                issuer: issuer, audience: [audience],
                clock: Claims.clock(secondsFromNow: secondsFromNow))
        }
    }

    /// Verifies with a key given as text. A JWK goes through a key set, as it does when it is published.
    static func verify(
        _ token: String, _ key: String, _ pairing: Pairing, keyID: String,
        _ policy: Policy = Policy()
    ) throws -> Claims {
        let policy = try policy.make()
        let verifier: TokenVerifier
        if let algorithm = SignatureAlgorithm(name: pairing.algorithm) {
            switch pairing.form {
            case .jwk:
                let keys = try KeySet(jwks: "{\"keys\":[\(key)]}", rsaAlgorithm: nil)
                if let skipped = keys.skipped.first { throw skipped.reason }
                verifier = TokenVerifier(keys: keys, policy: policy)
            case .pem:
                verifier = TokenVerifier(
                    key: try VerificationKey(pem: key, algorithm: algorithm, keyID: keyID),
                    policy: policy)
            }
        } else {
            verifier = try TokenVerifier(hmacKey: HMACKey(jwk: JWK(key)), policy: policy)
        }
        let verified = try verifier.verify(token, as: Claims.self)
        guard verified.keyID == keyID else {
            throw Command.Failure(
                description: "verified with the key \(verified.keyID ?? "without a name")")
        }
        return verified.claims
    }

    /// Signs with a private key, or a secret, given as text.
    static func sign(_ claims: Claims, _ key: String, _ pairing: Pairing, keyID: String) throws
        -> String
    {
        guard let algorithm = SignatureAlgorithm(name: pairing.algorithm) else {
            return try TokenSigner(hmacKey: HMACKey(jwk: JWK(key)), clock: Claims.clock()).sign(
                claims)
        }
        let signingKey =
            switch pairing.form {
            case .jwk: try SigningKey(jwk: JWK(key), algorithm: algorithm)
            case .pem: try SigningKey(pem: key, algorithm: algorithm, keyID: keyID)
            }
        return try TokenSigner(key: signingKey, clock: Claims.clock()).sign(claims)
    }

    static func generate(_ algorithm: String, keyID: String) throws -> GeneratedKey {
        if let algorithm = SignatureAlgorithm(name: algorithm) {
            let key = try SigningKey.generate(algorithm, keyID: keyID)
            return GeneratedKey(
                publicJWK: try key.verificationKey.jwk.publicJSON(),
                publicPEM: try key.verificationKey.jwk.publicPEM(),
                privateJWK: text(try key.exportPrivateJSON()),
                privatePEM: text(try key.exportPrivatePEM()),
                signer: TokenSigner(key: key, clock: Claims.clock()))
        }
        guard let algorithm = HMACAlgorithm(name: algorithm) else {
            throw Command.Failure(description: "no algorithm \(algorithm)")
        }
        let key = try HMACKey.generate(algorithm, keyID: keyID)
        return GeneratedKey(
            publicJWK: nil, publicPEM: nil, privateJWK: text(try key.exportPrivateJSON()),
            privatePEM: nil,
            signer: try TokenSigner(hmacKey: key, clock: Claims.clock()))
    }

    static func text(_ secret: consuming SecretBytes) -> String {
        secret.withExposedBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }
}
