// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The hash functions that Signet uses (FIPS 180-4).
package enum DigestAlgorithm: Sendable, CaseIterable {
    case sha256, sha384, sha512

    /// Length of the digest in bytes.
    package var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Length of the block that HMAC pads its key to, in bytes.
    var blockByteCount: Int {
        switch self {
        case .sha256: 64
        case .sha384, .sha512: 128
        }
    }

    func required() throws(OpenSSLFailure) -> OpaquePointer {
        switch self {
        case .sha256: try unsafe AlgorithmTable.shared.sha256.required()
        case .sha384: try unsafe AlgorithmTable.shared.sha384.required()
        case .sha512: try unsafe AlgorithmTable.shared.sha512.required()
        }
    }
}
