// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// The hash functions that Signet offers (FIPS 180-4), none weaker than SHA-256.
public enum HashAlgorithm: String, CaseIterable, Sendable, Hashable {
    /// SHA-256, 32 bytes.
    case sha256 = "SHA-256"
    /// SHA-384, 48 bytes.
    case sha384 = "SHA-384"
    /// SHA-512, 64 bytes.
    case sha512 = "SHA-512"

    /// Length of the digest in bytes.
    public var byteCount: Int { bridged.byteCount }

    package var bridged: DigestAlgorithm {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
