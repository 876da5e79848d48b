// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// The key of a token's content, and how it is sent.
struct SentKey {
    /// What the content is encrypted with.
    let key: SecretKey
    let encryptedKey: [UInt8]
    /// Whether that is the key which the receiver gets.
    let isRight: Bool

    /// Sends a key, now and then of a wrong length, and now and then a different key.
    init(
        by algorithm: KeyManagementAlgorithm, content: ContentEncryptionAlgorithm,
        to receiver: TokenReceiver, from parties: Parties, choices: inout Choices
    ) throws {
        let byteCount = content.keyByteCount
        let sentByteCount =
            choices.happens(12) ? choices.element(of: [16, 24, 32, 48, 64]) : byteCount
        let sent = EncryptionFixture.contentKey(sentByteCount)
        var key = EncryptionFixture.contentKey(byteCount)
        var isRight = sentByteCount == byteCount
        switch (algorithm.kind, algorithm.wrappingByteCount) {
        case (.secret, nil):
            encryptedKey = []
            key = EncryptionFixture.secret(byteCount)
            isRight = true
        case (.secret, let wrapping?):
            encryptedKey = try AESKeyWrap.wrap(sent, using: EncryptionFixture.secret(wrapping))
        case (.agreement, nil):
            encryptedKey = []
            key = try Self.agreed(
                algorithm: content.name, byteCount: byteCount, to: receiver, from: parties)
            isRight = true
        case (.agreement, let wrapping?):
            let agreed = try Self.agreed(
                algorithm: algorithm.name, byteCount: wrapping, to: receiver, from: parties)
            encryptedKey = try AESKeyWrap.wrap(sent, using: agreed)
        case (.decryption, _):
            if let hash = algorithm.digest {
                guard case .key(.rsaPrivate(let own)) = receiver.material else {
                    throw BrokenInvariant(description: "the receiver has an RSA key")
                }
                encryptedKey = try RSAOAEP.wrap(sent, to: own.publicKey, hash: hash)
            } else {
                encryptedKey = try Base64URL.decode(EncryptionFixture.encryptedWithSHA1)
                isRight = byteCount == 32
            }
        }
        let isForeign = choices.happens(24)
        self.key = isForeign ? EncryptionFixture.foreignKey(byteCount) : key
        self.isRight = isRight && !isForeign
    }

    private static func agreed(
        algorithm: String, byteCount: Int, to receiver: TokenReceiver, from parties: Parties
    ) throws -> SecretKey {
        let agreement = try KeyAgreement(
            algorithmID: algorithm.utf8, partyUInfo: parties.partyUInfo,
            partyVInfo: parties.partyVInfo)
        switch (parties.sender?.material, receiver.material) {
        case (.key(.ecPrivate(let own))?, .key(.ecPrivate(let other))):
            return try agreement.key(of: own, with: other.publicKey, byteCount: byteCount)
        case (.x25519Private(let own)?, .x25519Private(let other)):
            return try agreement.key(of: own, with: other.publicKey, byteCount: byteCount)
        default:
            throw BrokenInvariant(description: "both parties have keys on one curve")
        }
    }
}
