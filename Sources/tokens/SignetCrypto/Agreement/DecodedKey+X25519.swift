// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

extension DecodedKey {
    /// Whether it is a key of X25519, which only agrees on keys: ``key()`` does not give it.
    package var isX25519: Bool { handle.isX25519 }

    /// A private key of X25519.
    package func x25519PrivateKey() throws(CryptographyError) -> X25519PrivateKey {
        let key = try X25519PrivateKey(handle: handle)
        try checkStatedPublicKey { $0 == key.publicKey.rawRepresentation }
        return key
    }

    /// A public key of X25519.
    package func x25519PublicKey() throws(CryptographyError) -> X25519PublicKey {
        try X25519PublicKey(rawRepresentation: readNumbers(handle.x25519PublicKey))
    }
}
