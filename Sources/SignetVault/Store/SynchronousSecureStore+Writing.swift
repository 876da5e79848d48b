// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

extension SynchronousSecureStore {
    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func set(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails? = nil
    ) throws(StoreError) -> ItemRevision {
        let value = try value.secretValue()
        return try set(value, for: key, details: details)
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func set(
        encoding value: some Encodable, for key: ItemKey, details: ItemDetails? = nil
    ) throws(StoreError) -> ItemRevision {
        let value = try SecretValue(encoding: value)
        return try set(value, for: key, details: details)
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func add(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails = ItemDetails()
    ) throws(StoreError) -> ItemRevision {
        let value = try value.secretValue()
        let revision = try replace(value, for: key, details: details, ifRevision: nil)
        guard let revision else { throw StoreError.noRevision }
        return revision
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func add(
        encoding value: some Encodable, for key: ItemKey, details: ItemDetails = ItemDetails()
    ) throws(StoreError) -> ItemRevision {
        try add(SecretValue(encoding: value), for: key, details: details)
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    public func keyMadeIfAbsent(
        for key: ItemKey, bitCount: Int = 256, details: ItemDetails = ItemDetails()
    ) throws(StoreError) -> SecretKey {
        var attempts = UpdateAttempts()
        while true {
            if let found = try self.key(for: key, bitCount: bitCount) { return found }
            let made = try SecretKey.newForStore(bitCount: bitCount)
            do throws(StoreError) {
                _ = try replace(made.secretValue(), for: key, details: details, ifRevision: nil)
                return made
            } catch {
                guard UpdateAttempts.isLost(error) else { throw error }
            }
            try attempts.waitOnThread()
        }
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func clear(service: String, itemClass: ItemClass? = nil) throws(StoreError) -> Int {
        try clear(service: service, itemClass: itemClass, accessGroup: "")
    }
}
