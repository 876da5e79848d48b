// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// The owner of an `EVP_MAC_CTX` for HMAC with its key, which libcrypto wipes when it is freed.
///
/// `@unchecked Sendable`: a shared context is only copied; a context that is not shared has one
/// caller at a time.
@safe
final class MACContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    convenience init(_ algorithm: DigestAlgorithm, key: Span<UInt8>) throws(OpenSSLFailure) {
        try self.init(digest: algorithm.name, key: key)
    }

    /// - Parameter name: libcrypto's name of the hash.
    init(digest name: StaticString, key: Span<UInt8>) throws(OpenSSLFailure) {
        let fetched = try unsafe AlgorithmTable.shared.hmac.required()
        unsafe pointer = try unsafe require(EVP_MAC_CTX_new(fetched), "EVP_MAC_CTX_new")
        // Not const because the same structure also takes results. libcrypto only reads it here.
        let digest = unsafe UnsafeMutablePointer(mutating: cString(name))
        let parameters = unsafe [
            OSSL_PARAM_construct_utf8_string(cString("digest"), digest, 0),
            OSSL_PARAM_construct_end(),
        ]
        let returnCode = unsafe key.withBase { key, count in
            unsafe parameters.withUnsafeBufferPointer {
                unsafe EVP_MAC_init(pointer, key, count, $0.baseAddress)
            }
        }
        try require(returnCode, "EVP_MAC_init")
    }

    init(copying other: MACContext) throws(OpenSSLFailure) {
        unsafe pointer = try unsafe require(EVP_MAC_CTX_dup(other.pointer), "EVP_MAC_CTX_dup")
    }

    deinit { unsafe EVP_MAC_CTX_free(pointer) }

    /// Restarts with the same key (EVP_MAC_init(3)). Providers before OpenSSL 3.0.3 report success
    /// and do nothing; ``MACState`` checks for that.
    func restart() throws(OpenSSLFailure) {
        try require(unsafe EVP_MAC_init(pointer, nil, 0, nil), "EVP_MAC_init")
    }

    /// Writes the code of `message`, `count` bytes, to `output`. The context must be new or
    /// restarted.
    func compute(
        _ message: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>, count: Int
    ) throws(OpenSSLFailure) {
        try absorb(message)
        try unsafe finish(into: output, count: count)
    }

    /// Takes the next part of a message.
    func absorb(_ part: Span<UInt8>) throws(OpenSSLFailure) {
        let returnCode = unsafe part.withBase { unsafe EVP_MAC_update(pointer, $0, $1) }
        try require(returnCode, "EVP_MAC_update")
    }

    /// Writes the code of the parts, `count` bytes, to `output`.
    func finish(into output: UnsafeMutablePointer<UInt8>, count: Int) throws(OpenSSLFailure) {
        var written = 0
        try require(unsafe EVP_MAC_final(pointer, output, &written, count), "EVP_MAC_final")
        guard written == count else { throw OpenSSLFailure(.refused, "EVP_MAC_final") }
    }
}
