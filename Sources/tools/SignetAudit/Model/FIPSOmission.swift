// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The things that a FIPS provider may lack. Only these may be absent without being a deviation, and only
/// where the process fetches with `fips=yes`.
package enum FIPSOmission: String, Sendable, CaseIterable {
    case scrypt, argon2id, x25519
    /// Keys of HMAC, and of HKDF, under 112 bits (NIST SP 800-131A), which a pedantic module
    /// refuses.
    case shortKeys = "short-keys"

    /// The shortest key that every provider takes: 112 bits.
    private static let minimumKeyByteCount = 14

    /// Whether the loaded libcrypto offers it in this process.
    package var isOffered: Bool {
        switch self {
        case .scrypt: KeyDerivation.isScryptAvailable
        case .argon2id: KeyDerivation.isArgon2idAvailable
        case .x25519: CryptoProvider.hasX25519
        case .shortKeys:
            (try? MACKey(
                SecretKey(copying: [UInt8](repeating: 0, count: Self.minimumKeyByteCount - 1)),
                hash: .sha256)) != nil
        }
    }

    /// The need of a case with such an HMAC key; nil if it needs nothing of the list.
    static func key(_ bytes: [UInt8]) -> FIPSOmission? {
        (1..<minimumKeyByteCount).contains(bytes.count) ? .shortKeys : nil
    }
}
