// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Notifies every listener in this process of changes to a store. For authors of stores.
///
/// Two objects for one store (the same file, the same collection) use hubs with the same identity,
/// so the listeners of each object hear the changes made through either. A hub is only a name: it
/// keeps nothing without listeners.
public struct ChangeHub: Sendable {
    /// The store's identity in this process.
    public let identity: String

    /// The hub of a store. Identities are compared by their octets; two kinds of store should not
    /// share a prefix.
    public static func hub(for identity: String) -> ChangeHub { ChangeHub(identity: identity) }

    /// Notifies all listeners without waiting for any: a slow listener loses its oldest changes.
    ///
    /// Changes arrive in the order of the calls if the calls are ordered, for example by the
    /// store's own lock.
    public func send(_ change: StoreChange) {
        for listener in listeners() { listener.yield(change) }
    }

    /// Notifies all listeners of several changes, in order.
    public func send(_ changes: some Sequence<StoreChange>) {
        let listeners = listeners()
        guard !listeners.isEmpty else { return }
        for change in changes {
            for listener in listeners { listener.yield(change) }
        }
    }

    /// Changes from now on. The newest 256 changes that were not consumed yet are kept.
    ///
    /// The stream ends, and is forgotten, when its task is cancelled or its last reference goes.
    public func stream() -> AsyncStream<StoreChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreChange.self, bufferingPolicy: .bufferingNewest(256))
        let name = Array(identity.utf8)
        let number = Self.registry.withLock { $0.add(continuation, to: name) }
        continuation.onTermination = { _ in Self.registry.withLock { $0.remove(number, from: name) }
        }
        return stream
    }

    private func listeners() -> [AsyncStream<StoreChange>.Continuation] {
        // Yields outside the lock, because it wakes tasks that may do anything.
        Self.registry.withLock { $0.listeners(of: identity) }
    }

    /// The number of listeners, for tests.
    package var listenerCount: Int { listeners().count }

    private static let registry = Locked(ChangeListeners())
}

/// The listeners of each store.
private struct ChangeListeners {
    private var byName:
        [[UInt8]: [(number: UInt64, listener: AsyncStream<StoreChange>.Continuation)]] = [:]
    private var lastNumber: UInt64 = 0

    mutating func add(_ listener: AsyncStream<StoreChange>.Continuation, to name: [UInt8]) -> UInt64
    {
        lastNumber &+= 1
        byName[name, default: []].append((lastNumber, listener))
        return lastNumber
    }

    mutating func remove(_ number: UInt64, from name: [UInt8]) {
        byName[name]?.removeAll { $0.number == number }
        if byName[name]?.isEmpty == true { byName[name] = nil }
    }

    func listeners(of name: String) -> [AsyncStream<StoreChange>.Continuation] {
        // The usual case costs nothing: without listeners, the name is not copied.
        guard !byName.isEmpty else { return [] }
        return (byName[Array(name.utf8)] ?? []).map(\.listener)
    }
}
