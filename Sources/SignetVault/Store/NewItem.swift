// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// An item to be written.
public struct NewItem: Sendable {
    /// What names it.
    public var key: ItemKey
    /// The secret.
    public var value: SecretValue
    /// nil keeps the details of the item that is there.
    public var details: ItemDetails?
    /// When it was first written; nil for now, or for what the item there says. For import and
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
