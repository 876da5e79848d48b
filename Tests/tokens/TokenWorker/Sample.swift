// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// A token of one algorithm, a forged one, and verifiers with the key.
struct Sample: Sendable {
    let token: String
    /// Signed by another key.
    let forged: String
    private let make: @Sendable () throws -> JWSVerifier

    init(_ name: String) throws {
        let payload = Array("{}".utf8)
        if let algorithm = SignatureAlgorithm(name: name) {
            let keys = try (0..<2).map { _ in try SigningKey.generate(algorithm, keyID: "own") }
            let published = try KeySet([keys[0].verificationKey]).jwksJSON()
            token = try JWSSigner(key: keys[0]).sign(payload)
            forged = try JWSSigner(key: keys[1]).sign(payload)
            make = { try JWSVerifier(keys: KeySet(jwks: published)) }
        } else {
            let keys = try (0..<2).map { _ in try HMACKey.generate(.hs256, keyID: "own") }
            token = try JWSSigner(hmacKey: keys[0]).sign(payload)
            forged = try JWSSigner(hmacKey: keys[1]).sign(payload)
            let key = keys[0]
            make = { try JWSVerifier(hmacKey: key) }
        }
    }

    /// - Parameter isWarm: it has verified before, so that its caches are filled.
    func verifier(_ isWarm: Bool) throws -> JWSVerifier {
        let verifier = try make()
        if isWarm { _ = try verifier.verify(token) }
        return verifier
    }
}
