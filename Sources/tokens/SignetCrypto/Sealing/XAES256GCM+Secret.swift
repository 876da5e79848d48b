// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// For many small records: input as spans, plaintext only in memory that is wiped.
extension XAES256GCM {
    /// Seals a span, with the errors of ``seal(_:using:authenticating:)``.
    ///
    /// - Parameter nonce: for known-answer tests only; nil takes a random nonce.
    package static func seal(
        span plaintext: Span<UInt8>, using key: SecretKey, nonce: [UInt8]? = nil,
        authenticating data: [UInt8]
    ) throws(CryptographyError) -> [UInt8] {
        guard let nonce else { return try seal(plaintext, using: key, authenticating: data.span) }
        return try seal(plaintext, using: key, nonce: nonce.span, authenticating: data.span)
    }

    /// Like ``open(_:using:authenticating:)``, with the plaintext in memory that is wiped.
    package static func openSecret(
        span combined: Span<UInt8>, using key: SecretKey, authenticating data: [UInt8]
    ) throws(CryptographyError) -> SecretKey {
        try check(key)
        return try SealedForm.open(combined, by: .xaes) {
            (ciphertext, nonce) throws(OpenSSLFailure) in
            SecretKey(
                storage: try AEAD.xaes.openSecret(
                    ciphertext, key: key.storage, nonce: nonce, authenticating: data.span))
        }
    }
}
