// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// AES-GCM with a context that has its key and its nonce.
enum GCM {
    static var nonceByteCount: Int { 12 }
    private static var tagByteCount: Int { AEAD.tagByteCount }
    /// libcrypto takes lengths as an int, so longer inputs go in pieces.
    private static var pieceByteCount: Int { 1 << 30 }

    /// Writes ciphertext and tag to `base`, which must have room. The context must not have sealed
    /// anything under its nonce.
    static func seal(
        _ plaintext: Span<UInt8>, with context: OpaquePointer, to base: UnsafeMutablePointer<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        try unsafe process(data, to: nil, context: context)
        try unsafe process(plaintext, to: base, context: context)
        let end = unsafe base + plaintext.count
        var written: Int32 = 0
        try require(unsafe EVP_EncryptFinal_ex(context, end, &written), "EVP_EncryptFinal_ex")
        try require(
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), end),
            "EVP_CTRL_AEAD_GET_TAG")
    }

    /// Writes the plaintext to `base`, which must have room, and wipes it if the tag does not
    /// match: unauthenticated plaintext must not survive in freed memory.
    ///
    /// - Parameter tag: exactly as long as a tag.
    static func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, with context: OpaquePointer,
        to base: UnsafeMutablePointer<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        try unsafe process(data, to: nil, context: context)
        let setTag = unsafe tag.withBase { input, _ in
            // Not const because the same call also reads tags. libcrypto only reads it here.
            unsafe EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount),
                UnsafeMutableRawPointer(mutating: input))
        }
        try require(setTag, "EVP_CTRL_AEAD_SET_TAG")
        let count = ciphertext.count
        var isAuthentic = false
        defer { if !isAuthentic { unsafe OPENSSL_cleanse(base, count) } }
        try unsafe process(ciphertext, to: base, context: context)
        var written: Int32 = 0
        guard unsafe EVP_DecryptFinal_ex(context, base + count, &written) == 1 else {
            throw OpenSSLFailure.fromErrorQueue("EVP_DecryptFinal_ex", kind: .authentication)
        }
        isAuthentic = true
    }

    static func cipher(keyByteCount: Int) throws(OpenSSLFailure) -> OpaquePointer {
        switch keyByteCount {
        case 16: return try unsafe AlgorithmTable.shared.aes128GCM.required()
        case 24: return try unsafe AlgorithmTable.shared.aes192GCM.required()
        case 32: return try unsafe AlgorithmTable.shared.aes256GCM.required()
        // libcrypto takes no key length: it would read past the end of a short key, and no tool
        // would notice.
        default: throw OpenSSLFailure(.invalidLength, "key")
        }
    }

    /// - Parameters:
    ///   - type: nil for a context that has its type.
    ///   - key: exactly as long as the type requires; nil for a context that keeps its own.
    ///   - nonce: 12 bytes; nil where a later call sets it.
    @inline(__always)
    static func initialise(
        _ context: OpaquePointer, type: OpaquePointer?, key: UnsafePointer<UInt8>?,
        nonce: UnsafePointer<UInt8>?, sealing: Bool
    ) throws(OpenSSLFailure) {
        try require(
            unsafe EVP_CipherInit_ex2(context, type, key, nonce, sealing ? 1 : 0, nil),
            "EVP_CipherInit_ex2")
    }

    // MARK: Pieces

    /// Without a target, the data is only authenticated.
    @inline(__always)
    private static func process(
        _ input: Span<UInt8>, to base: UnsafeMutablePointer<UInt8>?, context: OpaquePointer
    ) throws(OpenSSLFailure) {
        try unsafe input.withBase { (input, total) throws(OpenSSLFailure) in
            var offset = 0
            while offset < total {
                let count = min(pieceByteCount, total - offset)
                let target = unsafe base?.advanced(by: offset)
                var written: Int32 = 0
                try require(
                    unsafe EVP_CipherUpdate(
                        context, target, &written, input + offset, Int32(count)),
                    "EVP_CipherUpdate")
                guard unsafe base == nil || Int(written) == count else {
                    throw OpenSSLFailure(.refused, "EVP_CipherUpdate")
                }
                offset += count
            }
        }
    }
}
