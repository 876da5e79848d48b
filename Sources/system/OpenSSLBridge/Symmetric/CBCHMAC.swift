// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// AES-CBC with HMAC-SHA-2 (RFC 7518, section 5.2) as `nonce ‖ ciphertext ‖ tag`.
///
/// The key is that of the HMAC and then that of AES, each as long as half of the digest. The tag is
/// the first half of the code of data, nonce, ciphertext and the length of the data in bits.
package struct CBCHMAC: Sendable {
    /// SHA-256 goes with AES-128, SHA-384 with AES-192, and SHA-512 with AES-256.
    private let digest: DigestAlgorithm

    package init(_ digest: DigestAlgorithm) { self.digest = digest }

    package var keyByteCount: Int { digest.byteCount }
    package var tagByteCount: Int { digest.byteCount / 2 }
    package static var nonceByteCount: Int { blockByteCount }
    /// libcrypto takes lengths as an int. This leaves room for the padding.
    package static var maximumPlaintextByteCount: Int { 1 << 30 }

    private static var blockByteCount: Int { 16 }

    /// Nonce, ciphertext and tag.
    ///
    /// - Parameter nonce: 16 bytes; nil for new random ones. CBC takes them only if no one can
    ///   foresee them.
    package func seal(
        _ plaintext: Span<UInt8>, key: SecretStorage, nonce: [UInt8]? = nil,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard key.count == keyByteCount, nonce.map({ $0.count == Self.nonceByteCount }) ?? true,
            plaintext.count <= Self.maximumPlaintextByteCount
        else { throw OpenSSLFailure(.invalidLength, "CBC-HMAC") }
        // The padding is 1 to 16 bytes.
        let ciphertextCount =
            plaintext.count - plaintext.count % Self.blockByteCount + Self.blockByteCount
        let tagStart = Self.nonceByteCount + ciphertextCount
        return try unsafe newBytes(count: tagStart + tagByteCount) {
            (base) throws(OpenSSLFailure) in
            if let nonce {
                unsafe nonce.span.withBase { unsafe base.update(from: $0, count: $1) }
            } else {
                try unsafe fillWithRandomBytes(base, count: Self.nonceByteCount)
            }
            let written = try unsafe cipher(
                plaintext, key: key, nonce: base, to: base + Self.nonceByteCount, sealing: true)
            guard written == ciphertextCount else { throw OpenSSLFailure(.refused, "AES-CBC") }
            let sealed = unsafe UnsafeBufferPointer(
                start: base + Self.nonceByteCount, count: ciphertextCount)
            let nonce = unsafe UnsafeBufferPointer(start: base, count: Self.nonceByteCount)
            var code = InlineArray<64, UInt8>(repeating: 0)
            try authenticate(
                unsafe sealed.span, key: key, nonce: unsafe nonce.span, data: data, to: &code)
            for index in 0..<tagByteCount { unsafe base[tagStart + index] = code[index] }
        }
    }

    /// The plaintext. The code is compared, in constant time, before anything is decrypted.
    ///
    /// - Throws: `authentication` for every fault of ciphertext, tag, nonce and data.
    package func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>,
        authenticating data: Span<UInt8>
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard key.count == keyByteCount else { throw OpenSSLFailure(.invalidLength, "key") }
        guard tag.count == tagByteCount, nonce.count == Self.nonceByteCount, ciphertext.count > 0,
            ciphertext.count.isMultiple(of: Self.blockByteCount),
            ciphertext.count <= Self.maximumPlaintextByteCount
        else { throw OpenSSLFailure(.authentication, "length") }
        var code = InlineArray<64, UInt8>(repeating: 0)
        try authenticate(ciphertext, key: key, nonce: nonce, data: data, to: &code)
        guard constantTimeEqual(code.span.extracting(0..<tagByteCount), tag) else {
            throw OpenSSLFailure(.authentication, "tag")
        }
        // libcrypto may use a block more than it keeps.
        return try unsafe newBytes(room: ciphertext.count + Self.blockByteCount) {
            (base, count) throws(OpenSSLFailure) in
            try unsafe nonce.withBase { (nonce, _) throws(OpenSSLFailure) in
                count = try unsafe cipher(
                    ciphertext, key: key, nonce: nonce, to: base, sealing: false)
            }
        }
    }

    /// Writes the whole code to `code`.
    private func authenticate(
        _ ciphertext: Span<UInt8>, key: SecretStorage, nonce: Span<UInt8>, data: Span<UInt8>,
        to code: inout InlineArray<64, UInt8>
    ) throws(OpenSSLFailure) {
        let context = try key.withBytes { (bytes) throws(OpenSSLFailure) in
            try MACContext(digest, key: bytes.extracting(0..<(keyByteCount / 2)))
        }
        try context.absorb(data)
        try context.absorb(nonce)
        try context.absorb(ciphertext)
        // A byte count is below 2^61.
        var length = (UInt64(data.count) &* 8).bigEndian
        try unsafe withUnsafeBytes(of: &length) { (bytes) throws(OpenSSLFailure) in
            try context.absorb(unsafe bytes.bindMemory(to: UInt8.self).span)
        }
        try unsafe withUnsafeMutableBytes(of: &code) { (buffer) throws(OpenSSLFailure) in
            guard let base = buffer.baseAddress else { throw OpenSSLFailure(.noMemory, "code") }
            try unsafe context.finish(
                into: base.assumingMemoryBound(to: UInt8.self), count: digest.byteCount)
        }
    }

    /// AES-CBC with the padding of PKCS #7, to `base`, which has room for a block more than the
    /// input. What is not returned is wiped.
    private func cipher(
        _ input: Span<UInt8>, key: SecretStorage, nonce: UnsafePointer<UInt8>,
        to base: UnsafeMutablePointer<UInt8>, sealing: Bool
    ) throws(OpenSSLFailure) -> Int {
        let table = AlgorithmTable.shared
        let type =
            switch digest {
            case .sha256: try unsafe table.aes128CBC.required()
            case .sha384: try unsafe table.aes192CBC.required()
            case .sha512: try unsafe table.aes256CBC.required()
            }
        let context = try CipherContext()
        try require(
            unsafe EVP_CipherInit_ex2(
                context.pointer, type, key.start + keyByteCount / 2, nonce, sealing ? 1 : 0, nil),
            "EVP_CipherInit_ex2")
        var (first, last): (Int32, Int32) = (0, 0)
        let isDone = unsafe input.withBase { input, count in
            unsafe EVP_CipherUpdate(context.pointer, base, &first, input, Int32(count)) == 1
                && EVP_CipherFinal_ex(context.pointer, base + Int(first), &last) == 1
        }
        guard isDone else {
            unsafe OPENSSL_cleanse(base, input.count)
            // After the code matched, only a holder of the key can have made a wrong padding.
            throw OpenSSLFailure.fromErrorQueue(
                "EVP_CipherFinal_ex", kind: sealing ? .refused : .authentication)
        }
        return Int(first) + Int(last)
    }
}
