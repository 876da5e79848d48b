// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A JWK, bound to the only algorithm that it is verified with.
enum AuditKey {
    case secret(HMACKey)
    case publicKey(VerificationKey)

    /// - Parameter algorithm: for a key that names no algorithm; nil takes what the key implies.
    init(_ key: JWK, algorithm: String?) throws(KeyError) {
        let name = key.algorithm == nil ? algorithm : nil
        if key.keyType == "oct" {
            self = .secret(
                try HMACKey(jwk: key, algorithm: name.flatMap(HMACAlgorithm.init(name:))))
        } else {
            self = .publicKey(
                try VerificationKey(
                    jwk: key, algorithm: name.flatMap(SignatureAlgorithm.init(name:))))
        }
    }
}
