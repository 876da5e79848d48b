// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Criteria for a search within a service. Empty criteria match every item. Texts are compared by
/// their octets, so case matters.
public struct ItemQuery: Hashable, Sendable {
    /// The beginning of the account.
    public var accountPrefix: String
    /// A part of the label.
    public var labelText: String
    /// Attributes that the item must have, with these values; it may have more.
    public var attributes: [String: String]

    /// A query from its parts.
    public init(
        accountPrefix: String = "", labelText: String = "", attributes: [String: String] = [:]
    ) {
        self.accountPrefix = accountPrefix
        self.labelText = labelText
        self.attributes = attributes
    }

    /// Whether an item matches.
    public func matches(_ item: StoredItem) -> Bool {
        guard item.key.account.utf8.starts(with: accountPrefix.utf8) else { return false }
        guard labelText.utf8.isEmpty || item.details.label.utf8.contains(labelText.utf8) else {
            return false
        }
        // The dictionary's own lookup would treat canonically equivalent names as the same.
        return attributes.allSatisfy { wanted in
            item.details.attributes.contains {
                $0.key.hasSameOctets(as: wanted.key) && $0.value.hasSameOctets(as: wanted.value)
            }
        }
    }
}

extension Collection<UInt8> {
    /// Whether `part` occurs in these octets.
    fileprivate func contains(_ part: some Collection<UInt8>) -> Bool {
        var rest = self[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
