// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// An Ed25519 key pair (RFC 8032). Printing it shows nothing of the key.
public struct Ed25519PrivateKey: Sendable, Redacted {
    package let handle: KeyHandle
    /// The public half.
    public let publicKey: Ed25519PublicKey

    /// Makes a key pair from its seed of 32 bytes.
    ///
    /// - Throws: `invalidKey`.
    public init(seed: SecretKey) throws(CryptographyError) {
        let expected = Ed25519PublicKey.byteCount
        guard seed.byteCount == expected else {
            throw CryptographyError(.invalidKey, "An Ed25519 seed has \(expected) bytes.")
        }
        let (handle, publicKey) = try translatingErrors(refused: .invalidKey) {
            () throws(OpenSSLFailure) in
            let handle = try KeyHandle.ed25519(seed: seed.storage)
            return (handle, try handle.ed25519PublicKey())
        }
        self.handle = handle
        self.publicKey = try Ed25519PublicKey(rawRepresentation: publicKey)
    }

    /// A private key from a file, made again from its seed. A public key has none.
    package init(handle: KeyHandle) throws(CryptographyError) {
        let seed = try translatingErrors(refused: .invalidKey, handle.ed25519Seed)
        try self.init(seed: SecretKey(storage: seed))
    }

    /// A new key pair.
    public static func generate() throws(CryptographyError) -> Ed25519PrivateKey {
        try Ed25519PrivateKey(
            seed: SecretKey(SecretBytes.random(count: Ed25519PublicKey.byteCount)))
    }

    /// The signature of `message`, 64 bytes; deterministic.
    public func signature(for message: some Collection<UInt8>) throws(CryptographyError) -> [UInt8]
    {
        try handle.signature(for: message, under: .ed25519)
    }

    /// The seed, for writing the key to a file. Handle it as a secret.
    public func exportSeed() throws(CryptographyError) -> SecretKey {
        SecretKey(
            storage: try translatingErrors(refused: .libraryFailure, handle.ed25519Seed))
    }
}
