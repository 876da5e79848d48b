// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An item without its value.
public struct StoredItem: Hashable, Sendable {
    /// The item's key.
    public let key: ItemKey
    /// Label, comment, attributes.
    public let details: ItemDetails
    /// When it was first written.
    public let created: ItemTime
    /// When its value or its details were last written.
    public let modified: ItemTime
    /// The type of its value.
    public let valueType: ValueType
    /// Identifies this write of the item, for ``SecureStore/replace(_:for:details:ifRevision:)``.
    public let revision: ItemRevision

    /// For stores: makes an item from its parts.
    public init(
        key: ItemKey, details: ItemDetails, created: ItemTime, modified: ItemTime,
        valueType: ValueType, revision: ItemRevision
    ) {
        self.key = key
        self.details = details
        self.created = created
        self.modified = modified
        self.valueType = valueType
        self.revision = revision
    }
}

/// An item with its value.
public struct StoreEntry: Sendable {
    /// The item.
    public let item: StoredItem
    /// The secret.
    public let value: SecretValue

    /// For stores: makes an entry from its parts.
    public init(item: StoredItem, value: SecretValue) {
        self.item = item
        self.value = value
    }
}
