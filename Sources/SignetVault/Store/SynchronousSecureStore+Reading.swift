// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

extension SynchronousSecureStore {
    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func get(_ key: ItemKey) throws(StoreError) -> SecretValue? {
        try entry(key)?.value
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func get<Value: SecretConvertible>(
        _ key: ItemKey, as type: Value.Type
    ) throws(StoreError) -> Value? {
        guard let value = try get(key) else { return nil }
        return try Value(secretValue: value)
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @_disfavoredOverload
    public func get<Value: Decodable>(_ key: ItemKey, as type: Value.Type) throws(StoreError) -> Value? {
        try get(key)?.decoded(as: type)
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func string(for key: ItemKey) throws(StoreError) -> String? {
        try get(key)?.string()
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func key(for key: ItemKey, bitCount: Int) throws(StoreError) -> SecretKey? {
        guard let value = try get(key) else { return nil }
        return try SecretKey(secretValue: value, bitCount: bitCount)
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func contains(_ key: ItemKey) throws(StoreError) -> Bool {
        try item(key) != nil
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func list(service: String, itemClass: ItemClass? = nil) throws(StoreError) -> [StoredItem] {
        try list(service: service, itemClass: itemClass, accessGroup: "")
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func search(
        service: String, matching query: ItemQuery, itemClass: ItemClass? = nil, accessGroup: String = ""
    ) throws(StoreError) -> [StoredItem] {
        try list(service: service, itemClass: itemClass, accessGroup: accessGroup).filter(query.matches)
    }
}
