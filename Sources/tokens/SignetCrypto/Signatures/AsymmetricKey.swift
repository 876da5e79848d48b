// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// A key that signs or verifies, of any kind.
package enum AsymmetricKey: Sendable {
    case rsaPublic(RSAPublicKey)
    case rsaPrivate(RSAPrivateKey)
    case ecPublic(ECPublicKey)
    case ecPrivate(ECPrivateKey)
    case ed25519Public(Ed25519PublicKey)
    case ed25519Private(Ed25519PrivateKey)

    var handle: KeyHandle {
        switch self {
        case .rsaPublic(let key): key.handle
        case .rsaPrivate(let key): key.handle
        case .ecPublic(let key): key.handle
        case .ecPrivate(let key): key.handle
        case .ed25519Public(let key): key.handle
        case .ed25519Private(let key): key.handle
        }
    }

    package var isPrivate: Bool {
        switch self {
        case .rsaPrivate, .ecPrivate, .ed25519Private: true
        case .rsaPublic, .ecPublic, .ed25519Public: false
        }
    }

    package var publicHalf: AsymmetricKey {
        switch self {
        case .rsaPublic, .ecPublic, .ed25519Public: self
        case .rsaPrivate(let key): .rsaPublic(key.publicKey)
        case .ecPrivate(let key): .ecPublic(key.publicKey)
        case .ed25519Private(let key): .ed25519Public(key.publicKey)
        }
    }

    /// The public half as SubjectPublicKeyInfo (RFC 5280, section 4.1).
    package func encodedPublicKey() throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure, publicHalf.handle.encodedPublicKey)
    }

    /// PrivateKeyInfo (RFC 5208), not encrypted.
    ///
    /// - Throws: `libraryFailure`, also for a public key.
    package func encodedPrivateKey() throws(CryptographyError) -> SecretKey {
        SecretKey(
            storage: try translatingErrors(
                refused: .libraryFailure, handle.encodedPrivateKey))
    }
}
