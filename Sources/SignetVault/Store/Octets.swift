// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether both texts have the same octets. `==` would treat canonically equivalent spellings
    /// as the same.
    func hasSameOctets(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether this text comes first by its octets.
    func precedesByOctets(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// Feeds the octets, which are what `hasSameOctets(as:)` compares.
    func hashOctets(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        for octet in utf8 { hasher.combine(octet) }
    }

    /// The text without control characters, which a terminal would execute.
    var withoutControlCharacters: String {
        guard unicodeScalars.contains(where: \.isControlCharacter) else { return self }
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            shown.append(scalar.isControlCharacter ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }
}

extension Unicode.Scalar {
    // C0, DEL and C1, and characters that change the direction of the text after them.
    fileprivate var isControlCharacter: Bool {
        value < 0x20 || (0x7f...0x9f).contains(value) || (0x202a...0x202e).contains(value)
            || (0x2066...0x2069).contains(value)
    }
}
