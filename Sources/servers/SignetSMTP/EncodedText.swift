// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON

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
        return parts.map { "=?utf-8?B?\(base64($0))?=" }.joined(separator: "\r\n ")
    }

    /// Base64 with padding (RFC 4648, section 4): base64url's text with two characters exchanged.
    static func base64(_ bytes: [UInt8]) -> String {
        let text = Base64URL.encode(bytes).utf8.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        let padding = repeatElement(UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3)
        return String(decoding: text + padding, as: UTF8.self)
    }
}
