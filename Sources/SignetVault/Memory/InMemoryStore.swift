// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

/// A store in this process's memory: for tests, and for secrets that are not to outlive the process.
///
/// It behaves like ``FileVault`` in everything but that it keeps nothing: revisions, times, order, limits, changes, locking. Values
/// are kept in memory that is wiped when the last handle to them goes. **Not** promised: a lock makes it answer `locked` and no
/// more, because values that are nowhere else cannot be forgotten and come back.
public final class InMemoryStore: SynchronousSecureStore {
    private struct Contents {
        var records = MemoryRecords()
        var isLocked = false
    }

    private let contents = Locked(Contents())
    private let hub = ChangeHub.hub(for: "memory:\(StoreNumber.next())")
    private let idle: IdleTimer?
    private let now: @Sendable () -> ItemTime

    /// An empty store, unlocked.
    ///
    /// - Parameters:
    ///   - autoLockSeconds: seconds without a call after which it locks itself, 1 or more; nil for never.
    ///   - now: the time for created and modified.
    public convenience init(
        autoLockSeconds: Int? = nil, now: @escaping @Sendable () -> ItemTime = { .current }
    ) {
        self.init(autoLockAfter: autoLockSeconds.map { .seconds(max(1, $0)) }, now: now)
    }

    package init(autoLockAfter limit: Duration?, now: @escaping @Sendable () -> ItemTime = { .current }) {
        self.now = now
        idle = limit.map(IdleTimer.init(after:))
        startIdleTimer()
    }

    /// Makes the items readable again. Already unlocked is success.
    public func unlock() {
        contents.withLock { contents in
            startIdleTimer()
            guard contents.isLocked else { return }
            contents.isLocked = false
            hub.send(.unlocked)
        }
    }

    /// Locks it. Already locked is success.
    public func lock() throws(StoreError) {
        contents.withLock { lock(&$0) }
    }

    /// Whether items cannot be read before an unlock.
    public func isLocked() throws(StoreError) -> Bool {
        contents.withLock { contents in
            if idle?.isCounting == false { lock(&contents) }
            return contents.isLocked
        }
    }

    /// Changes from now on.
    public func changes() -> AsyncStream<StoreChange> { hub.stream() }

    /// The item with its value; nil when it is absent.
    public func entry(_ key: ItemKey) throws(StoreError) -> StoreEntry? {
        try ItemLimits.check(key)
        return try use { (records) throws(StoreError) in records.entry(key) }
    }

    /// The item without its value; nil when it is absent.
    public func item(_ key: ItemKey) throws(StoreError) -> StoredItem? { try entry(key)?.item }

    /// Writes an item, new or in place of the one with its key.
    public func set(
        _ value: SecretValue, for key: ItemKey, details: ItemDetails?
    ) throws(StoreError) -> ItemRevision {
        try use { (records) throws(StoreError) in
            let revision = try records.write([NewItem(key: key, value: value, details: details)], at: now())
            hub.send(.set(key))
            return revision
        }
    }

    /// Writes many items: all or none.
    public func set(_ items: [NewItem]) throws(StoreError) {
        try use { (records) throws(StoreError) in
            _ = try records.write(items, at: now())
            hub.send(items.map { .set($0.key) })
        }
    }

    /// Compare-and-swap.
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?, ifRevision revision: ItemRevision?
    ) throws(StoreError) -> ItemRevision? {
        try ItemLimits.check(key)
        return try use { (records) throws(StoreError) in
            try records.require(revision, of: key)
            guard let value else {
                if records.remove(key) { hub.send(.removed(key)) }
                return nil
            }
            let revision = try records.write([NewItem(key: key, value: value, details: details)], at: now())
            hub.send(.set(key))
            return revision
        }
    }

    /// Removes an item. An absent item is success.
    public func remove(_ key: ItemKey) throws(StoreError) -> Bool {
        try ItemLimits.check(key)
        return try use { (records) throws(StoreError) in
            let wasThere = records.remove(key)
            if wasThere { hub.send(.removed(key)) }
            return wasThere
        }
    }

    /// The items of one service, sorted by class and account.
    public func list(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) throws(StoreError) -> [StoredItem] {
        try ItemLimits.check(service: service, accessGroup: accessGroup)
        return try use { (records) throws(StoreError) in
            records.items { $0.isOf(service: service, itemClass: itemClass, accessGroup: accessGroup) }
                .sorted { $0.key < $1.key }
        }
    }

    /// Every item.
    public func allItems() throws(StoreError) -> [StoredItem] {
        try use { (records) throws(StoreError) in records.items { _ in true } }
    }

    /// Removes the items of one service in one access group, and no others.
    public func clear(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) throws(StoreError) -> Int {
        try ItemLimits.check(service: service, accessGroup: accessGroup)
        return try use { (records) throws(StoreError) in
            let items = records.items {
                $0.isOf(service: service, itemClass: itemClass, accessGroup: accessGroup)
            }
            for item in items { records.remove(item.key) }
            if !items.isEmpty { hub.send(.cleared(service: service, count: items.count)) }
            return items.count
        }
    }

    private func use<R>(
        _ body: (inout MemoryRecords) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try contents.withLock { (contents) throws(StoreError) in
            let isInTime = idle?.begin() ?? true
            if !isInTime { lock(&contents) }
            guard !contents.isLocked else {
                throw StoreError(.locked, "The store in memory is locked: unlock it first.")
            }
            defer { idle?.end() }
            return try body(&contents.records)
        }
    }

    private func lock(_ contents: inout Contents) {
        idle?.stop()
        guard !contents.isLocked else { return }
        contents.isLocked = true
        hub.send(.locked)
    }

    private func startIdleTimer() {
        idle?.start { [weak self] in
            guard let self else { return }
            contents.withLock { contents in
                if idle?.isCounting == false { lock(&contents) }
            }
        }
    }
}

/// Names stores that have no name: one after the other.
private enum StoreNumber {
    private static let last = Locked(UInt64(0))

    static func next() -> UInt64 {
        last.withLock { number in
            number &+= 1
            return number
        }
    }
}
