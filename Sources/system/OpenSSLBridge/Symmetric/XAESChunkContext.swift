// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// XAES-256-GCM for messages whose nonces share their first 12 bytes: the key is derived and
/// expanded once, and each message sets the last 12 bytes, which are GCM's own nonce.
///
/// It encrypts and decrypts in place, in a buffer that the caller uses for all messages. It does
/// not know which nonces were used.
@safe
package struct XAESChunkContext: ~Copyable {
    private let context: CipherContext
    private let isSealing: Bool

    /// - Parameter nonceStart: the 12 bytes that all nonces share.
    package init(
        key: SecretStorage, nonceStart: Span<UInt8>, sealing isSealing: Bool
    ) throws(OpenSSLFailure) {
        guard nonceStart.count == XAESKeySchedule.nonceByteCount - GCM.nonceByteCount else {
            throw OpenSSLFailure(.invalidLength, "nonce")
        }
        let derivation = try XAESDerivation(key)
        let type = try unsafe GCM.cipher(keyByteCount: XAESKeySchedule.keyByteCount)
        let context = try CipherContext()
        let pointer = unsafe context.pointer
        try unsafe nonceStart.withBase { (nonce, _) throws(OpenSSLFailure) in
            try unsafe derivation.withDerivedKey(nonce: nonce) {
                (derived) throws(OpenSSLFailure) in
                try unsafe GCM.initialise(
                    pointer, type: type, key: derived, nonce: nil, sealing: isSealing)
            }
        }
        self.context = context
        self.isSealing = isSealing
    }

    /// Encrypts the first `byteCount` bytes of the buffer, and writes the tag after them.
    ///
    /// - Parameter nonceEnd: the last 12 bytes of the nonce.
    package func seal(
        _ buffer: inout [UInt8], byteCount: Int, nonceEnd: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        guard isSealing, byteCount >= 0, byteCount <= buffer.count - AEAD.tagByteCount else {
            throw OpenSSLFailure(.invalidLength, "plaintext")
        }
        try setNonce(nonceEnd)
        let pointer = unsafe context.pointer
        try unsafe buffer.withUnsafeMutableBufferPointer { (all) throws(OpenSSLFailure) in
            guard let base = all.baseAddress else {
                throw OpenSSLFailure(.invalidLength, "plaintext")
            }
            // GCM takes its input and gives its output at one address.
            let plaintext = unsafe UnsafeBufferPointer(start: base, count: byteCount)
            try unsafe GCM.seal(plaintext.span, with: pointer, to: base, authenticating: data)
        }
    }

    /// Decrypts the first `byteCount` bytes of the buffer, after which the tag stands. They are
    /// wiped if the tag does not match.
    ///
    /// - Parameter nonceEnd: the last 12 bytes of the nonce.
    package func open(
        _ buffer: inout [UInt8], byteCount: Int, nonceEnd: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        guard !isSealing, byteCount >= 0, byteCount <= buffer.count - AEAD.tagByteCount else {
            throw OpenSSLFailure(.invalidLength, "ciphertext")
        }
        try setNonce(nonceEnd)
        let pointer = unsafe context.pointer
        try unsafe buffer.withUnsafeMutableBufferPointer { (all) throws(OpenSSLFailure) in
            guard let base = all.baseAddress else {
                throw OpenSSLFailure(.invalidLength, "ciphertext")
            }
            let ciphertext = unsafe UnsafeBufferPointer(start: base, count: byteCount)
            let tag = unsafe UnsafeBufferPointer(start: base + byteCount, count: AEAD.tagByteCount)
            try unsafe GCM.open(
                ciphertext.span, tag: tag.span, with: pointer, to: base, authenticating: data)
        }
    }

    private func setNonce(_ nonce: Span<UInt8>) throws(OpenSSLFailure) {
        guard nonce.count == GCM.nonceByteCount else {
            throw OpenSSLFailure(.invalidLength, "nonce")
        }
        let pointer = unsafe context.pointer
        try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
            try unsafe GCM.initialise(
                pointer, type: nil, key: nil, nonce: nonce, sealing: isSealing)
        }
    }
}
