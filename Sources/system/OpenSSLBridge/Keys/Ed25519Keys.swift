// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

extension KeyHandle {
    /// The length of a public key and of a seed, in bytes (RFC 8032, section 5.1.5).
    package static var ed25519ByteCount: Int { rawByteCount }

    /// An Ed25519 public key (RFC 8032, section 5.1.5): 32 bytes. libcrypto decodes the point when
    /// it verifies.
    package static func ed25519(publicKey: [UInt8]) throws(OpenSSLFailure) -> KeyHandle {
        try Kind.ed25519.require()
        return try raw("ED25519", publicKey: publicKey)
    }

    /// An Ed25519 key pair from its 32-byte seed.
    package static func ed25519(seed: SecretStorage) throws(OpenSSLFailure) -> KeyHandle {
        try raw("ED25519", privateKey: seed)
    }

    package func ed25519PublicKey() throws(OpenSSLFailure) -> [UInt8] { try rawPublicKey() }

    package func ed25519Seed() throws(OpenSSLFailure) -> SecretStorage { try rawPrivateKey() }
}
