// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// A vault as the manager of an account sees it: the session is absent unless it is of the
/// manager's own person, server and client.
///
/// A later sign-in to the account may be at a different server. Its tokens must not go to the
/// server of this manager, nor to the callers of this manager.
struct OwnSessionStore: SecureStore {
    let vault: FileVault
    /// The account's settings, by which its manager asks a server.
    let settings: AccountSettings
    /// The item of the account's settings.
    let settingsKey: ItemKey

    private var base: any SecureStore { vault }

    /// The session, read together with the settings that were stored for it.
    func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        do {
            return try await vault.read { [settings, settingsKey] (reader) -> StoreEntry? in
                guard let entry = try reader.entry(key),
                    let value = try reader.get(settingsKey)
                else { return nil }
                guard let there = try? value.decoded(as: AccountSettings.self) else {
                    throw StoreError(.corrupt, "The settings of the account cannot be read.")
                }
                return there.hasSameOwner(as: settings) ? entry : nil
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.unavailable, underlying: error, "The session could not be read.")
        }
    }

    func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try await entry(key)?.item
    }

    // A write names the revision that was read, or is that of a sign-in.

    func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await base.put(items)
    }

    func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try await base.replace(value, for: key, details: details, ifRevision: revision)
    }

    func remove(_ key: ItemKey) async throws(StoreError) -> Bool { try await base.remove(key) }

    func list(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> [StoredItem] {
        try await base.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
    }

    func allItems() async throws(StoreError) -> [StoredItem] { try await base.allItems() }

    func clear(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> Int {
        try await base.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
    }

    func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try await base.withExclusiveAccess(to: key, within: limit, body)
    }

    func reserveRoom(forValueByteCount byteCount: Int) async throws(StoreError) {
        try await base.reserveRoom(forValueByteCount: byteCount)
    }

    func isLocked() async throws(StoreError) -> Bool { try await base.isLocked() }

    func lock() async throws(StoreError) { try await base.lock() }

    func changes() -> AsyncStream<StoreChange> { base.changes() }
}
