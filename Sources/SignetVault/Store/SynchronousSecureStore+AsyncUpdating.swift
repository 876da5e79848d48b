// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A closure without `async` fits the forms without `async` better than those of `SecureStore`, and in code that is `async` these
// would block the thread. The forms here fit as well, and are `async`.
extension SynchronousSecureStore {
    /// As the form of ``SecureStore``, with a closure that does not wait.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil,
        _ change: (SecretValue?) throws(StoreError) -> SecretValue?
    ) async throws(StoreError) -> SecretValue? {
        try await (self as any SecureStore).update(key, details: details) {
            (old) async throws(StoreError) -> SecretValue? in try change(old)
        }
    }

    /// As the form of ``SecureStore``, with a closure that does not wait.
    @discardableResult
    public func update(
        _ key: ItemKey, details: ItemDetails? = nil, _ change: (SecretValue?) throws -> SecretValue?
    ) async throws -> SecretValue? {
        try await (self as any SecureStore).update(key, details: details) {
            (old) async throws -> SecretValue? in try change(old)
        }
    }

    /// As the form of ``SecureStore``, with a closure that does not wait.
    @discardableResult
    public func update<Value: Codable>(
        _ key: ItemKey, as type: Value.Type, details: ItemDetails? = nil,
        _ change: (inout Value?) throws(StoreError) -> Void
    ) async throws(StoreError) -> Value? {
        try await (self as any SecureStore).update(key, as: type, details: details) {
            (value: inout Value?) async throws(StoreError) -> Void in try change(&value)
        }
    }

    /// As the form of ``SecureStore``, with a closure that does not wait.
    @discardableResult
    public func update<Value: Codable>(
        _ key: ItemKey, as type: Value.Type, details: ItemDetails? = nil,
        _ change: (inout Value?) throws -> Void
    ) async throws -> Value? {
        try await (self as any SecureStore).update(key, as: type, details: details) {
            (value: inout Value?) async throws -> Void in try change(&value)
        }
    }
}
