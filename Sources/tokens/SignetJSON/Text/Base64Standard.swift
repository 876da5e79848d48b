// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory

/// Strict standard base64 with padding (RFC 4648, section 4), as in the body of a PEM block and the
/// `x5c` member (RFC 7517, section 4.7). It rejects white space: callers that read lines remove the
/// line ends.
package enum Base64Standard {
    /// The padded base64 text of `bytes`.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        append(encoding: Array(bytes).span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the padded base64 text of `bytes`, as ASCII, to `text`.
    package static func append(encoding bytes: Span<UInt8>, to text: inout [UInt8]) {
        Base64.standard.append(encoding: bytes, to: &text)
        let tail = bytes.count % 3
        if tail != 0 { text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 &- tail)) }
    }

    /// The bytes that `text` stands for; nil when a character is foreign, when padding is missing,
    /// misplaced or too long, or when trailing bits are not zero.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count & 3 == 0 else { return nil }
        var end = text.count
        while end > 0, text.count &- end < 2, text[end &- 1] == UInt8(ascii: "=") { end &-= 1 }
        return Base64.standard.decode(text.extracting(0..<end))
    }
}
