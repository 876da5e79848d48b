// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// An X25519 key pair (RFC 7748), for ``KeyAgreement``. Printing it shows nothing of the key.
public struct X25519PrivateKey: Sendable, Redacted {
    package let handle: KeyHandle
    /// The public half.
    public let publicKey: X25519PublicKey

    /// Makes a key pair from its scalar of 32 bytes, little-endian, and computes the public half.
    /// The bits that RFC 7748, section 5, fixes may have any value.
    ///
    /// - Throws: `invalidKey`; `unsupported` if the loaded libcrypto lacks X25519, as a FIPS
    ///   provider may.
    public init(privateScalar: SecretKey) throws(CryptographyError) {
        let expected = X25519PublicKey.byteCount
        guard privateScalar.byteCount == expected else {
            throw CryptographyError(.invalidKey, "An X25519 scalar has \(expected) bytes.")
        }
        let (handle, publicKey) = try translatingErrors(refused: .invalidKey) {
            () throws(OpenSSLFailure) in
            let handle = try KeyHandle.x25519(privateScalar: privateScalar.storage)
            return (handle, try handle.x25519PublicKey())
        }
        self.handle = handle
        self.publicKey = try X25519PublicKey(rawRepresentation: publicKey)
    }

    /// A private key from a file, made again from its scalar. A public key has none.
    package init(handle: KeyHandle) throws(CryptographyError) {
        let scalar = try translatingErrors(refused: .invalidKey, handle.x25519PrivateScalar)
        try self.init(privateScalar: SecretKey(storage: scalar))
    }

    /// A new key pair.
    public static func generate() throws(CryptographyError) -> X25519PrivateKey {
        try X25519PrivateKey(
            privateScalar: SecretKey(SecretBytes.random(count: X25519PublicKey.byteCount)))
    }

    /// The scalar as it was given, for writing the key to a file. Handle it as a secret.
    public func exportPrivateScalar() throws(CryptographyError) -> SecretKey {
        SecretKey(
            storage: try translatingErrors(refused: .libraryFailure, handle.x25519PrivateScalar))
    }

    /// PrivateKeyInfo (RFC 5208), not encrypted.
    package func encodedPrivateKey() throws(CryptographyError) -> SecretKey {
        SecretKey(
            storage: try translatingErrors(refused: .libraryFailure, handle.encodedPrivateKey))
    }
}
