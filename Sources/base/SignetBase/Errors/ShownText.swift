// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
    /// Whether a terminal may obey the scalar: a control character, or a character that changes the
    /// direction of writing or ends a line.
    package var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text with U+FFFD for each character that a terminal would obey.
    package var withoutObeyed: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        return String(UnicodeScalarView(unicodeScalars.map { $0.isObeyed ? "\u{fffd}" : $0 }))
    }

    /// The text, or its first characters and an ellipsis: `count` Unicode scalars at most.
    package func cut(to count: Int) -> String {
        // No text has more scalars than bytes.
        guard utf8.count > count, unicodeScalars.count > count else { return self }
        guard count > 0 else { return isEmpty ? "" : "…" }
        return String(unicodeScalars.prefix(count - 1)) + "…"
    }
}
