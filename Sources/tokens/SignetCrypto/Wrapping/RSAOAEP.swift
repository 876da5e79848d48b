// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// RSAES-OAEP (RFC 8017, section 7.1): a key encrypted to the owner of an RSA key of 2048 to 4096
/// bits, with MGF1 over the same hash and an empty label, as RFC 7518, section 4.3, has it.
///
/// ```swift
/// let recipient = try RSAPrivateKey.generate()
/// let sent = try RSAOAEP.wrap(key, to: recipient.publicKey, hash: .sha256)
/// let received = try RSAOAEP.unwrap(sent, using: recipient, hash: .sha256)
/// ```
///
/// Anyone can encrypt to a public key, so the sender is **not** known. **Not** here:
/// RSAES-PKCS1-v1_5, labels, a second hash for MGF1, and larger keys, with which a stranger could
/// make a server work for long.
public enum RSAOAEP {
    /// The lengths of a modulus in bits.
    package static var bitCounts: ClosedRange<Int> { 2048...4096 }

    /// Encrypts a key to the owner of `recipient`.
    ///
    /// - Parameters:
    ///   - key: at most the modulus's length less two digests and 2 bytes: 126 bytes for 2048 bits
    ///     and SHA-512.
    ///   - recipient: 2048 to 4096 bits.
    ///   - hash: the hash, also of MGF1.
    /// - Returns: as many bytes as the modulus has.
    /// - Throws: `invalidKeySize` for the modulus; `tooLarge` for the key; `unsupported` if the
    ///   loaded libcrypto lacks the algorithm; `libraryFailure` if there is no randomness.
    public static func wrap(
        _ key: SecretKey, to recipient: RSAPublicKey, hash: HashAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        try check(recipient)
        let room = recipient.modulus.count - 2 * hash.byteCount - 2
        guard key.byteCount <= room else {
            throw CryptographyError(
                .tooLarge,
                "RSA-OAEP with \(recipient.bitCount) bits and \(shown: hash.rawValue) takes at most \(room) bytes, not \(key.byteCount)."
            )
        }
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try recipient.handle.encryptOAEP(key.storage, hash: hash.bridged)
        }
    }

    /// Decrypts a key of any length. Compare its length with what you need.
    ///
    /// - Parameters:
    ///   - wrapped: what ``wrap(_:to:hash:)`` returned.
    ///   - recipient: 2048 to 4096 bits.
    ///   - hash: the hash, also of MGF1.
    /// - Throws: `authenticationFailure` for every fault of `wrapped`, and for another key or hash;
    ///   `invalidKeySize` for the modulus; `unsupported`.
    public static func unwrap(
        _ wrapped: some Collection<UInt8>, using recipient: RSAPrivateKey, hash: HashAlgorithm
    ) throws(CryptographyError) -> SecretKey {
        try withSpan(of: wrapped) { (wrapped) throws(CryptographyError) in
            try unwrap(wrapped, using: recipient, hash: hash)
        }
    }

    package static func unwrap(
        _ wrapped: Span<UInt8>, using recipient: RSAPrivateKey, hash: HashAlgorithm
    ) throws(CryptographyError) -> SecretKey {
        try check(recipient.publicKey)
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            SecretKey(storage: try recipient.handle.decryptOAEP(wrapped, hash: hash.bridged))
        }
    }

    /// Decrypts a key that was encrypted with SHA-1 (`RSA-OAEP` of RFC 7518, section 4.3), for
    /// issuers that have nothing newer. Nothing here encrypts with it. No attack on OAEP with SHA-1
    /// is known, but NIST withdraws the hash by 2031.
    ///
    /// - Throws: the errors of ``unwrap(_:using:hash:)``.
    public static func unwrapWithSHA1(
        _ wrapped: some Collection<UInt8>, using recipient: RSAPrivateKey
    ) throws(CryptographyError) -> SecretKey {
        try withSpan(of: wrapped) { (wrapped) throws(CryptographyError) in
            try unwrapWithSHA1(wrapped, using: recipient)
        }
    }

    package static func unwrapWithSHA1(
        _ wrapped: Span<UInt8>, using recipient: RSAPrivateKey
    ) throws(CryptographyError) -> SecretKey {
        try check(recipient.publicKey)
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            SecretKey(storage: try recipient.handle.decryptOAEPWithSHA1(wrapped))
        }
    }

    private static func check(_ key: RSAPublicKey) throws(CryptographyError) {
        guard bitCounts.contains(key.bitCount) else {
            throw CryptographyError(
                .invalidKeySize,
                "RSA-OAEP takes a modulus of \(bitCounts.lowerBound) to \(bitCounts.upperBound) bits, not \(key.bitCount)."
            )
        }
    }
}
