// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Which items of a service a search is for. Whatever is left empty matches every item; texts are
/// compared by their octets, upper and lower case apart.
public struct ItemQuery: Hashable, Sendable {
    /// How the account begins.
    public var accountPrefix: String
    /// What stands somewhere in the label.
    public var labelText: String
    /// Attributes that the item has, with these values; it may have others.
    public var attributes: [String: String]

    /// A query from its parts.
    public init(
        accountPrefix: String = "", labelText: String = "", attributes: [String: String] = [:]
    ) {
        self.accountPrefix = accountPrefix
        self.labelText = labelText
        self.attributes = attributes
    }

    /// Whether an item is one of those looked for.
    public func matches(_ item: StoredItem) -> Bool {
        guard item.key.account.utf8.starts(with: accountPrefix.utf8) else { return false }
        guard labelText.utf8.isEmpty || item.details.label.utf8.contains(labelText.utf8) else {
            return false
        }
        // Not by the dictionary's own lookup, which takes canonically equivalent names for the
        // same.
        return attributes.allSatisfy { wanted in
            item.details.attributes.contains {
                $0.key.hasSameOctets(as: wanted.key) && $0.value.hasSameOctets(as: wanted.value)
            }
        }
    }
}

extension Collection<UInt8> {
    /// Whether `part` stands somewhere in these octets.
    fileprivate func contains(_ part: some Collection<UInt8>) -> Bool {
        var rest = self[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
