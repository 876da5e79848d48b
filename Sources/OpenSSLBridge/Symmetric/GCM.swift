// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// AES-GCM (NIST SP 800-38D) with a 96-bit nonce and a 128-bit tag, nothing else.
package enum GCM {
    package static let nonceByteCount = 12
    package static let tagByteCount = 16
    /// SP 800-38D, section 5.2.1.1: 2^39 - 256 bits of plaintext, in bytes.
    package static let maximumPlaintextByteCount = (1 << 36) - 32
    /// libcrypto takes lengths as an int, so that longer inputs go in pieces.
    static let pieceByteCount = 1 << 30

    /// Appends nonce, ciphertext and tag to `prefix`, which is empty or holds what goes before them.
    package static func seal(
        _ plaintext: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>, prefix: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let context = try initialise(key: key, nonce: nonce, sealing: true)
        return try seal(plaintext, with: context, prefix: prefix, authenticating: data)
    }

    /// With a context that has its key and its nonce, and has sealed nothing under that nonce.
    static func seal(
        _ plaintext: Span<UInt8>, with context: borrowing CipherContext, prefix: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard plaintext.count <= maximumPlaintextByteCount else {
            throw OpenSSLFailure(.invalidLength, "plaintext")
        }
        try authenticate(data, context)
        let head = prefix.count
        let total = head + plaintext.count + tagByteCount
        return try unsafe output(count: total) { (base) throws(OpenSSLFailure) in
            unsafe prefix.withBase { unsafe base.update(from: $0, count: $1) }
            try unsafe process(plaintext, into: base + head, context)
            var written: Int32 = 0
            try require(
                unsafe EVP_EncryptFinal_ex(context.pointer, base + head + plaintext.count, &written),
                "EVP_EncryptFinal_ex")
            try require(
                unsafe EVP_CIPHER_CTX_ctrl(
                    context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), base + head + plaintext.count
                ),
                "EVP_CTRL_AEAD_GET_TAG")
        }
    }

    /// The plaintext of `ciphertext` followed by its tag. Nothing is returned unless the tag is right.
    package static func open(
        _ ciphertextAndTag: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let context = try initialise(key: key, nonce: nonce, sealing: false)
        return try open(ciphertextAndTag, with: context, authenticating: data)
    }

    /// With a context that has its key and its nonce.
    static func open(
        _ ciphertextAndTag: Span<UInt8>, with context: borrowing CipherContext,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        let count = try plaintextByteCount(of: ciphertextAndTag)
        return try unsafe output(count: count) { (base) throws(OpenSSLFailure) in
            try unsafe decrypt(ciphertextAndTag, into: base, context, authenticating: data)
        }
    }

    /// As ``open(_:with:authenticating:)``, with the plaintext in storage that is wiped.
    static func openSecret(
        _ ciphertextAndTag: Span<UInt8>, with context: borrowing CipherContext,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> SecretStorage {
        let count = try plaintextByteCount(of: ciphertextAndTag)
        return try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { return }
            try unsafe decrypt(ciphertextAndTag, into: base, context, authenticating: data)
        }
    }

    // MARK: Pieces

    private static func plaintextByteCount(of ciphertextAndTag: Span<UInt8>) throws(OpenSSLFailure) -> Int {
        let count = ciphertextAndTag.count - tagByteCount
        guard count >= 0, count <= maximumPlaintextByteCount else {
            throw OpenSSLFailure(.authentication, "length")
        }
        return count
    }

    /// Writes the plaintext to `base`, which has room for it, and wipes it there when the tag is not the right one:
    /// what was decrypted without being authentic must not survive in freed memory either.
    private static func decrypt(
        _ ciphertextAndTag: Span<UInt8>, into base: UnsafeMutablePointer<UInt8>,
        _ context: borrowing CipherContext, authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) {
        let count = ciphertextAndTag.count - tagByteCount
        try authenticate(data, context)
        let pointer = unsafe context.pointer
        let setTag = unsafe ciphertextAndTag.extracting(count..<(count + tagByteCount)).withBase { base, _ in
            // The parameter is not const, because the same call also reads tags; here it is copied from.
            unsafe EVP_CIPHER_CTX_ctrl(
                pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagByteCount), UnsafeMutableRawPointer(mutating: base))
        }
        try require(setTag, "EVP_CTRL_AEAD_SET_TAG")
        var isAuthentic = false
        defer { if !isAuthentic { unsafe OPENSSL_cleanse(base, count) } }
        try unsafe process(ciphertextAndTag.extracting(0..<count), into: base, context)
        var written: Int32 = 0
        guard unsafe EVP_DecryptFinal_ex(pointer, base + count, &written) == 1 else {
            throw OpenSSLFailure.taken("EVP_DecryptFinal_ex", kind: .authentication)
        }
        isAuthentic = true
    }

    private static func cipher(keyByteCount: Int) throws(OpenSSLFailure) -> OpaquePointer {
        let fetched: AlgorithmTable.Fetched
        switch keyByteCount {
        case 16: fetched = AlgorithmTable.shared.aes128GCM
        case 24: fetched = AlgorithmTable.shared.aes192GCM
        case 32: fetched = AlgorithmTable.shared.aes256GCM
        // libcrypto takes no key length: it would read past the end of a short key, and no tool would notice.
        default: throw OpenSSLFailure(.invalidLength, "key")
        }
        guard let pointer = unsafe fetched.pointer else {
            throw OpenSSLFailure(.unavailable, "EVP_CIPHER_fetch")
        }
        return unsafe pointer
    }

    static func initialise(
        key: Span<UInt8>, nonce: Span<UInt8>, sealing: Bool
    ) throws(OpenSSLFailure) -> CipherContext {
        let type = try unsafe cipher(keyByteCount: key.count)
        guard nonce.count == nonceByteCount else { throw OpenSSLFailure(.invalidLength, "nonce") }
        let context = try CipherContext()
        let returnCode = unsafe key.withBase { keyBase, _ in
            unsafe nonce.withBase { nonceBase, _ in
                unsafe EVP_CipherInit_ex2(context.pointer, type, keyBase, nonceBase, sealing ? 1 : 0, nil)
            }
        }
        try require(returnCode, "EVP_CipherInit_ex2")
        return context
    }

    private static func authenticate(_ data: Span<UInt8>, _ context: borrowing CipherContext)
        throws(OpenSSLFailure)
    {
        var offset = 0
        while offset < data.count {
            let count = min(pieceByteCount, data.count - offset)
            var written: Int32 = 0
            let piece = data.extracting(offset..<(offset + count))
            let pointer = unsafe context.pointer
            let returnCode = unsafe piece.withBase {
                unsafe EVP_CipherUpdate(pointer, nil, &written, $0, Int32($1))
            }
            try require(returnCode, "EVP_CipherUpdate")
            offset += count
        }
    }

    private static func process(
        _ input: Span<UInt8>, into base: UnsafeMutablePointer<UInt8>, _ context: borrowing CipherContext
    ) throws(OpenSSLFailure) {
        var offset = 0
        while offset < input.count {
            let count = min(pieceByteCount, input.count - offset)
            var written: Int32 = 0
            let piece = input.extracting(offset..<(offset + count))
            let pointer = unsafe context.pointer
            let target = unsafe base + offset
            let returnCode = unsafe piece.withBase {
                unsafe EVP_CipherUpdate(pointer, target, &written, $0, Int32($1))
            }
            try require(returnCode, "EVP_CipherUpdate")
            guard Int(written) == count else { throw OpenSSLFailure(.refused, "EVP_CipherUpdate") }
            offset += count
        }
    }

    private static func output(
        count: Int, _ fill: (UnsafeMutablePointer<UInt8>) throws(OpenSSLFailure) -> Void
    ) throws(OpenSSLFailure) -> [UInt8] {
        var failure: OpenSSLFailure?
        // One spare byte, so that there is an address even for an empty result.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, initialised in
            initialised = 0
            guard let base = buffer.baseAddress else {
                failure = OpenSSLFailure(.invalidLength, "output")
                return
            }
            do throws(OpenSSLFailure) {
                try unsafe fill(base)
                initialised = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
