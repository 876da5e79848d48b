// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The only way in which a key signs or verifies.
package enum SignatureFamily: Sendable, Hashable {
    case rsa(RSAScheme, HashAlgorithm)
    case ec(EllipticCurve, HashAlgorithm)
    case ed25519

    fileprivate var bridged: SignatureScheme {
        switch self {
        case .rsa(let scheme, let hash): scheme.bridged(hash)
        case .ec(let curve, let hash): .ecdsa(curve.bridged, hash.bridged)
        case .ed25519: .ed25519
        }
    }
}

/// A key that is bound to the only scheme that it is used with: a private key signs, a public key
/// verifies.
package struct BoundKey: Sendable {
    private let key: KeyHandle
    private let scheme: SignatureScheme

    /// - Throws: `unsupported` if libcrypto does not offer the scheme; `libraryFailure`, also for a
    ///   key of the wrong kind.
    package init(_ key: AsymmetricKey, family: SignatureFamily) throws(CryptographyError) {
        let handle = key.handle
        let scheme = family.bridged
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try key.isPrivate ? handle.prepareToSign(scheme) : handle.requireVerifying(scheme)
        }
        self.key = handle
        self.scheme = scheme
    }

    /// Whether the keys have the same public numbers.
    package func hasSameKey(as other: BoundKey) -> Bool { key.hasSamePublicKey(as: other.key) }

    /// The length of the key's signatures, in bytes; nil if libcrypto does not tell.
    package var signatureByteCount: Int? { try? scheme.signatureByteCount(for: key) }

    /// A signature of `message`.
    package func signature(for message: Span<UInt8>) throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try key.signature(for: message, under: scheme)
        }
    }

    /// Whether `signature` is a valid signature of `message`.
    /// - Throws: `libraryFailure` or `unsupported` if libcrypto cannot compute. No signature or
    ///   message causes it.
    package func isValid(
        _ signature: Span<UInt8>, for message: Span<UInt8>
    ) throws(CryptographyError) -> Bool {
        do {
            return try key.isValid(signature, for: message, under: scheme)
        } catch {
            throw CryptographyError.from(error, refused: .libraryFailure)
        }
    }
}
