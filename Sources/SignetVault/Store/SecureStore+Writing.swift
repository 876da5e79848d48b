// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

extension SecureStore {
    /// Writes a secret, text or a key, new or in place of the one that is there.
    ///
    /// - Parameter details: nil keeps the details of the item that is there.
    @discardableResult
    public func set(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails? = nil
    ) async throws(StoreError) -> ItemRevision {
        let value = try value.secretValue()
        return try await set(value, for: key, details: details)
    }

    /// Writes a `Codable` value as JSON, new or in place of the one that is there.
    ///
    /// - Parameter details: nil keeps the details of the item that is there.
    /// - Throws: `invalidValue` when the value does not encode.
    @discardableResult
    public func set(
        encoding value: some Encodable, for key: ItemKey, details: ItemDetails? = nil
    ) async throws(StoreError) -> ItemRevision {
        let value = try SecretValue(encoding: value)
        return try await set(value, for: key, details: details)
    }

    /// Writes an item that must not be there yet.
    ///
    /// - Throws: `alreadyExists`; what is there stays as it is.
    @discardableResult
    public func add(
        _ value: some SecretConvertible, for key: ItemKey, details: ItemDetails = ItemDetails()
    ) async throws(StoreError) -> ItemRevision {
        let value = try value.secretValue()
        let revision = try await replace(value, for: key, details: details, ifRevision: nil)
        guard let revision else { throw StoreError.noRevision }
        return revision
    }

    /// Writes a `Codable` value as JSON into an item that must not be there yet.
    ///
    /// - Throws: `alreadyExists`; `invalidValue` when the value does not encode.
    @discardableResult
    public func add(
        encoding value: some Encodable, for key: ItemKey, details: ItemDetails = ItemDetails()
    ) async throws(StoreError) -> ItemRevision {
        try await add(SecretValue(encoding: value), for: key, details: details)
    }

    /// The symmetric key of an item; where there is none, a new random one that has been stored.
    ///
    /// Whoever calls it at the same time, here or in another process, gets the same key. Absent is the only answer that makes a
    /// new one: of a store that is locked, damaged or out of reach the error is thrown, and no key is lost.
    ///
    /// - Parameter bitCount: 128 to 4096, a multiple of 8.
    /// - Throws: `invalidValue` when what is there is no key of this length, `invalidParameter` for another size.
    public func keyMadeIfAbsent(
        for key: ItemKey, bitCount: Int = 256, details: ItemDetails = ItemDetails()
    ) async throws(StoreError) -> SecretKey {
        var attempts = UpdateAttempts()
        while true {
            if let found = try await self.key(for: key, bitCount: bitCount) { return found }
            let made = try SecretKey.newForStore(bitCount: bitCount)
            do throws(StoreError) {
                _ = try await replace(made.secretValue(), for: key, details: details, ifRevision: nil)
                return made
            } catch {
                guard UpdateAttempts.isLost(error) else { throw error }
            }
            try await attempts.wait()
        }
    }

    /// Removes the items of one service that belong to no access group, and no others.
    ///
    /// - Returns: how many there were.
    /// - Throws: `emptyMatch` for an empty service.
    @discardableResult
    public func clear(service: String, itemClass: ItemClass? = nil) async throws(StoreError) -> Int {
        try await clear(service: service, itemClass: itemClass, accessGroup: "")
    }
}

extension StoreError {
    static var noRevision: StoreError {
        StoreError(
            .unavailable, "The store wrote the item but named no revision; it breaks its own contract.")
    }
}

extension SecretKey {
    static func newForStore(bitCount: Int) throws(StoreError) -> SecretKey {
        do throws(CryptoError) {
            return try SecretKey.generate(bitCount: bitCount)
        } catch {
            throw StoreError(
                error.code == .invalidParameter ? .invalidParameter : .unavailable, error.message)
        }
    }
}
