// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// XAES-256-GCM (C2SP): AES-256-GCM under a key derived for each 24-byte nonce, `nonce ‖ ciphertext
/// ‖ tag`.
///
/// ```swift
/// let key = try SecretKey.generate()
/// let sealed = try XAES256GCM.seal(
///     "a database password".utf8, using: key, authenticating: "row 17".utf8)
/// let opened = try XAES256GCM.open(sealed, using: key, authenticating: "row 17".utf8)
/// ```
///
/// Random nonces are safe for 2^80 messages under the same key, so this is the default for stored
/// data. A nonce that is reused with the same key lets an attacker forge messages. Like GCM, XAES
/// does not commit to its key.
///
/// Each operation takes a span or any collection of bytes, as in ``AESGCM``.
public enum XAES256GCM: SealingAlgorithm {
    /// Length of the key in bytes, the only accepted length.
    public static var keyByteCount: Int { XAESKeySchedule.keyByteCount }
    /// Length of the nonce in bytes, the only accepted length.
    public static var nonceByteCount: Int { XAESKeySchedule.nonceByteCount }
    /// Length of the tag in bytes, the only accepted length.
    public static var tagByteCount: Int { AEAD.tagByteCount }

    /// Encrypts `plaintext` and authenticates it together with `data`, under a new random nonce.
    ///
    /// - Parameters:
    ///   - plaintext: the bytes to encrypt.
    ///   - key: 32 bytes.
    ///   - data: bytes that are not encrypted and must be the same when the message is opened.
    /// - Returns: nonce (24 bytes), ciphertext (as long as the plaintext), tag (16 bytes).
    /// - Throws: `invalidKeySize`, `tooLarge` over 2^36 - 32 bytes, `libraryFailure` if there is no
    ///   randomness.
    public static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        return try SealedForm.seal(plaintext, by: .xaes, using: key, authenticating: data)
    }

    /// Seals with a nonce of the caller, who must never use it again with the same key.
    ///
    /// - Throws: `invalidNonceSize` unless the nonce has 24 bytes, and the errors of
    ///   ``seal(_:using:authenticating:)``.
    public static func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        return try SealedForm.seal(
            plaintext, by: .xaes, using: key, nonce: nonce, authenticating: data)
    }

    /// Opens what ``seal(_:using:authenticating:)`` returned.
    ///
    /// - Throws: `authenticationFailure` if any part was changed or cut off, or `invalidKeySize`.
    ///   No plaintext is returned then.
    public static func open(
        _ combined: Span<UInt8>, using key: SecretKey, authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        return try SealedForm.open(combined, by: .xaes) {
            (ciphertext, nonce) throws(OpenSSLFailure) in
            try AEAD.xaes.open(
                ciphertext, key: key.storage, nonce: nonce, authenticating: data)
        }
    }

    static func check(_ key: SecretKey) throws(CryptographyError) {
        guard key.byteCount == keyByteCount else {
            throw CryptographyError(
                .invalidKeySize, "XAES-256-GCM takes a key of \(keyByteCount) bytes.")
        }
    }
}
