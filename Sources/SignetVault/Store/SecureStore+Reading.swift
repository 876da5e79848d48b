// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

extension SecureStore {
    /// The secret; nil when the item is absent.
    public func get(_ key: ItemKey) async throws(StoreError) -> SecretValue? {
        try await entry(key)?.value
    }

    /// The secret as text, as one of Signet's keys, or as a type of your own; nil when the item is absent.
    ///
    /// - Throws: `invalidValue` when the value is of another type, length or form.
    public func get<Value: SecretConvertible>(
        _ key: ItemKey, as type: Value.Type
    ) async throws(StoreError) -> Value? {
        guard let value = try await get(key) else { return nil }
        return try Value(secretValue: value)
    }

    /// The `Codable` value; nil when the item is absent.
    ///
    /// - Throws: `invalidValue` when the value is not JSON or does not decode.
    @_disfavoredOverload
    public func get<Value: Decodable>(_ key: ItemKey, as type: Value.Type) async throws(StoreError) -> Value?
    {
        try await get(key)?.decoded(as: type)
    }

    /// The text; nil when the item is absent.
    ///
    /// - Throws: `invalidValue` when the value is not of type ``ValueType/string``, or not valid UTF-8.
    public func string(for key: ItemKey) async throws(StoreError) -> String? {
        try await get(key)?.string()
    }

    /// The symmetric key; nil when the item is absent.
    ///
    /// - Throws: `invalidValue` when the value is no symmetric key, or one of another length.
    public func key(for key: ItemKey, bitCount: Int) async throws(StoreError) -> SecretKey? {
        guard let value = try await get(key) else { return nil }
        return try SecretKey(secretValue: value, bitCount: bitCount)
    }

    /// Whether there is such an item; its value is not read.
    public func contains(_ key: ItemKey) async throws(StoreError) -> Bool {
        try await item(key) != nil
    }

    /// The items of one service, without their values, sorted by class and account.
    ///
    /// - Throws: `emptyMatch` for an empty service.
    public func list(service: String, itemClass: ItemClass? = nil) async throws(StoreError) -> [StoredItem] {
        try await list(service: service, itemClass: itemClass, accessGroup: "")
    }

    /// The items of one service that a query matches, without their values, sorted by class and account.
    ///
    /// Every item of the service is listed and looked at.
    ///
    /// - Throws: `emptyMatch` for an empty service.
    public func search(
        service: String, matching query: ItemQuery, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) async throws(StoreError) -> [StoredItem] {
        try await list(service: service, itemClass: itemClass, accessGroup: accessGroup).filter(query.matches)
    }
}
