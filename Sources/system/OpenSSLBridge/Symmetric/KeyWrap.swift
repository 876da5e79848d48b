// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import SignetMemory

/// AES key wrap with the default initial value (RFC 3394; KW of NIST SP 800-38F).
package enum KeyWrap {
    /// The result is longer than the key by that much.
    package static var overhead: Int { 8 }

    /// RFC 3394 wraps at least two blocks of 8 bytes and states no upper limit. NIST's own vectors
    /// end at 512 bytes.
    package static var keyByteCounts: ClosedRange<Int> { 16...4096 }

    /// Whether a key of that length can be wrapped.
    package static func takes(byteCount: Int) -> Bool {
        keyByteCounts.contains(byteCount) && byteCount.isMultiple(of: 8)
    }

    package static func wrap(
        _ key: SecretStorage, under wrappingKey: SecretStorage
    ) throws(OpenSSLFailure) -> [UInt8] {
        guard takes(byteCount: key.count) else { throw OpenSSLFailure(.invalidLength, "key") }
        let context = try initialised(wrappingKey, wrapping: true)
        return try unsafe newBytes(count: key.count + overhead) { (base) throws(OpenSSLFailure) in
            try unsafe run(
                context, input: key.start, count: key.count, output: base,
                expected: key.count + overhead)
        }
    }

    /// - Throws: `authentication` for every fault of `wrapped`.
    package static func unwrap(
        _ wrapped: Span<UInt8>, under wrappingKey: SecretStorage
    ) throws(OpenSSLFailure) -> SecretStorage {
        let context = try initialised(wrappingKey, wrapping: false)
        let count = wrapped.count - overhead
        guard takes(byteCount: count) else { throw OpenSSLFailure(.authentication, "length") }
        return try unsafe SecretStorage(count: count) { (target) throws(OpenSSLFailure) in
            guard let base = target.baseAddress else { throw OpenSSLFailure(.noMemory, "key") }
            try unsafe wrapped.withBase { (input, length) throws(OpenSSLFailure) in
                try unsafe run(
                    context, input: input, count: length, output: base, expected: count)
            }
        }
    }

    private static func initialised(
        _ key: SecretStorage, wrapping: Bool
    ) throws(OpenSSLFailure) -> CipherContext {
        let table = AlgorithmTable.shared
        // libcrypto takes no key length, so the cipher must be that of the key.
        let type =
            switch key.count {
            case 16: try unsafe table.aes128Wrap.required()
            case 24: try unsafe table.aes192Wrap.required()
            case 32: try unsafe table.aes256Wrap.required()
            default: throw OpenSSLFailure(.invalidLength, "key")
            }
        let context = try CipherContext()
        try require(
            unsafe EVP_CipherInit_ex2(
                context.pointer, type, key.start, nil, wrapping ? 1 : 0, nil),
            "EVP_CipherInit_ex2")
        return context
    }

    /// One pass over the whole input. A failure is that of unwrapping: libcrypto has wiped the
    /// output by then.
    private static func run(
        _ context: borrowing CipherContext, input: UnsafePointer<UInt8>, count: Int,
        output: UnsafeMutablePointer<UInt8>, expected: Int
    ) throws(OpenSSLFailure) {
        var written: Int32 = 0
        guard
            unsafe EVP_CipherUpdate(context.pointer, output, &written, input, Int32(count)) == 1,
            Int(written) == expected
        else { throw OpenSSLFailure.fromErrorQueue("EVP_CipherUpdate", kind: .authentication) }
    }
}
