// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// Bytes as a secret of the service: a short name of their kind, and base64url without padding
/// (RFC 4648, section 5).
///
/// Text, because a service may keep the content type or not, and because one of them replaces
/// `{REF:…}` in what it hands out. Reading is strict: one text for one sequence of bytes.
package enum SecretText {
    /// `prefix` and the encoded bytes, in memory that is wiped.
    package static func encode(_ bytes: Span<UInt8>, prefix: StaticString) -> SecretStorage {
        Base64.url.encodeSecret(bytes, after: prefix)
    }

    /// The bytes of a text with this prefix; nil for any other text.
    package static func decode(_ text: SecretStorage, prefix: StaticString) -> SecretStorage? {
        text.withBytes { Base64.url.decodeSecret($0, after: prefix) }
    }
}
