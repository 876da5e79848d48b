// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJSON

/// Text past ASCII in a header field (RFC 2047).
enum EncodedText {
    /// Of one encoded word, so that it stays within 75 characters.
    private static let octetCount = 45

    /// A text as it may stand in a field without structure: as it is where that is short printable
    /// ASCII that needs no decoding, else in encoded words.
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
            // A word ends with a whole character (section 5).
            if let last = parts.last, last.count + octets.count > octetCount { parts.append([]) }
            parts[parts.count - 1] += octets
        }
        return parts.map { "=?utf-8?B?\(Base64Standard.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
