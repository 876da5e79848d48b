// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The content of a JWE that a key has opened. Only a ``JWEDecrypter`` makes it. Printing shows
/// nothing of the content.
///
/// It is **not** a verified token: anyone with a published key may have written it. An inner token
/// is verified by ``EncryptedTokenVerifier``.
public struct DecryptedPayload: Sendable, CustomStringConvertible, CustomReflectable {
    /// The decrypted bytes.
    public let payload: [UInt8]
    /// The protected header.
    public let header: EncryptedTokenHeader
    /// The identifier of the key that decrypted; nil if the key has none.
    public let keyID: String?

    /// The length of the content.
    public var description: String { "DecryptedPayload(\(payload.count) bytes, redacted)" }

    /// Only the length of the content.
    public var customMirror: Mirror { Mirror(self, children: ["byteCount": payload.count]) }
}
