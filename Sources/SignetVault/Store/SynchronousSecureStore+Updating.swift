// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension SynchronousSecureStore {
    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil,
        _ change: (SecretValue?) throws(StoreError) -> SecretValue?
    ) throws(StoreError) -> SecretValue? {
        var attempts = UpdateAttempts()
        while true {
            let old = try entry(key)
            let new = try change(old?.value)
            if try swap(old, for: new, key, details) { return new }
            try attempts.waitOnThread()
        }
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil,
        _ change: (SecretValue?) throws -> SecretValue?
    ) throws -> SecretValue? {
        var attempts = UpdateAttempts()
        while true {
            let old = try entry(key)
            let new = try change(old?.value)
            if try swap(old, for: new, key, details) { return new }
            try attempts.waitOnThread()
        }
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func update<Value: Codable>(
        _ key: ItemKey, as type: Value.Type, details: ItemDetails? = nil,
        _ change: (inout Value?) throws(StoreError) -> Void
    ) throws(StoreError) -> Value? {
        var attempts = UpdateAttempts()
        while true {
            let old = try entry(key)
            var value = try old?.value.decoded(as: type)
            try change(&value)
            let new = try value.map { (value) throws(StoreError) in try SecretValue(encoding: value) }
            if try swap(old, for: new, key, details) { return value }
            try attempts.waitOnThread()
        }
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func update<Value: Codable>(
        _ key: ItemKey, as type: Value.Type, details: ItemDetails? = nil,
        _ change: (inout Value?) throws -> Void
    ) throws -> Value? {
        var attempts = UpdateAttempts()
        while true {
            let old = try entry(key)
            var value = try old?.value.decoded(as: type)
            try change(&value)
            let new = try value.map { (value) throws(StoreError) in try SecretValue(encoding: value) }
            if try swap(old, for: new, key, details) { return value }
            try attempts.waitOnThread()
        }
    }

    /// As the form of ``SecureStore`` with `async`, on this thread.
    @discardableResult
    public func updateDetails(
        of key: ItemKey, _ change: (inout ItemDetails) -> Void
    ) throws(StoreError) -> Bool {
        var attempts = UpdateAttempts()
        while true {
            guard let old = try entry(key) else { return false }
            var details = old.item.details
            change(&details)
            if try swap(old, for: old.value, key, details) { return true }
            try attempts.waitOnThread()
        }
    }

    private func swap(
        _ old: StoreEntry?, for new: SecretValue?, _ key: ItemKey, _ details: ItemDetails?
    ) throws(StoreError) -> Bool {
        if old == nil, new == nil { return true }
        do throws(StoreError) {
            try replace(new, for: key, details: details, ifRevision: old?.item.revision)
            return true
        } catch {
            guard UpdateAttempts.isLost(error) else { throw error }
            return false
        }
    }
}
