// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// RSA signatures: a published signature under a public key.
struct RSACheck: Sendable {
    let modulus: [UInt8]
    let exponent: [UInt8]
    let scheme: RSAScheme
    /// Nil when the vector's own parameters (hash, mask hash or salt) are not offered: the signature must then
    /// verify under none that is.
    let hash: HashAlgorithm?
    let message: [UInt8]
    let signature: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let key = try RSAPublicKey(modulus: modulus, exponent: exponent)
            let hashes = hash.map { [$0] } ?? HashAlgorithm.allCases
            for hash in hashes
            where try key.isValidSignature(signature, for: message, scheme: scheme, hash: hash) {
                return .accepted
            }
            return .verification(false)
        }
    }
}

/// RSA signing: PKCS#1 v1.5 signatures are deterministic, so ours must be the published one.
struct RSASigningCheck: Sendable {
    let numbers: RSAPrivateKey.Numbers
    let hash: HashAlgorithm?
    let message: [UInt8]
    let signature: [UInt8]

    func observation() -> AuditObservation {
        let verification = RSACheck(
            modulus: numbers.modulus, exponent: numbers.exponent, scheme: .pkcs1v15, hash: hash,
            message: message,
            signature: signature
        ).observation()
        guard verification == .accepted, let hash else { return verification }
        return .observing { () throws(CryptoError) in
            let made = try RSAPrivateKey(numbers).signature(
                for: message, scheme: .pkcs1v15, hash: hash)
            return made == signature ? .accepted : .differed("another signature was made")
        }
    }
}
