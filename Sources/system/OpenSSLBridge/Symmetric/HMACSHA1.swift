// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// HMAC-SHA-1 (RFC 2104) of a short message, only for one-time passwords: most authenticator apps
/// offer nothing else. `DigestAlgorithm` has no SHA-1, so nothing else can use it.
package func hmacSHA1(
    key: Span<UInt8>, message: Span<UInt8>
) throws(OpenSSLFailure) -> SecretStorage {
    let context = try MACContext(digest: "SHA1", key: key)
    return try unsafe SecretStorage(count: 20) { (target) throws(OpenSSLFailure) in
        guard let base = target.baseAddress else { throw OpenSSLFailure(.noMemory, "hmacSHA1") }
        try unsafe context.compute(message, into: base, count: 20)
    }
}
