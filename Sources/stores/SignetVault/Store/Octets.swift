// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether the texts have the same octets. `==` would treat canonically equivalent spellings as
    /// the same.
    func hasSameOctets(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether this text comes before `other` in the order of their octets.
    func precedesByOctets(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// Feeds the octets, which are what `hasSameOctets(as:)` compares.
    func hashOctets(into hasher: inout Hasher) {
        hasher.combine(utf8.count)
        for octet in utf8 { hasher.combine(octet) }
    }
}
