// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An item to write.
public struct NewItem: Sendable {
    /// The item's key.
    public var key: ItemKey
    /// The secret.
    public var value: SecretValue
    /// Nil keeps the existing item's details.
    public var details: ItemDetails?
    /// When it was first written; nil for now, or for the existing item's time. For import and
    /// migration.
    public var created: ItemTime?
    /// When it was last written; nil for now. For import and migration.
    public var modified: ItemTime?

    /// An item from its parts.
    public init(
        key: ItemKey, value: SecretValue, details: ItemDetails? = nil, created: ItemTime? = nil,
        modified: ItemTime? = nil
    ) {
        self.key = key
        self.value = value
        self.details = details
        self.created = created
        self.modified = modified
    }
}
