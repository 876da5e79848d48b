// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

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

    /// The name by which libcrypto's own algorithms ask for it.
    var name: StaticString {
        switch self {
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
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

/// The digest of a message.
package func digest(
    _ algorithm: DigestAlgorithm, of message: Span<UInt8>
) throws(OpenSSLFailure) -> [UInt8] {
    try unsafe newBytes(count: algorithm.byteCount) { (base) throws(OpenSSLFailure) in
        try unsafe digest(algorithm, of: message, into: base)
    }
}

/// The digest of a message, written to `output`, which holds at least the digest's length.
func digest(
    _ algorithm: DigestAlgorithm, of message: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>
) throws(OpenSSLFailure) {
    let type = try unsafe algorithm.required()
    let returnCode = unsafe message.withBase { unsafe EVP_Digest($0, $1, output, nil, type, nil) }
    try require(returnCode, "EVP_Digest")
}
