// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

extension DecryptionKey {
    /// The key of a token's content.
    ///
    /// Where it does not unwrap, or has a wrong length, it is a random key (RFC 7516, section
    /// 11.5): the content then fails to open, as a content does that was changed.
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
        case (.agreement(let wrappingByteCount), _):
            let sender = try EphemeralKey(header)
            let agreed = try agreedKey(
                with: sender, byteCount: wrappingByteCount ?? byteCount,
                algorithmID: wrappingByteCount == nil
                    ? header.contentEncryption.name : algorithm.name)
            return try keyOrRandom(byteCount: byteCount) { () throws(CryptographyError) in
                let key = try agreed()
                guard wrappingByteCount != nil else { return key }
                return try AESKeyWrap.unwrap(parts.encryptedKey, using: key)
            }
        case (.encryption(let hash), .key(.rsaPrivate(let key))):
            return try keyOrRandom(byteCount: byteCount) { () throws(CryptographyError) in
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

    /// Computes the agreed key. What is wrong with the header is said before.
    private func agreedKey(
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
            // invalidKey: a point of small order.
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
    /// The content; nil if it does not open with the key.
    func openedContent(
        with key: SecretKey, as algorithm: ContentEncryptionAlgorithm
    ) throws(TokenError) -> [UInt8]? {
        do {
            return try algorithm.cipher.open(
                ciphertext.span, tag: tag.span, using: key, nonce: vector.span,
                authenticating: header.span)
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
