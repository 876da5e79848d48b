// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// The steps that the sealing algorithms share once a key's length is checked.
enum SealedForm {
    @inline(__always)
    static func seal(
        _ plaintext: Span<UInt8>, by algorithm: AEAD, using key: SecretKey,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        try checkPlaintext(plaintext.count)
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try algorithm.seal(plaintext, key: key.storage, authenticating: data)
        }
    }

    @inline(__always)
    static func seal(
        _ plaintext: Span<UInt8>, by algorithm: AEAD, using key: SecretKey, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(CryptographyError) -> [UInt8] {
        guard nonce.count == algorithm.nonceByteCount else {
            throw CryptographyError(
                .invalidNonceSize,
                "\(name(of: algorithm)) takes a nonce of \(algorithm.nonceByteCount) bytes.")
        }
        try checkPlaintext(plaintext.count)
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try algorithm.seal(plaintext, key: key.storage, nonce: nonce, authenticating: data)
        }
    }

    /// Opens nonce, ciphertext and tag, joined.
    ///
    /// - Parameter unseal: gets the ciphertext with its tag, and the nonce.
    @inline(__always)
    static func open<Plaintext>(
        _ combined: Span<UInt8>, by algorithm: AEAD,
        _ unseal: (Span<UInt8>, Span<UInt8>) throws(OpenSSLFailure) -> Plaintext
    ) throws(CryptographyError) -> Plaintext {
        let nonceByteCount = algorithm.nonceByteCount
        // offset  size  field (n is 12 for AES-GCM, 24 for XAES-256-GCM)
        //      0     n  nonce
        //      n        ciphertext, as long as the plaintext
        // end-16    16  tag
        guard combined.count >= nonceByteCount + AEAD.tagByteCount else {
            throw CryptographyError.notAuthentic
        }
        return try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try unseal(
                combined.extracting(droppingFirst: nonceByteCount),
                combined.extracting(first: nonceByteCount))
        }
    }

    private static func checkPlaintext(_ byteCount: Int) throws(CryptographyError) {
        guard byteCount <= AEAD.maximumPlaintextByteCount else {
            throw CryptographyError(.tooLarge, "At most 2^36 - 32 bytes are sealed at once.")
        }
    }

    private static func name(of algorithm: AEAD) -> ErrorMessage {
        switch algorithm {
        case .gcm: "AES-GCM"
        case .xaes: "XAES-256-GCM"
        }
    }
}
