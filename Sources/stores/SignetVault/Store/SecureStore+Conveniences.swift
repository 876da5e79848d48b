// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SecureStore {
    /// Does nothing: the store cannot make room.
    public func reserveRoom(forValueByteCount byteCount: Int) async throws(StoreError) {}

    /// The secret; nil if the item is absent.
    ///
    /// Convert it with `try await store.get(key)?.string()`, `?.decoded(as:)`, or
    /// `SecretKey(secretValue:bitCount:)`.
    public func get(_ key: ItemKey) async throws(StoreError) -> SecretValue? {
        try await entry(key)?.value
    }

    /// Writes a secret, text or key. It replaces an existing item.
    ///
    /// For a `Codable` value use `SecretValue(encoding:)`. To write only if the item is absent, use
    /// ``replace(_:for:details:ifRevision:)``.
    ///
    /// - Parameters:
    ///   - value: the secret.
    ///   - key: the item.
    ///   - details: nil keeps the existing item's details.
    @discardableResult
    public func set(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails? = nil
    ) async throws(StoreError) -> ItemRevision {
        let item = NewItem(key: key, value: try value.secretValue(), details: details)
        guard let revision = try await put([item]).first else {
            throw StoreError(
                .unavailable,
                "The store wrote the item but named no revision; it breaks its own contract.")
        }
        return revision
    }

    /// The items of a service without an access group, without their values, sorted by class and
    /// account.
    ///
    /// - Throws: `emptyMatch` for an empty service.
    public func list(service: String, itemClass: ItemClass? = nil) async throws(StoreError)
        -> [StoredItem]
    {
        try await list(service: service, itemClass: itemClass, accessGroup: "")
    }

    /// Removes the items of a service without an access group, and nothing else.
    ///
    /// - Returns: how many items were removed.
    /// - Throws: `emptyMatch` for an empty service.
    @discardableResult
    public func clear(service: String, itemClass: ItemClass? = nil) async throws(StoreError) -> Int
    {
        try await clear(service: service, itemClass: itemClass, accessGroup: "")
    }
}
