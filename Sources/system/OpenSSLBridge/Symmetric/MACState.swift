// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// HMAC (RFC 2104) under a key, for any number of threads at once.
package final class MACState: Sendable {
    package let algorithm: DigestAlgorithm
    /// Holds the absorbed key and computes nothing itself.
    private let template: MACContext
    /// Used contexts that can restart. Nil if libcrypto cannot restart them: a fresh copy then
    /// computes each code, at 2.6 times the cost.
    private let contexts: ContextPool?

    /// - Parameter mayRestart: false to test the slower way.
    package init(
        key: Span<UInt8>, algorithm: DigestAlgorithm, mayRestart: Bool = true
    ) throws(OpenSSLFailure) {
        self.algorithm = algorithm
        template = try MACContext(algorithm, key: key)
        contexts = try mayRestart ? Self.pool(template, algorithm: algorithm) : nil
    }

    /// A pool, if a restarted context computes the same code again; nil if it does not.
    private static func pool(
        _ template: MACContext, algorithm: DigestAlgorithm
    ) throws(OpenSSLFailure) -> ContextPool? {
        let context = try MACContext(copying: template)
        var codes: [[UInt8]] = []
        for probe: [UInt8] in [[1], [2], [1]] {
            codes.append(
                try unsafe newBytes(count: algorithm.byteCount) { (base) throws(OpenSSLFailure) in
                    try unsafe context.compute(probe.span, into: base, count: algorithm.byteCount)
                })
            try context.restart()
        }
        // Both are the code of [1], with another message in between.
        guard codes.first == codes.last else { return nil }
        let pool = ContextPool()
        pool.giveBack(context)
        return pool
    }

    /// Writes the code of `message` to `output`, which holds at least the digest's length.
    private func compute(_ message: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>)
        throws(OpenSSLFailure)
    {
        let context: MACContext
        if let idle = contexts?.take(MACContext.self) {
            context = idle
        } else {
            context = try MACContext(copying: template)
        }
        try unsafe context.compute(message, into: output, count: algorithm.byteCount)
        // A context that does not restart is freed; the code is still good.
        if let contexts, (try? context.restart()) != nil { contexts.giveBack(context) }
    }

    /// The code as a tag, which is sent with the message and is not secret.
    package func tag(for message: Span<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
        try unsafe newBytes(count: algorithm.byteCount) { (base) throws(OpenSSLFailure) in
            try unsafe compute(message, into: base)
        }
    }

    /// The code as key material, in memory that is wiped.
    package func code(for message: Span<UInt8>) throws(OpenSSLFailure) -> SecretStorage {
        try unsafe SecretStorage(count: algorithm.byteCount) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else {
                throw OpenSSLFailure(.noMemory, "code")
            }
            try unsafe compute(message, into: base)
        }
    }

    /// The code of HMAC-SHA-256 as a value, which is neither allocated nor wiped: only for codes
    /// that are not secret. Four numbers of eight octets each, the first octet highest.
    package func code256(for message: Span<UInt8>) throws(OpenSSLFailure) -> SIMD4<UInt64> {
        guard algorithm == .sha256 else { throw OpenSSLFailure(.invalidLength, "code256") }
        var code = SIMD4<UInt64>()
        try unsafe withUnsafeMutableBytes(of: &code) { (buffer) throws(OpenSSLFailure) in
            // 32 bytes by its type.
            guard let base = buffer.baseAddress else {
                throw OpenSSLFailure(.noMemory, "code")
            }
            try unsafe compute(message, into: base.assumingMemoryBound(to: UInt8.self))
        }
        for index in code.indices { code[index] = UInt64(bigEndian: code[index]) }
        return code
    }

    /// Whether `code` is the whole code of `message`. Compares the length first, then the bytes in
    /// constant time.
    ///
    /// - Throws: if libcrypto cannot compute, whatever the code and the message are.
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
