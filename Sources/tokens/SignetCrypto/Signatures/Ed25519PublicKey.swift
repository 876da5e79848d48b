// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// An Ed25519 public key (RFC 8032).
public struct Ed25519PublicKey: Sendable, Equatable {
    package let handle: KeyHandle
    /// The encoded point, 32 bytes.
    public let rawRepresentation: [UInt8]

    /// The length of a point and of a seed, in bytes (RFC 8032, section 5.1.5).
    package static var byteCount: Int { KeyHandle.ed25519ByteCount }

    /// A public key from its 32 bytes.
    ///
    /// Checked: the length. libcrypto decodes the point only when it verifies; bytes that encode no
    /// point verify nothing. **Not** checked: small order, which RFC 8032 does not ask for.
    ///
    /// - Throws: `invalidKey`.
    public init(rawRepresentation: [UInt8]) throws(CryptographyError) {
        guard rawRepresentation.count == Self.byteCount else {
            throw CryptographyError(
                .invalidKey,
                "An Ed25519 public key has \(Self.byteCount) bytes; this one has \(rawRepresentation.count)."
            )
        }
        // With the length checked, a failure here is the machine's.
        handle = try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try KeyHandle.ed25519(publicKey: rawRepresentation)
        }
        self.rawRepresentation = rawRepresentation
    }

    /// Whether `signature`, 64 bytes, is a signature of `message` (pure Ed25519, cofactorless, S
    /// below the order).
    /// - Throws: `libraryFailure` or `unsupported` if libcrypto cannot compute. No signature or
    ///   message causes it.
    public func isValidSignature(
        _ signature: some Collection<UInt8>, for message: some Collection<UInt8>
    ) throws(CryptographyError) -> Bool {
        try handle.isValidSignature(signature, for: message, under: .ed25519)
    }

    /// Whether two keys have the same encoding.
    public static func == (a: Ed25519PublicKey, b: Ed25519PublicKey) -> Bool {
        a.rawRepresentation == b.rawRepresentation
    }
}
