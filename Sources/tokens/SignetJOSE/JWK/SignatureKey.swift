// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A key to verify with, of either class.
struct SignatureKey: Sendable {
    enum Operation: Sendable {
        case publicKey(BoundKey)
        case secret(MACKey)
    }

    /// The key's own identifier.
    let keyID: String?
    let algorithm: JWSAlgorithm
    /// A second algorithm name that a header may use for the same operation.
    var alternative: JWSAlgorithm?
    let operation: Operation

    /// The length of the key's signatures; nil if libcrypto does not tell.
    var signatureByteCount: Int? {
        switch operation {
        case .publicKey(let key): key.signatureByteCount
        case .secret(let key): key.hash.byteCount
        }
    }

    /// Whether a header that names `algorithm` may be verified with this key.
    func verifies(under algorithm: JWSAlgorithm) -> Bool {
        algorithm == self.algorithm || algorithm == alternative
    }

    /// Whether the key may verify under a listed algorithm; nil accepts any.
    func verifies(underAnyOf accepted: [SignatureAlgorithm]?) -> Bool {
        accepted?.contains { verifies(under: .signature($0)) } ?? true
    }

    /// Whether two public keys have the same numbers, and the same identifier or none. Issuers
    /// publish a key twice, for example with and without `alg`. Two secrets never count as the same
    /// key.
    func isSame(as other: SignatureKey) -> Bool {
        guard case .publicKey(let mine) = operation, case .publicKey(let others) = other.operation,
            keyID.map({ ReceivedText($0).key }) == other.keyID.map({ ReceivedText($0).key })
        else { return false }
        return mine.hasSameKey(as: others)
    }

    func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) throws(CryptographyError)
        -> Bool
    {
        switch operation {
        case .publicKey(let key): try key.isValid(signature, for: message)
        case .secret(let key): try key.isValid(signature, for: message)
        }
    }
}
