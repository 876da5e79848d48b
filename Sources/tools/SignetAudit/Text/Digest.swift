// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// SHA-256, as `sha256sum` writes it.
enum Digest {
    /// The hash in hexadecimal; nil if libcrypto cannot compute it.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        (try? MessageDigest.digest(bytes, using: .sha256)).map(\.hexadecimalText)
    }
}
