// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// HMAC (RFC 2104) with the key already absorbed: the hash states after the inner and the outer padded key, which
/// each computation copies. Immutable once made; safe to use from many threads.
@safe
package final class MACState: @unchecked Sendable {
    package let algorithm: DigestAlgorithm
    private let inner: DigestContext
    private let outer: DigestContext

    package init(key: Span<UInt8>, algorithm: DigestAlgorithm) throws(OpenSSLFailure) {
        self.algorithm = algorithm
        inner = try DigestContext()
        outer = try DigestContext()
        let block = algorithm.blockByteCount
        let short = try unsafe SecretStorage(count: block) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { return }
            if key.count > block {
                try unsafe digest(algorithm, key, into: base)
            } else {
                unsafe key.withBase { source, count in
                    unsafe base.update(from: source, count: count)
                }
            }
        }
        try Self.absorb(short, xor: 0x36, algorithm, into: inner)
        try Self.absorb(short, xor: 0x5c, algorithm, into: outer)
    }

    private static func absorb(
        _ key: SecretStorage, xor pad: UInt8, _ algorithm: DigestAlgorithm,
        into context: borrowing DigestContext
    ) throws(OpenSSLFailure) {
        let padded = unsafe SecretStorage(count: key.count) { target in
            key.withBytes { bytes in
                for index in bytes.indices { unsafe target[index] = bytes[index] ^ pad }
            }
        }
        let type = try unsafe algorithm.required()
        try require(unsafe EVP_DigestInit_ex2(context.pointer, type, nil), "EVP_DigestInit_ex2")
        let pointer = unsafe context.pointer
        let returnCode = padded.withBytes { bytes in
            unsafe bytes.withBase { unsafe EVP_DigestUpdate(pointer, $0, $1) }
        }
        try require(returnCode, "EVP_DigestUpdate")
    }

    /// Writes the code of `message` to `output`, which holds at least the digest's length.
    @inline(__always)
    private func compute(_ message: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>)
        throws(OpenSSLFailure)
    {
        let work = try unsafe ThreadContexts.currentDigest()
        try require(unsafe EVP_MD_CTX_copy_ex(work, inner.pointer), "EVP_MD_CTX_copy_ex")
        let returnCode = unsafe message.withBase { unsafe EVP_DigestUpdate(work, $0, $1) }
        try require(returnCode, "EVP_DigestUpdate")
        try require(unsafe EVP_DigestFinal_ex(work, output, nil), "EVP_DigestFinal_ex")
        try require(unsafe EVP_MD_CTX_copy_ex(work, outer.pointer), "EVP_MD_CTX_copy_ex")
        try require(unsafe EVP_DigestUpdate(work, output, algorithm.byteCount), "EVP_DigestUpdate")
        try require(unsafe EVP_DigestFinal_ex(work, output, nil), "EVP_DigestFinal_ex")
    }

    /// The code as the tag that it is for its readers: it goes out with the message.
    package func tag(for message: Span<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
        var failure: OpenSSLFailure?
        let count = algorithm.byteCount
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
            initialised = 0
            guard let base = buffer.baseAddress else { return }
            do throws(OpenSSLFailure) {
                try unsafe compute(message, into: base)
                initialised = count
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The code as key material, which is wiped.
    package func code(for message: Span<UInt8>) throws(OpenSSLFailure) -> SecretStorage {
        try unsafe SecretStorage(count: algorithm.byteCount) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { return }
            try unsafe compute(message, into: base)
        }
    }

    /// The code of HMAC-SHA-256 as a value: nothing is allocated, and nothing is wiped. For codes that are no secret to
    /// whoever holds this memory.
    package func code256(for message: Span<UInt8>) throws(OpenSSLFailure) -> SIMD32<UInt8> {
        guard algorithm == .sha256 else { throw OpenSSLFailure(.invalidLength, "code256") }
        var code = SIMD32<UInt8>()
        try unsafe withUnsafeMutableBytes(of: &code) { (buffer) throws(OpenSSLFailure) in
            // 32 bytes by its type.
            guard let base = buffer.baseAddress else { return }
            try unsafe compute(message, into: base.assumingMemoryBound(to: UInt8.self))
        }
        return code
    }

    /// The code at the beginning of room for the longest one: nothing is allocated, and nothing is wiped.
    package func fixedCode(for message: Span<UInt8>) throws(OpenSSLFailure) -> InlineArray<
        64, UInt8
    > {
        var code = InlineArray<64, UInt8>(repeating: 0)
        try unsafe withUnsafeMutableBytes(of: &code) { (buffer) throws(OpenSSLFailure) in
            // 64 bytes by its type, as many as SHA-512 has.
            guard let base = buffer.baseAddress else { return }
            try unsafe compute(message, into: base.assumingMemoryBound(to: UInt8.self))
        }
        return code
    }

    /// Whether `code` is the whole code of `message`: the length first, then the bytes in constant time.
    ///
    /// - Throws: when libcrypto cannot compute, whatever the code and the message are.
    package func isValid(_ code: Span<UInt8>, for message: Span<UInt8>) throws(OpenSSLFailure)
        -> Bool
    {
        guard code.count == algorithm.byteCount else { return false }
        var own = InlineArray<64, UInt8>(repeating: 0)
        return try unsafe withUnsafeMutableBytes(of: &own) { (buffer) throws(OpenSSLFailure) in
            // 64 bytes by its type, as many as SHA-512 has.
            guard let base = buffer.baseAddress else {
                throw OpenSSLFailure(.invalidLength, "code")
            }
            try unsafe compute(message, into: base.assumingMemoryBound(to: UInt8.self))
            return unsafe code.withBase { unsafe CRYPTO_memcmp(base, $0, $1) == 0 }
        }
    }
}
