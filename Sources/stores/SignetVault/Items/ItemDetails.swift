// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An item's description beside its key and value. It is sealed separately from the value, so
/// listing never reads values.
public struct ItemDetails: Hashable, Sendable {
    /// A name for a person, at most 1,024 octets.
    public var label: String
    /// A comment, at most 4,096 octets.
    public var comment: String
    /// At most 64 attributes, with names of 1 to 128 octets and values of at most 4,096 octets.
    public var attributes: [String: String]

    /// Details from their parts.
    public init(label: String = "", comment: String = "", attributes: [String: String] = [:]) {
        self.label = label
        self.comment = comment
        self.attributes = attributes
    }

    /// Equal if all texts have the same octets.
    public static func == (a: ItemDetails, b: ItemDetails) -> Bool {
        guard a.label.hasSameOctets(as: b.label), a.comment.hasSameOctets(as: b.comment),
            a.attributes.count == b.attributes.count
        else { return false }
        return zip(a.sortedAttributes, b.sortedAttributes).allSatisfy {
            $0.name.hasSameOctets(as: $1.name) && $0.value.hasSameOctets(as: $1.value)
        }
    }

    /// Hashes the octets.
    public func hash(into hasher: inout Hasher) {
        label.hashOctets(into: &hasher)
        comment.hashOctets(into: &hasher)
        for (name, value) in sortedAttributes {
            name.hashOctets(into: &hasher)
            value.hashOctets(into: &hasher)
        }
    }

    /// The attributes in ascending order of their names' octets, as the vault's format requires.
    package var sortedAttributes: [(name: String, value: String)] {
        attributes.map { ($0.key, $0.value) }.sorted { $0.0.precedesByOctets($1.0) }
    }
}
