// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON

/// A secret that a client keeps after a sign-in, so that ``KnownClients`` recognises the client:
/// 128 random bits.
///
/// It signs nobody in. A thief who copies it has a few tries of passwords and codes that strangers
/// do not use up. A client may show the same secret for all the accounts that it signs in to: the
/// database cannot link them. Printing does not show it.
public struct DeviceSecret: Sendable, Redacted {
    private static let byteCount = 16
    /// The length of ``exposedText``.
    private static let characterCount = 22

    let bytes: [UInt8]

    /// A new secret.
    ///
    /// - Throws: `unavailable` without randomness.
    public init() throws(AccountError) {
        bytes = try .random(count: Self.byteCount)
    }

    /// The secret that ``exposedText`` gave. Nil for any other text: treat that client as a client
    /// without a secret.
    public init?(_ text: String) {
        // 22 characters, which are base64url of 16 bytes.
        guard text.utf8.count == Self.characterCount, let bytes = try? Base64URL.decode(text) else {
            return nil
        }
        self.bytes = bytes
    }

    /// 22 characters of the URL-safe alphabet, for the client alone.
    public var exposedText: String { Base64URL.encode(bytes) }
}
