// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The key of a new token's content, and how it is sent.
struct NewContentKey {
    let key: SecretKey
    /// Empty if the receiver has the key, or agrees on it.
    var encryptedKey: [UInt8] = []
    /// For the header's `epk`.
    var ephemeral: JWK?
}

extension EncryptionKey {
    func newContentKey(
        for content: ContentEncryptionAlgorithm
    ) throws(CryptographyError) -> NewContentKey {
        switch (algorithm.family, material) {
        case (.direct, .octets(let secret)):
            return NewContentKey(key: secret)
        case (.wrapping, .octets(let secret)):
            let key = try SecretKey.generate(bitCount: content.keyByteCount * 8)
            return NewContentKey(key: key, encryptedKey: try AESKeyWrap.wrap(key, using: secret))
        case (.encryption(let hash?), .key(.rsaPublic(let receiver))):
            let key = try SecretKey.generate(bitCount: content.keyByteCount * 8)
            return NewContentKey(
                key: key, encryptedKey: try RSAOAEP.wrap(key, to: receiver, hash: hash))
        case (.agreement(let byteCount?), _):
            let agreed = try agreedKey(byteCount: byteCount, algorithmID: algorithm.name)
            let key = try SecretKey.generate(bitCount: content.keyByteCount * 8)
            return NewContentKey(
                key: key, encryptedKey: try AESKeyWrap.wrap(key, using: agreed.key),
                ephemeral: agreed.ephemeral)
        case (.agreement(nil), _):
            return try agreedKey(byteCount: content.keyByteCount, algorithmID: content.name)
        default:
            // EncryptionBinding has refused such a key.
            throw CryptographyError(.invalidKey, "The key does not fit its algorithm.")
        }
    }

    /// A key that only the receiver can compute, from a fresh key pair.
    private func agreedKey(
        byteCount: Int, algorithmID: String
    ) throws(CryptographyError) -> NewContentKey {
        let agreement = try KeyAgreement(algorithmID: algorithmID.utf8)
        switch material {
        case .key(.ecPublic(let receiver)):
            let fresh = try ECPrivateKey.generate(curve: receiver.curve)
            return NewContentKey(
                key: try agreement.key(of: fresh, with: receiver, byteCount: byteCount),
                ephemeral: JWK(material: .key(.ecPublic(fresh.publicKey)), keyID: nil))
        case .x25519Public(let receiver):
            let fresh = try X25519PrivateKey.generate()
            return NewContentKey(
                key: try agreement.key(of: fresh, with: receiver, byteCount: byteCount),
                ephemeral: JWK(material: .x25519Public(fresh.publicKey), keyID: nil))
        default:
            throw CryptographyError(.invalidKey, "The key does not fit its algorithm.")
        }
    }
}
