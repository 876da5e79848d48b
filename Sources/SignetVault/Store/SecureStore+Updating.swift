// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SecureStore {
    /// Writes what `change` makes of the value that is there: nobody's writing is lost between reading and writing.
    ///
    /// When somebody else wrote the item meanwhile, it is read again and `change` runs again: it may run **several times** and should
    /// do nothing but compute. After 100 attempts the call gives up.
    ///
    /// - Parameters:
    ///   - details: nil keeps the details of the item that is there.
    ///   - change: gets nil for an absent item; answers nil to have it removed, or left absent.
    /// - Returns: what is there now.
    /// - Throws: `conflict` after 100 attempts, `cancelled` when the task is; what `change` throws passes through, and nothing
    ///   is written then.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil,
        _ change: (SecretValue?) async throws(StoreError) -> SecretValue?
    ) async throws(StoreError) -> SecretValue? {
        var attempts = UpdateAttempts()
        while true {
            let old = try await entryUnlessCancelled(key)
            let new = try await change(old?.value)
            if try await swap(old, for: new, key, details) { return new }
            try await attempts.wait()
        }
    }

    /// As the form whose closure throws ``StoreError``; errors of any type pass through.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil,
        _ change: (SecretValue?) async throws -> SecretValue?
    ) async throws -> SecretValue? {
        var attempts = UpdateAttempts()
        while true {
            let old = try await entryUnlessCancelled(key)
            let new = try await change(old?.value)
            if try await swap(old, for: new, key, details) { return new }
            try await attempts.wait()
        }
    }

    /// Changes a `Codable` value in place, as ``update(_:details:_:)`` does.
    ///
    /// - Parameter change: gets nil for an absent item; leaves nil to have it removed.
    /// - Returns: what is there now.
    /// - Throws: `invalidValue` when what is there is no JSON of the type.
    @discardableResult
    public func update<Value: Codable>(
        _ key: ItemKey, as type: Value.Type, details: ItemDetails? = nil,
        _ change: (inout Value?) async throws(StoreError) -> Void
    ) async throws(StoreError) -> Value? {
        var attempts = UpdateAttempts()
        while true {
            let old = try await entryUnlessCancelled(key)
            var value = try old?.value.decoded(as: type)
            try await change(&value)
            let new = try value.map { (value) throws(StoreError) in try SecretValue(encoding: value) }
            if try await swap(old, for: new, key, details) { return value }
            try await attempts.wait()
        }
    }

    /// As the form whose closure throws ``StoreError``; errors of any type pass through.
    @discardableResult
    public func update<Value: Codable>(
        _ key: ItemKey, as type: Value.Type, details: ItemDetails? = nil,
        _ change: (inout Value?) async throws -> Void
    ) async throws -> Value? {
        var attempts = UpdateAttempts()
        while true {
            let old = try await entryUnlessCancelled(key)
            var value = try old?.value.decoded(as: type)
            try await change(&value)
            let new = try value.map { (value) throws(StoreError) in try SecretValue(encoding: value) }
            if try await swap(old, for: new, key, details) { return value }
            try await attempts.wait()
        }
    }

    /// Changes an item's details and leaves its value, as ``update(_:details:_:)`` does.
    ///
    /// - Returns: false when the item is absent.
    @discardableResult
    public func updateDetails(
        of key: ItemKey, _ change: (inout ItemDetails) -> Void
    ) async throws(StoreError) -> Bool {
        var attempts = UpdateAttempts()
        while true {
            guard let old = try await entryUnlessCancelled(key) else { return false }
            var details = old.item.details
            change(&details)
            if try await swap(old, for: old.value, key, details) { return true }
            try await attempts.wait()
        }
    }

    private func entryUnlessCancelled(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        guard !Task.isCancelled else { throw StoreError.cancelledBeforeStart }
        return try await entry(key)
    }

    /// Whether the new value took the place of the old one; false when somebody else was faster.
    private func swap(
        _ old: StoreEntry?, for new: SecretValue?, _ key: ItemKey, _ details: ItemDetails?
    ) async throws(StoreError) -> Bool {
        if old == nil, new == nil { return true }
        do throws(StoreError) {
            try await replace(new, for: key, details: details, ifRevision: old?.item.revision)
            return true
        } catch {
            guard UpdateAttempts.isLost(error) else { throw error }
            return false
        }
    }
}
