// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import OpenSSLBridge

/// An X25519 public key (RFC 7748), for ``KeyAgreement``.
public struct X25519PublicKey: Sendable, Equatable {
    package let handle: KeyHandle
    /// The u coordinate, 32 bytes, little-endian.
    public let rawRepresentation: [UInt8]

    /// The length of a u coordinate and of a scalar, in bytes (RFC 7748, section 5).
    package static var byteCount: Int { KeyHandle.x25519ByteCount }

    /// A public key from its 32 bytes.
    ///
    /// Checked: the length. RFC 7748, section 5, takes every value: the highest bit is ignored, and
    /// the rest is reduced. A point of small order is refused by ``KeyAgreement``.
    ///
    /// - Throws: `invalidKey`; `unsupported` if the loaded libcrypto lacks X25519, as a FIPS
    ///   provider may.
    public init(rawRepresentation: [UInt8]) throws(CryptographyError) {
        guard rawRepresentation.count == Self.byteCount else {
            throw CryptographyError(
                .invalidKey,
                "An X25519 public key has \(Self.byteCount) bytes; this one has \(rawRepresentation.count)."
            )
        }
        // With the length checked, a failure here is the machine's.
        handle = try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try KeyHandle.x25519(publicKey: rawRepresentation)
        }
        self.rawRepresentation = rawRepresentation
    }

    /// SubjectPublicKeyInfo (RFC 5280, section 4.1).
    package func encodedPublicKey() throws(CryptographyError) -> [UInt8] {
        try translatingErrors(refused: .libraryFailure, handle.encodedPublicKey)
    }

    /// Whether two keys have the same encoding.
    public static func == (a: X25519PublicKey, b: X25519PublicKey) -> Bool {
        a.rawRepresentation == b.rawRepresentation
    }
}
