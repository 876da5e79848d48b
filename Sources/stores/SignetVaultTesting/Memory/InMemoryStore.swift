// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetVault

/// A store in this process's memory, for tests.
///
/// ```swift
/// let faulty = FaultyStore(InMemoryStore())
/// ```
///
/// It behaves like `FileVault` in everything (revisions, times, order, limits, changes, locking),
/// except that its items go when the store goes. Their values are in memory that is wiped when the
/// last handle to them goes. A lock does **not** wipe them: it only makes the store throw `locked`,
/// because an unlock could not restore values that are kept nowhere else.
public final class InMemoryStore: SecureStore {
    /// Stands for the keys that a sealed store would have.
    private final class NoKeys: Sendable {}

    /// The items.
    private let records = Locked(MemoryRecords())
    /// The items to which a caller has exclusive access now.
    private let exclusive = Locked<Set<ItemKey>>([])
    /// Tells the listeners about changes.
    private let hub: ChangeHub
    /// Knows whether the store is locked, and locks it when no call has come for some time.
    private let holder: UnlockedKeysHolder<NoKeys>
    private let clock: TimeSource

    /// An empty store, unlocked.
    ///
    /// - Parameters:
    ///   - autoLockSeconds: after how many seconds without a call the store locks itself, 1 or
    ///     more; nil for never.
    ///   - clock: gives the times of creation and modification, and measures the time without a
    ///     call.
    public convenience init(autoLockSeconds: Int? = nil, clock: TimeSource = .system) {
        self.init(autoLockAfter: autoLockSeconds.map { .seconds(max(1, $0)) }, clock: clock)
    }

    package init(autoLockAfter limit: Duration?, clock: TimeSource = .system) {
        self.clock = clock
        hub = ChangeHub.hub(for: "memory:\(StoreNumber.next())")
        holder = UnlockedKeysHolder(of: "store in memory", idleLimit: limit, hub: hub, clock: clock)
        holder.begin(NoKeys())
    }

    /// Makes the items readable again. Does nothing if the store is unlocked.
    public func unlock() { if holder.isLocked { holder.begin(NoKeys()) } }

    /// Locks the store. Does nothing if it is locked.
    public func lock() async throws(StoreError) { holder.end() }

    /// Whether the store must be unlocked before items can be read.
    public func isLocked() async throws(StoreError) -> Bool { holder.isLocked }

    /// Changes to this store from now on.
    public func changes() -> AsyncStream<StoreChange> { hub.stream() }

    /// The item with its value; nil if it is absent.
    public func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try ItemLimits.check(key)
        return try use { (records) throws(StoreError) in records.entry(key) }
    }

    /// The item without its value; nil if it is absent.
    public func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try await entry(key)?.item
    }

    /// Writes items: all or none.
    @discardableResult
    public func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        try use { (records) throws(StoreError) in
            // The items of one write share a revision.
            let revision = try records.write(items, at: .now(by: clock))
            hub.send(items.map { .set($0.key) })
            return items.map { _ in revision }
        }
    }

    /// Writes or removes an item if it is at the expected revision (compare-and-swap).
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try ItemLimits.check(key)
        return try use { (records) throws(StoreError) in
            try records.require(revision, of: key)
            guard let value else {
                if records.remove(key) { hub.send(.removed(key)) }
                return nil
            }
            let revision = try records.write(
                [NewItem(key: key, value: value, details: details)], at: .now(by: clock))
            hub.send(.set(key))
            return revision
        }
    }

    /// Removes an item. An absent item is no error.
    @discardableResult
    public func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try ItemLimits.check(key)
        return try use { (records) throws(StoreError) in
            let wasThere = records.remove(key)
            if wasThere { hub.send(.removed(key)) }
            return wasThere
        }
    }

    /// The items of a service, sorted by class and account.
    public func list(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> [StoredItem] {
        let match = try ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup)
        return try use { (records) throws(StoreError) in
            records.items(where: match.matches).sorted { $0.key < $1.key }
        }
    }

    /// Every item, without values, in no particular order.
    public func allItems() async throws(StoreError) -> [StoredItem] {
        try use { (records) throws(StoreError) in records.items { _ in true } }
    }

    /// Removes the items of a service in an access group, and nothing else.
    @discardableResult
    public func clear(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> Int {
        let match = try ItemMatch(service: service, itemClass: itemClass, accessGroup: accessGroup)
        return try use { (records) throws(StoreError) in
            let items = records.items(where: match.matches)
            for item in items { records.remove(item.key) }
            if !items.isEmpty { hub.send(.cleared(service: service, count: items.count)) }
            return items.count
        }
    }

    /// Runs `body` while no other caller of this object has exclusive access to the same item.
    public func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try ItemLimits.check(key)
        // Asks until the key could be inserted, so until no other caller has access to the item.
        try await ExclusiveAccess.wait(within: limit) {
            exclusive.withLock { $0.insert(key).inserted }
        }
        defer { exclusive.withLock { _ = $0.remove(key) } }
        return try await body()
    }

    /// Runs `body` with the items; throws `locked` if the store is locked.
    private func use<R>(
        _ body: (inout MemoryRecords) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        _ = try holder.use()
        return try records.withLock { (records) throws(StoreError) in try body(&records) }
    }
}

/// Numbers for stores, which have no names: two stores must not tell each other's listeners.
private enum StoreNumber {
    private static let last = Locked(UInt64(0))

    static func next() -> UInt64 {
        last.withLock { number in
            number &+= 1
            return number
        }
    }
}
