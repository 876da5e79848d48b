// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// ECDSA: a published signature, r ‖ s, under a public key.
struct ECDSACheck: Sendable {
    let curve: EllipticCurve
    let x: [UInt8]
    let y: [UInt8]
    let hash: HashAlgorithm
    let message: [UInt8]
    /// Nil when the published DER is not one that can be turned into r ‖ s.
    let signature: [UInt8]?

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let key = try ECPublicKey(curve: curve, x: x, y: y)
            guard let signature else {
                return .rejected(.malformed, "the signature is not strict DER")
            }
            return .verification(try key.isValidSignature(signature, for: message, hash: hash))
        }
    }
}

/// Whether a point is taken as a public key.
struct ECPublicKeyCheck: Sendable {
    let curve: EllipticCurve
    let x: [UInt8]
    let y: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let key = try ECPublicKey(curve: curve, x: x, y: y)
            return key.x == x && key.y == y ? .accepted : .differed("the key has other coordinates")
        }
    }
}

/// The public key of a private one, and that they fit.
struct ECKeyPairCheck: Sendable {
    let curve: EllipticCurve
    let scalar: [UInt8]
    let x: [UInt8]
    let y: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
            let key = try ECPrivateKey(curve: curve, privateScalar: SecretKey(copying: scalar))
            guard key.publicKey.x == x, key.publicKey.y == y else {
                return .differed("the public key is another one")
            }
            let signature = try key.signature(for: x, hash: .sha256)
            let isValid = try ECPublicKey(curve: curve, x: x, y: y).isValidSignature(
                signature, for: x, hash: .sha256)
            return isValid ? .accepted : .differed("its own signature does not verify")
        }
    }
}
