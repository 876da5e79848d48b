// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The content encryptions of RFC 7518, section 5.1, under the names that JWE (encrypted tokens)
/// gives them. `seal` gives `nonce ‖ ciphertext ‖ tag`, and `open` takes the three apart. The tag
/// proves that nobody has changed the ciphertext, or data that is sent beside it.
///
/// ```
/// name           key  nonce  tag (bytes)
/// A128GCM         16     12   16   AES-GCM, which computes the tag itself
/// A128CBC-HS256   32     16   16   AES-CBC, then HMAC; half of the key is for each
/// A256CBC-HS512   64     16   32
/// ```
///
/// `package`: AES-CBC with HMAC is for JWE. Others use ``XAES256GCM`` or ``AESGCM``.
package enum ContentEncryption: String, CaseIterable, Sendable, Hashable {
    case a128GCM = "A128GCM"
    case a192GCM = "A192GCM"
    case a256GCM = "A256GCM"
    case a128CBCHS256 = "A128CBC-HS256"
    case a192CBCHS384 = "A192CBC-HS384"
    case a256CBCHS512 = "A256CBC-HS512"

    package var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a256GCM, .a128CBCHS256: 32
        case .a192CBCHS384: 48
        case .a256CBCHS512: 64
        }
    }

    package var nonceByteCount: Int {
        cbc == nil ? AEAD.gcm.nonceByteCount : CBCHMAC.nonceByteCount
    }

    package var tagByteCount: Int { cbc?.tagByteCount ?? AEAD.tagByteCount }

    /// Encrypts `plaintext`, and authenticates it together with `data`, under a new random nonce.
    ///
    /// - Parameter nonce: for known-answer tests only; nil takes a random nonce.
    /// - Throws: `invalidKeySize`, `invalidNonceSize`, `tooLarge` over 2^30 bytes with CBC or
    ///   2^36 - 32 with GCM, `libraryFailure` if there is no randomness.
    package func seal(
        _ plaintext: Span<UInt8>, using key: SecretKey, nonce: [UInt8]? = nil,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        guard nonce.map({ $0.count == nonceByteCount }) ?? true else {
            throw CryptographyError(
                .invalidNonceSize,
                "\(shown: rawValue) takes a nonce of \(nonceByteCount) bytes.")
        }
        guard let cbc else {
            // AES-GCM.
            guard let nonce else {
                return try AESGCM.seal(plaintext, using: key, authenticating: data)
            }
            return try AESGCM.seal(
                plaintext, using: key, nonce: nonce.span, authenticating: data)
        }
        guard plaintext.count <= CBCHMAC.maximumPlaintextByteCount else {
            throw CryptographyError(.tooLarge, "At most 2^30 bytes are encrypted at once.")
        }
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try cbc.seal(plaintext, key: key.storage, nonce: nonce, authenticating: data)
        }
    }

    /// The plaintext of `ciphertext`. With CBC, the tag is compared before anything is decrypted.
    ///
    /// - Throws: `authenticationFailure` for every fault of ciphertext, tag, nonce and data, wrong
    ///   lengths too; `invalidKeySize` for the key's length.
    package func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, using key: SecretKey, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try check(key)
        guard nonce.count == nonceByteCount else { throw CryptographyError.notAuthentic }
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            if let cbc {
                try cbc.open(
                    ciphertext, tag: tag, key: key.storage, nonce: nonce, authenticating: data)
            } else {
                try AEAD.gcm.open(
                    ciphertext, tag: tag, key: key.storage, nonce: nonce, authenticating: data)
            }
        }
    }

    /// AES-CBC with this hash for the HMAC; nil for AES-GCM.
    private var cbc: CBCHMAC? {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM: nil
        case .a128CBCHS256: CBCHMAC(.sha256)
        case .a192CBCHS384: CBCHMAC(.sha384)
        case .a256CBCHS512: CBCHMAC(.sha512)
        }
    }

    private func check(_ key: SecretKey) throws(CryptographyError) {
        guard key.byteCount == keyByteCount else {
            throw CryptographyError(
                .invalidKeySize, "\(shown: rawValue) takes a key of \(keyByteCount) bytes.")
        }
    }
}
