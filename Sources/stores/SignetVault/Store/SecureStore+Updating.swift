// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

extension SecureStore {
    /// Writes what `change` makes of the present value. No other write is lost in between.
    ///
    /// If another writer changes the item in the meantime, the item is read again and `change` runs
    /// again. `change` may run **several times**, so it should only compute. After 100 attempts the
    /// call gives up. On a vault, `FileVault.write(_:)` does the same without running twice, even
    /// for several items.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - details: nil keeps the existing item's details.
    ///   - change: receives nil for an absent item; returns nil to remove it or leave it absent.
    /// - Returns: the new value; nil if the item is absent now.
    /// - Throws: `conflict` after 100 attempts, `cancelled` if the task is cancelled; errors of
    ///   `change` pass through, and nothing is written then.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil,
        _ change: (SecretValue?) async throws -> SecretValue?
    ) async throws -> SecretValue? {
        // Throws at the 100th failed attempt. Each pause is random, of at most 64 milliseconds.
        var attempts = UpdateAttempts()
        while true {
            guard !Task.isCancelled else { throw StoreError.cancelledBeforeStart }
            let old = try await entry(key)
            let new = try await change(old?.value)
            if old == nil, new == nil { return nil }
            let wasFirst = try await isFirst { () async throws(StoreError) in
                try await replace(new, for: key, details: details, ifRevision: old?.item.revision)
            }
            if wasFirst { return new }
            try await attempts.wait()
        }
    }

    /// The item's symmetric key. If the item does not exist, stores and returns a new random key.
    ///
    /// All simultaneous callers, here or in another process, get the same key. Only an absent item
    /// leads to a new key: for a store that is locked, damaged or unavailable the error is thrown,
    /// and no key is lost.
    ///
    /// - Parameters:
    ///   - key: the item.
    ///   - bitCount: 128 to 4,096, a multiple of 8.
    ///   - details: for a new key.
    /// - Throws: `invalidValue` if the item is not a key of this length, `invalidParameter` for an
    ///   invalid `bitCount`.
    public func keyMadeIfAbsent(
        for key: ItemKey, bitCount: Int = 256, details: ItemDetails = ItemDetails()
    ) async throws(StoreError) -> SecretKey {
        var attempts = UpdateAttempts()
        while true {
            if let found = try await get(key) {
                return try SecretKey(secretValue: found, bitCount: bitCount)
            }
            let made = try SecretKey.newForStore(bitCount: bitCount)
            let wasFirst = try await isFirst { () async throws(StoreError) in
                try await replace(made.secretValue(), for: key, details: details, ifRevision: nil)
            }
            if wasFirst { return made }
            try await attempts.wait()
        }
    }

    /// Runs a write that requires a revision, or that the item is absent.
    ///
    /// - Returns: whether the write happened; false if a different writer was faster.
    private func isFirst(_ write: () async throws(StoreError) -> Void) async throws(StoreError)
        -> Bool
    {
        do {
            try await write()
            return true
        } catch {
            guard error.code == .conflict || error.code == .alreadyExists else { throw error }
            return false
        }
    }
}

extension SecretKey {
    fileprivate static func newForStore(bitCount: Int) throws(StoreError) -> SecretKey {
        do {
            return try SecretKey.generate(bitCount: bitCount)
        } catch {
            throw StoreError(
                error.code == .invalidParameter ? .invalidParameter : .unavailable,
                underlying: error, "\(messageOf: error)")
        }
    }
}
