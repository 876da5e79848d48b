// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// Values that nobody can guess, as text that stands in URLs, cookies and tokens as it is.
enum RandomText {
    /// `byteCount` random bytes in base64url; nil when libcrypto has no randomness.
    static func make(byteCount: Int) -> String? {
        guard let bytes = try? SecureRandom.bytes(count: byteCount) else { return nil }
        return Base64URL.encode(bytes)
    }
}
