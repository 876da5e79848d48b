// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// `count` bytes from libcrypto's public random generator, fit for nonces and identifiers.
package func randomBytes(count: Int) throws(OpenSSLFailure) -> [UInt8] {
    guard count >= 0, count <= Int(Int32.max) else {
        throw OpenSSLFailure(.invalidLength, "random")
    }
    guard count > 0 else { return [] }
    return try unsafe newBytes(count: count) { (base) throws(OpenSSLFailure) in
        try unsafe fillWithRandomBytes(base, count: count)
    }
}

/// Writes `count` bytes, 1 to 2^31 - 1, to `base`.
@inline(__always)
func fillWithRandomBytes(_ base: UnsafeMutablePointer<UInt8>, count: Int) throws(OpenSSLFailure) {
    guard let length = Int32(exactly: count) else { throw OpenSSLFailure(.invalidLength, "random") }
    try require(unsafe RAND_bytes(base, length), "RAND_bytes")
}

extension SecretStorage {
    /// `count` bytes from libcrypto's private random generator.
    package convenience init(randomCount count: Int) throws(OpenSSLFailure) {
        guard let length = Int32(exactly: count), count >= 0 else {
            throw OpenSSLFailure(.invalidLength, "random")
        }
        try unsafe self.init(count: count) { (target) throws(OpenSSLFailure) in
            guard count > 0 else { return }
            guard let base = target.baseAddress else {
                throw OpenSSLFailure(.noMemory, "random")
            }
            try require(unsafe RAND_priv_bytes(base, length), "RAND_priv_bytes")
        }
    }
}
