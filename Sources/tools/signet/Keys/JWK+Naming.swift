// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension JWK {
    /// The same key with a `kid` and an `alg`, unless it has them, and for an `alg` of encrypted
    /// tokens with `use` (`enc`).
    ///
    /// - Throws: `usage` for an algorithm that does not fit the key; `tooLarge` for a `kid` of more
    ///   than 1,024 bytes.
    func named(_ keyID: String?, algorithm name: String?) throws -> JWK {
        try KeyDocument.checkKeyID(keyID)
        let encryption = name.flatMap { KeyManagementAlgorithm(name: $0) }
        let named = JWK(
            material: material, keyID: self.keyID ?? keyID,
            use: use ?? (encryption == nil ? nil : "enc"), keyOperations: keyOperations,
            algorithm: algorithm ?? name)
        // Making a key checks whether the algorithm fits it.
        if let encryption {
            _ = try EncryptionKey(jwk: self, algorithm: encryption)
        } else if keyType == "oct" {
            if let hmac = try KeyFile.hmac(name) { _ = try HMACKey(jwk: self, algorithm: hmac) }
        } else if let signature = try KeyFile.signature(name) {
            _ = try VerificationKey(jwk: self, algorithm: signature)
        }
        return named
    }

    /// The public half to publish, with the thumbprint as `kid` if it has none.
    func published() throws -> String { try named(thumbprint(), algorithm: nil).publicJSON() }

    /// The same as the only key of a JWK set.
    func publishedSet() throws -> String { "{\"keys\":[" + (try published()) + "]}" }
}
