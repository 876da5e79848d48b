// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetMemory

/// Encrypts any content as a compact JWE (RFC 7516), `HEADER.ENCRYPTED KEY.IV.CIPHERTEXT.TAG`. With
/// most algorithms a fresh key encrypts the content, and the receiver's key the fresh key.
///
/// ```swift
/// let receiver = try EncryptionKey(jwk: JWK(published))
/// let compact = try JWEEncrypter(to: receiver, content: .a256GCM, contentType: "JWT")
///     .encrypt(signed.utf8)
/// ```
///
/// It does not say who encrypted: sign first, and encrypt the signed token. For a signed document
/// that is no JWT, write `contentType: "JOSE"` (`application/jose`, RFC 7515, section 9.2.1): the
/// receiver opens it with ``JWEDecrypter``, then ``JWSVerifier``. A shared key that
/// encrypts content itself (`dir`) with AES-GCM is good for 2^32 tokens: their random
/// initialization vectors (IV) may repeat after that, and Signet does not count them.
public struct JWEEncrypter: Sendable {
    private let key: EncryptionKey
    private let content: ContentEncryptionAlgorithm
    private let type: String?
    private let contentType: String?

    /// Encrypts to a key; the header carries `alg`, `enc`, the key's `kid`, if any, and, if given,
    /// `typ` and `cty`.
    ///
    /// - Throws: `algorithmMismatch` for a shared key whose length is not that of `content`.
    public init(
        to key: EncryptionKey, content: ContentEncryptionAlgorithm, type: String? = nil,
        contentType: String? = nil
    ) throws(KeyError) {
        guard key.binding.content.contains(content) else {
            throw KeyError(
                .algorithmMismatch,
                "\(shown: content.name) takes a key of \(content.keyByteCount) bytes.")
        }
        self.key = key
        self.content = content
        self.type = type
        self.contentType = contentType
    }

    /// The compact form of `payload`.
    ///
    /// - Throws: `tooLarge` for a token that no ``JWEDecrypter`` would read; `signingFailed` if
    ///   libcrypto fails.
    public func encrypt(_ payload: some Collection<UInt8>) throws(TokenError) -> String {
        try withSpan(of: payload) { (bytes) throws(TokenError) in try encrypt(bytes) }
    }

    private func encrypt(_ payload: Span<UInt8>) throws(TokenError) -> String {
        // Checked first, so that an absurd content costs nothing.
        guard payload.count <= JWEDecrypter.maximumByteCount else {
            throw Self.tooLarge(payload.count)
        }
        let sent = try translatingErrors { () throws(CryptographyError) in
            try key.newContentKey(for: content)
        }
        let header = encodeHeader(ephemeral: sent.ephemeral)
        guard header.count <= EncryptedParts.maximumHeaderByteCount else {
            throw TokenError(
                .tooLarge,
                "The header would have \(header.count) characters; it may have \(EncryptedParts.maximumHeaderByteCount)."
            )
        }
        // nonce ‖ ciphertext ‖ tag
        let sealed = try translatingErrors { () throws(CryptographyError) in
            try content.cipher.seal(payload, using: sent.key, authenticating: header.span)
        }
        let nonceEnd = content.cipher.nonceByteCount
        let tagStart = sealed.count - content.cipher.tagByteCount
        var token = header
        for part in [
            sent.encryptedKey[...], sealed[..<nonceEnd], sealed[nonceEnd..<tagStart],
            sealed[tagStart...],
        ] {
            token.append(UInt8(ascii: "."))
            Base64.url.append(encoding: part.span, to: &token)
        }
        guard token.count <= JWEDecrypter.maximumByteCount else {
            throw Self.tooLarge(token.count)
        }
        return String(decoding: token, as: UTF8.self)
    }

    private func translatingErrors<Value>(
        _ call: () throws(CryptographyError) -> Value
    ) throws(TokenError) -> Value {
        do {
            return try call()
        } catch {
            throw TokenError(
                .signingFailed, underlying: error,
                "libcrypto could not encrypt: \(messageOf: error)")
        }
    }

    private static func tooLarge(_ byteCount: Int) -> TokenError {
        TokenError(
            .tooLarge,
            "The token would have \(byteCount) bytes or more; it may have \(JWEDecrypter.maximumByteCount)."
        )
    }

    /// The header in base64url.
    ///
    /// - Parameter ephemeral: the sender's fresh public key, with which ECDH-ES agrees on a key.
    private func encodeHeader(ephemeral: JWK?) -> [UInt8] {
        var writer = JWKWriter()
        writer.text("alg", value: key.algorithm.name)
        writer.text("enc", value: content.name)
        if let keyID = key.keyID { writer.text("kid", value: keyID) }
        if let type { writer.text("typ", value: type) }
        if let contentType { writer.text("cty", value: contentType) }
        if let ephemeral { writer.publicKey("epk", key: ephemeral) }
        var encoded = [UInt8]()
        Base64.url.append(encoding: writer.finish().utf8.span, to: &encoded)
        return encoded
    }
}
