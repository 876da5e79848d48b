// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

// An encrypted token has a key for its content and, by its `alg`, a way to get that key from the
// receiver's key:
//
//     dir              the receiver's shared key is that key
//     A…KW             unwrapped with the shared key (AES key wrap)
//     ECDH-ES          agreed by the receiver's private key and the sender's fresh public key,
//                      which stands in the header as "epk"
//     ECDH-ES+A…KW     agreed in the same way, and then unwraps that key
//     RSA-OAEP-…       decrypted with the private key

extension DecryptionKey {
    /// The key of a token's content.
    ///
    /// Where it does not unwrap, or has a wrong length, it is a random key (RFC 7516, section
    /// 11.5): the content then fails to open, as a content does that was changed. So no sender
    /// learns from an error whether the key or the content was wrong.
    func contentKey(
        of parts: EncryptedParts, header: EncryptedTokenHeader
    ) throws(TokenError) -> SecretKey {
        let byteCount = header.contentEncryption.keyByteCount
        switch (algorithm.family, material) {
        case (.direct, .octets(let secret)):
            return secret
        case (.wrapping, .octets(let secret)):
            return try keyOrRandom(byteCount: byteCount) { () throws(CryptographyError) in
                try AESKeyWrap.unwrap(parts.encryptedKey, using: secret)
            }
        case (.agreement(nil), _):
            let agree = try agreement(
                with: EphemeralKey(header), byteCount: byteCount,
                algorithmID: header.contentEncryption.name)
            return try keyOrRandom(byteCount: byteCount, agree)
        case (.agreement(let wrappingByteCount?), _):
            let agree = try agreement(
                with: EphemeralKey(header), byteCount: wrappingByteCount,
                algorithmID: algorithm.name)
            return try keyOrRandom(byteCount: byteCount) { () throws(CryptographyError) in
                try AESKeyWrap.unwrap(parts.encryptedKey, using: agree())
            }
        case (.encryption(let hash), .key(.rsaPrivate(let key))):
            return try keyOrRandom(byteCount: byteCount) { () throws(CryptographyError) in
                // Without a hash the algorithm is RSA-OAEP, with SHA-1.
                guard let hash else {
                    return try RSAOAEP.unwrapWithSHA1(parts.encryptedKey, using: key)
                }
                return try RSAOAEP.unwrap(parts.encryptedKey, using: key, hash: hash)
            }
        default:
            // EncryptionBinding has refused such a key.
            throw TokenError(.libraryFailure, "The key does not fit its algorithm.")
        }
    }

    /// How the agreed key is computed: a function, because a fault of the header is thrown here as
    /// such, while a fault of the computation must lead to a random key.
    ///
    /// - Parameter algorithmID: what the key is for, which is hashed into it (RFC 7518, section
    ///   4.6.2).
    private func agreement(
        with sender: EphemeralKey, byteCount: Int, algorithmID: String
    ) throws(TokenError) -> () throws(CryptographyError) -> SecretKey {
        let agreement = try translatingErrors { () throws(CryptographyError) in
            try KeyAgreement(
                algorithmID: algorithmID.utf8, partyUInfo: sender.partyUInfo,
                partyVInfo: sender.partyVInfo)
        }
        switch material {
        case .key(.ecPrivate(let own)):
            let other = try sender.publicKey(on: own.publicKey.curve)
            return { () throws(CryptographyError) in
                try agreement.key(of: own, with: other, byteCount: byteCount)
            }
        case .x25519Private(let own):
            let other = try sender.x25519PublicKey()
            return { () throws(CryptographyError) in
                try agreement.key(of: own, with: other, byteCount: byteCount)
            }
        default:
            throw TokenError(.libraryFailure, "The key does not fit its algorithm.")
        }
    }

    /// An unwrapped key of the right length, else a random key. The random key is made each time,
    /// so that both are the same work.
    private func keyOrRandom(
        byteCount: Int, _ unwrap: () throws(CryptographyError) -> SecretKey
    ) throws(TokenError) -> SecretKey {
        let random = try translatingErrors { () throws(CryptographyError) in
            try SecretKey.generate(bitCount: byteCount * 8)
        }
        do {
            let key = try unwrap()
            return key.byteCount == byteCount ? key : random
        } catch {
            // `invalidKey` is a point of small order, with which anyone could compute the key.
            guard error.code == .authenticationFailure || error.code == .invalidKey else {
                throw TokenError(cannotDecrypt: error)
            }
            return random
        }
    }

    private func translatingErrors<Value>(
        _ call: () throws(CryptographyError) -> Value
    ) throws(TokenError) -> Value {
        do { return try call() } catch { throw TokenError(cannotDecrypt: error) }
    }
}

extension EncryptedParts {
    /// The decrypted content; nil if it does not open with the key.
    func openedContent(
        with key: SecretKey, as algorithm: ContentEncryptionAlgorithm, header: Span<UInt8>
    ) throws(TokenError) -> [UInt8]? {
        do {
            return try algorithm.cipher.open(
                ciphertext.span, tag: tag.span, using: key, nonce: vector.span,
                authenticating: header)
        } catch {
            guard error.code == .authenticationFailure else {
                throw TokenError(cannotDecrypt: error)
            }
            return nil
        }
    }
}

extension TokenError {
    /// A failure that says nothing about the token.
    init(cannotDecrypt error: CryptographyError) {
        self.init(
            .libraryFailure, underlying: error,
            "libcrypto could not tell whether the token is good: \(messageOf: error)")
    }
}
