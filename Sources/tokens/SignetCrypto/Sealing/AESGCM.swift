// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// AES-128/192/256-GCM (NIST SP 800-38D): 12-byte nonces, 16-byte tags, `nonce ‖ ciphertext ‖ tag`.
///
/// ```swift
/// let key = try SecretKey.generate(bitCount: 128)
/// let sealed = try AESGCM.seal("a message".utf8, using: key, authenticating: "to bob".utf8)
/// let opened = try AESGCM.open(sealed, using: key, authenticating: "to bob".utf8)
/// ```
///
/// A random nonce repeats with probability 2^-32 after 2^32 messages under the same key. Change the
/// key well before, or use ``XAES256GCM``, whose nonces do not run out; Signet does not count
/// messages. A nonce that is reused with the same key lets an attacker forge messages. GCM does not
/// commit to its key: a sealed message may open under a second key that an attacker chose.
///
/// Each operation takes a span or any collection of bytes. Spans are fastest, and contiguous input
/// is not copied.
public enum AESGCM: SealingAlgorithm {
    /// Length of the nonce in bytes, the only accepted length.
    public static var nonceByteCount: Int { AEAD.gcm.nonceByteCount }
    /// Length of the tag in bytes, the only accepted length.
    public static var tagByteCount: Int { AEAD.tagByteCount }

    /// Encrypts `plaintext` and authenticates it together with `data`, under a new random nonce.
    ///
    /// - Parameters:
    ///   - plaintext: the bytes to encrypt.
    ///   - key: 16, 24 or 32 bytes.
    ///   - data: bytes that are not encrypted and must be the same when the message is opened.
    /// - Returns: nonce (12 bytes), ciphertext (as long as the plaintext), tag (16 bytes).
    /// - Throws: `invalidKeySize`, `tooLarge` over 2^36 - 32 bytes, `libraryFailure` if there is no
    ///   randomness.
    public static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        return try SealedForm.seal(plaintext, by: .gcm, using: key, authenticating: data)
    }

    /// Seals with a nonce of the caller, who must never use it again with the same key.
    ///
    /// - Throws: `invalidNonceSize` unless the nonce has 12 bytes, and the errors of
    ///   ``seal(_:using:authenticating:)``.
    public static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        return try SealedForm.seal(
            plaintext, by: .gcm, using: key, nonce: nonce, authenticating: data)
    }

    /// Opens what ``seal(_:using:authenticating:)`` returned.
    ///
    /// - Throws: `authenticationFailure` if any part was changed or cut off, or `invalidKeySize`.
    ///   No plaintext is returned then.
    public static func open(
        _ combined: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        return try SealedForm.open(combined, by: .gcm) {
            (ciphertext, nonce) throws(OpenSSLFailure) in
            try AEAD.gcm.open(
                ciphertext, key: key.storage, nonce: nonce, authenticating: data)
        }
    }

    private static func check(_ key: SecretKey) throws(CryptographyError) {
        guard key.byteCount == 16 || key.byteCount == 24 || key.byteCount == 32 else {
            throw CryptographyError(.invalidKeySize, "AES-GCM takes a key of 16, 24 or 32 bytes.")
        }
    }
}
