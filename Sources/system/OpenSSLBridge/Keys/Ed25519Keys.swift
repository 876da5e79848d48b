// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

extension KeyHandle {
    /// The length of a public key and of a seed, in bytes (RFC 8032, section 5.1.5).
    package static var ed25519ByteCount: Int { 32 }

    /// An Ed25519 public key (RFC 8032, section 5.1.5): 32 bytes. libcrypto decodes the point when
    /// it verifies.
    package static func ed25519(publicKey: [UInt8]) throws(OpenSSLFailure) -> KeyHandle {
        try Kind.ed25519.require()
        guard publicKey.count == ed25519ByteCount else {
            throw OpenSSLFailure(.invalidLength, "public key")
        }
        let made = unsafe publicKey.span.withBase {
            unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, $0, $1)
        }
        return try unsafe KeyHandle(owning: made, operation: "EVP_PKEY_new_raw_public_key_ex")
    }

    /// An Ed25519 key pair from its 32-byte seed.
    package static func ed25519(seed: SecretStorage) throws(OpenSSLFailure) -> KeyHandle {
        guard seed.count == ed25519ByteCount else { throw OpenSSLFailure(.invalidLength, "seed") }
        var made: KeyHandle?
        try seed.withBytes { (bytes) throws(OpenSSLFailure) in
            let pointer = unsafe bytes.withBase {
                unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, $0, $1)
            }
            made = try unsafe KeyHandle(
                owning: pointer, operation: "EVP_PKEY_new_raw_private_key_ex")
        }
        guard let made else { throw OpenSSLFailure(.refused, "seed") }
        return made
    }

    package func ed25519PublicKey() throws(OpenSSLFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.ed25519ByteCount)
        var count = Self.ed25519ByteCount
        let returnCode = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe EVP_PKEY_get_raw_public_key(pointer, $0.baseAddress, &count)
        }
        try require(returnCode, "EVP_PKEY_get_raw_public_key")
        guard count == Self.ed25519ByteCount else {
            throw OpenSSLFailure(.invalidLength, "public key")
        }
        return bytes
    }

    package func ed25519Seed() throws(OpenSSLFailure) -> SecretStorage {
        try unsafe SecretStorage(count: Self.ed25519ByteCount) { (target) throws(OpenSSLFailure) in
            var count = Self.ed25519ByteCount
            try require(
                unsafe EVP_PKEY_get_raw_private_key(pointer, target.baseAddress, &count),
                "EVP_PKEY_get_raw_private_key")
            guard count == Self.ed25519ByteCount else {
                throw OpenSSLFailure(.invalidLength, "seed")
            }
        }
    }
}
