// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Random bytes for nonces, identifiers and salts. For keys use `SecretKey.generate` or
/// `SecretBytes.random`.
public enum SecureRandom {
    /// `count` bytes from libcrypto's generator, 0 to 2,147,483,647.
    ///
    /// - Throws: `invalidParameter` for a count out of range, `libraryFailure` when there is no
    ///   randomness.
    public static func bytes(count: Int) throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try randomBytes(count: count)
        }
    }
}
