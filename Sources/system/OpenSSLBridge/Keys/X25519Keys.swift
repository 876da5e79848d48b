// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

extension KeyHandle {
    /// The length of a public key and of a private scalar, in bytes (RFC 7748, section 5).
    package static var x25519ByteCount: Int { rawByteCount }

    /// An X25519 public key: the u coordinate, little-endian.
    package static func x25519(publicKey: [UInt8]) throws(OpenSSLFailure) -> KeyHandle {
        _ = try unsafe AlgorithmTable.shared.x25519.required()
        return try raw("X25519", publicKey: publicKey)
    }

    /// An X25519 key pair from its scalar, which libcrypto clamps when it multiplies.
    package static func x25519(privateScalar: SecretStorage) throws(OpenSSLFailure) -> KeyHandle {
        _ = try unsafe AlgorithmTable.shared.x25519.required()
        return try raw("X25519", privateKey: privateScalar)
    }

    /// Whether it is a key of X25519, which has no ``Kind``: it neither signs nor verifies.
    package var isX25519: Bool { unsafe EVP_PKEY_is_a(pointer, "X25519") == 1 }

    package func x25519PublicKey() throws(OpenSSLFailure) -> [UInt8] { try rawPublicKey() }

    package func x25519PrivateScalar() throws(OpenSSLFailure) -> SecretStorage {
        try rawPrivateKey()
    }
}
