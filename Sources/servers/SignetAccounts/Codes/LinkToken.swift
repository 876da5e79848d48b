// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON

/// The secret of a link that was sent with a code: 256 random bits, the parameter `token_hash`. It
/// is not made from the code. Printing shows nothing of it.
public struct LinkToken: Sendable, Redacted {
    private static let byteCount = 32

    let bytes: [UInt8]

    init() throws(AccountError) { bytes = try .random(count: Self.byteCount) }

    /// The token that a page has posted; nil unless it is 43 characters of the URL-safe alphabet.
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = try? Base64URL.decode(text),
            bytes.count == Self.byteCount
        else { return nil }
        self.bytes = bytes
    }

    var exposedText: String { Base64URL.encode(bytes) }
}
