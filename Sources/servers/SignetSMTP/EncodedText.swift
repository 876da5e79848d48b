// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON

/// Non-ASCII text in a header field (RFC 2047).
enum EncodedText {
    /// The most octets in one encoded word, which then stays within 75 characters.
    private static let octetCount = 45

    /// A text for an unstructured field: unchanged if it is short printable ASCII that needs no
    /// decoding, otherwise in encoded words.
    static func field(_ text: String) -> String {
        let octets = text.utf8
        let isPlain =
            octets.count <= 60 && octets.allSatisfy { (0x20...0x7e).contains($0) }
            && !text.contains("=?") && octets.first != 0x20 && octets.last != 0x20
        return isPlain ? text : words(text)
    }

    /// Encoded words, one a line.
    static func words(_ text: String) -> String {
        var parts: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let octets = Array(String(scalar).utf8)
            // A word ends with a complete character (section 5).
            if let last = parts.last, last.count + octets.count > octetCount { parts.append([]) }
            parts[parts.count - 1] += octets
        }
        return parts.map { "=?utf-8?B?\(Base64Standard.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
