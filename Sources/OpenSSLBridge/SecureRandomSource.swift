// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// `count` bytes from libcrypto's public random generator, fit for nonces and identifiers.
package func randomBytes(count: Int) throws(OpenSSLFailure) -> [UInt8] {
    guard count >= 0, count <= Int(Int32.max) else { throw OpenSSLFailure(.invalidLength, "random") }
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let returnCode = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
        guard let base = buffer.baseAddress else { return 0 }
        return unsafe RAND_bytes(base, Int32(count))
    }
    try require(returnCode, "RAND_bytes")
    return bytes
}
