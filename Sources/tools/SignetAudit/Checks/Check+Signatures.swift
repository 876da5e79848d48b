// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension Check {
    /// ECDSA: a published signature, r ‖ s, under a public key.
    ///
    /// - Parameter signature: nil if the published DER cannot be converted to r ‖ s.
    static func ecdsa(
        _ curve: EllipticCurve, x: [UInt8], y: [UInt8], hash: HashAlgorithm, message: [UInt8],
        signature: [UInt8]?
    ) -> Body {
        crypto { () throws(CryptographyError) in
            let key = try ECPublicKey(curve: curve, x: x, y: y)
            guard let signature else {
                return .rejected(.malformed, "the signature is not strict DER")
            }
            return .verification(try key.isValidSignature(signature, for: message, hash: hash))
        }
    }

    /// Ed25519: a published signature under a public key. With a seed, it also derives the key pair
    /// and makes the signature again.
    static func ed25519(seed: [UInt8]?, publicKey: [UInt8], message: [UInt8], signature: [UInt8])
        -> Body
    {
        crypto { () throws(CryptographyError) in
            let key = try Ed25519PublicKey(rawRepresentation: publicKey)
            let verification = AuditObservation.verification(
                try key.isValidSignature(signature, for: message))
            guard verification == .accepted, let seed else { return verification }
            let pair = try Ed25519PrivateKey(seed: SecretKey(copying: seed))
            guard pair.publicKey == key else { return .differed("the public key is another one") }
            guard try pair.signature(for: message) == signature else {
                return .differed("another signature was made")
            }
            return try key.isValidSignature(signature, for: message + [0])
                ? .differed("the signature verifies for another message") : .accepted
        }
    }

    /// RSA signatures: a published signature under a public key.
    ///
    /// - Parameter hash: nil if the vector's own parameters (hash, mask hash or salt) are not
    ///   offered: then the signature must not verify with any hash that is.
    static func rsa(
        _ scheme: RSAScheme, hash: HashAlgorithm?, modulus: [UInt8], exponent: [UInt8],
        message: [UInt8], signature: [UInt8]
    ) -> Body {
        crypto { () throws(CryptographyError) in
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
