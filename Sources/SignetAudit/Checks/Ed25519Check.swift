// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Ed25519: a published signature under a public key; with the seed, the key pair and the signature are made again.
struct Ed25519Check: Sendable {
    let seed: [UInt8]?
    let publicKey: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]

    func observation() -> AuditObservation {
        .observing { () throws(CryptoError) in
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
}
