// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// Non-ASCII text in a header field (RFC 2047).
enum EncodedText {
    /// The most octets in an encoded word, which then stays within 75 characters.
    private static let octetCount = 45
    /// The longest unchanged text: with the field's name its line has at most 78 characters (RFC
    /// 5322, section 2.1.1).
    private static let plainOctetCount = 60

    /// A text for an unstructured field: unchanged if it is short printable ASCII that needs no
    /// decoding, otherwise in encoded words.
    static func field(_ text: String) -> String {
        let octets = text.utf8
        let isShort = octets.count <= plainOctetCount
        let isPrintableASCII = octets.allSatisfy { (0x20...0x7e).contains($0) }
        let looksEncoded = text.contains("=?")
        let hasBlankAround = octets.first == 0x20 || octets.last == 0x20
        let isPlain = isShort && isPrintableASCII && !looksEncoded && !hasBlankAround
        return isPlain ? text : words(text)
    }

    /// Encoded words, each on its own line.
    static func words(_ text: String) -> String {
        var parts: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let octets = Array(String(scalar).utf8)
            // A word ends with a complete character (section 5).
            if let last = parts.last, last.count + octets.count > octetCount { parts.append([]) }
            parts[parts.count - 1] += octets
        }
        return parts.map { "=?utf-8?B?\(Base64Text.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
