// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An item without its value.
public struct StoredItem: Hashable, Sendable {
    /// What names it.
    public let key: ItemKey
    /// Label, comment, attributes.
    public let details: ItemDetails
    /// When it was first written.
    public let created: ItemTime
    /// When its value or its details were last written.
    public let modified: ItemTime
    /// What its value is.
    public let valueType: ValueType
    /// Which writing of it this is, for ``SecureStore/replace(_:for:details:ifRevision:)``.
    public let revision: ItemRevision

    /// An item from its parts: for stores.
    public init(
        key: ItemKey, details: ItemDetails, created: ItemTime, modified: ItemTime,
        valueType: ValueType,
        revision: ItemRevision
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
    /// What the store says about it.
    public let item: StoredItem
    /// The secret.
    public let value: SecretValue

    /// An entry from its parts: for stores.
    public init(item: StoredItem, value: SecretValue) {
        self.item = item
        self.value = value
    }
}
