// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSession
import SignetVault
import SignetVaultTesting

/// A store in which a test can hold single calls: before they run, or before their replies.
final class GatedStore: SecureStore {
    typealias Operation = FaultyStore.Call.Operation

    /// One call that is held.
    final class Gate: Sendable {
        private let state = Locked((isReached: false, isOpen: false))
        var isReached: Bool { state.withLock { $0.isReached } }
        func open() { state.withLock { $0.isOpen = true } }
        fileprivate func pass() async {
            state.withLock { $0.isReached = true }
            // A cancelled task waits too.
            while !state.withLock({ $0.isOpen }) {
                await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value
            }
        }
    }

    private struct Held: Sendable {
        let operation: Operation
        let isAfter: Bool
        let gate: Gate
        var passes: Int
    }

    private let base: any SecureStore
    private let tellsChanges: Bool
    private let helds = Locked<[Held]>([])

    init(_ base: any SecureStore, tellsChanges: Bool = true) {
        self.base = base
        self.tellsChanges = tellsChanges
    }

    /// Holds the next call of this kind that is not yet held.
    ///
    /// - Parameter passes: how many calls go through before. An exchange first replaces the item by
    ///   one that says *begun*, and then by the successor.
    func hold(_ operation: Operation, after isAfter: Bool, passing passes: Int = 0) -> Gate {
        let gate = Gate()
        helds.withLock {
            $0.append(Held(operation: operation, isAfter: isAfter, gate: gate, passes: passes))
        }
        return gate
    }

    private func pass<R>(
        _ operation: Operation, _ body: () async throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let held = helds.withLock { helds -> Held? in
            guard let index = helds.firstIndex(where: { $0.operation == operation })
            else { return nil }
            guard helds[index].passes == 0 else {
                helds[index].passes -= 1
                return nil
            }
            return helds.remove(at: index)
        }
        guard let held else { return try await body() }
        guard held.isAfter else {
            await held.gate.pass()
            return try await body()
        }
        let result: Result<R, StoreError>
        do throws(StoreError) { result = .success(try await body()) } catch {
            result = .failure(error)
        }
        await held.gate.pass()
        return try result.get()
    }

    func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try await pass(.entry) { () async throws(StoreError) in try await base.entry(key) }
    }

    func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try await base.item(key)
    }

    func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try await pass(.put) { () async throws(StoreError) in try await base.put(items) }
    }

    func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try await pass(.replace) { () async throws(StoreError) in
            try await base.replace(value, for: key, details: details, ifRevision: revision)
        }
    }

    func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try await pass(.remove) { () async throws(StoreError) in try await base.remove(key) }
    }

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
        try await pass(.reserveRoom) { () async throws(StoreError) in
            try await base.reserveRoom(forValueByteCount: byteCount)
        }
    }

    func isLocked() async throws(StoreError) -> Bool { try await base.isLocked() }
    func lock() async throws(StoreError) { try await base.lock() }
    func changes() -> AsyncStream<StoreChange> {
        tellsChanges ? base.changes() : AsyncStream { $0.finish() }
    }
}

/// Lets pending work arrive.
func settle() async throws { try await Task.sleep(for: .milliseconds(200)) }

extension SessionManager {
    /// The token's text, or the code of the failure.
    func outcome() async -> String {
        do throws(SessionError) {
            return try await accessToken().exposedText
        } catch {
            return error.code.rawValue
        }
    }
}
