// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The digest of one message, written to `output`, which holds at least the digest's length.
@inline(__always)
func digest(
    _ algorithm: DigestAlgorithm, _ message: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>
) throws(OpenSSLFailure) {
    let type = try unsafe algorithm.required()
    let context = try unsafe ThreadContexts.currentDigest()
    try require(unsafe EVP_DigestInit_ex2(context, type, nil), "EVP_DigestInit_ex2")
    let returnCode = unsafe message.withBase { unsafe EVP_DigestUpdate(context, $0, $1) }
    try require(returnCode, "EVP_DigestUpdate")
    try require(unsafe EVP_DigestFinal_ex(context, output, nil), "EVP_DigestFinal_ex")
}

/// The digest of one message.
package func digest(_ algorithm: DigestAlgorithm, _ message: Span<UInt8>) throws(OpenSSLFailure)
    -> [UInt8]
{
    var output = [UInt8](repeating: 0, count: algorithm.byteCount)
    let result: Result<Void, OpenSSLFailure> = unsafe output.withUnsafeMutableBufferPointer {
        buffer in
        guard let base = buffer.baseAddress else {
            return .failure(OpenSSLFailure(.invalidLength, "digest"))
        }
        do throws(OpenSSLFailure) {
            try unsafe digest(algorithm, message, into: base)
            return .success(())
        } catch {
            return .failure(error)
        }
    }
    try result.get()
    return output
}
