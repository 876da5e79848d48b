// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetMemory

/// Digests of whole messages.
///
/// ```swift
/// let digest = try MessageDigest.digest("a release".utf8, using: .sha256)
/// ```
public enum MessageDigest {
    /// The digest of `message`.
    ///
    /// - Throws: `unsupported` when the loaded libcrypto lacks the hash.
    public static func digest(
        _ message: some Collection<UInt8>, using algorithm: HashAlgorithm
    ) throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try withSpan(of: message) { (bytes) throws(OpenSSLFailure) in
                try OpenSSLBridge.digest(algorithm.bridged, of: bytes)
            }
        }
    }
}
