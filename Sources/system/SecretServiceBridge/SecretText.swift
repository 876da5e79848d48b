// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetMemory

/// The text that the service keeps for some bytes: a short prefix that names their kind, and
/// base64url without padding (RFC 4648, section 5).
///
/// The secret is text because some services do not keep its content type, and base64url because a
/// service replaces `{REF:…}` in the secrets that it returns. Reading is strict: only a single text
/// stands for a sequence of bytes.
package enum SecretText {
    /// `prefix` and the encoded bytes, in memory that is wiped when it is released.
    package static func encode(_ bytes: Span<UInt8>, prefix: StaticString) -> SecretStorage {
        Base64.url.encodeSecret(bytes, after: prefix)
    }

    /// The bytes of a text with this prefix; nil for any other text.
    package static func decode(_ text: SecretStorage, prefix: StaticString) -> SecretStorage? {
        text.withBytes { Base64.url.decodeSecret($0, after: prefix) }
    }
}
