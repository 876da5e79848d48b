// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetBase
public import SignetCrypto
public import SignetVault

/// A store in the desktop's keyring: gnome-keyring, KWallet, KeePassXC, or any other Secret Service
/// of the session.
///
/// ```swift
/// let store = try SecretServiceStore(SecretServiceOptions(application: "org.example.mail"))
/// let mail = ItemKey(service: "imap.example.org", account: "alice")
/// try await store.set("hunter2", for: mail)
/// let password = try await store.get(mail)?.string()
/// ```
///
/// Everything is sealed before it is stored and opened after it is read. The service sees keyed
/// hashes, lengths and times (Documentation/SECRET-SERVICE.md). The calls of all stores of the
/// process run in sequence on a separate thread, and every call ends by its deadline. The store
/// suits tens to hundreds of items, because gnome-keyring writes its whole file with each item. For
/// more items, keep a `FileVault`, and only its key here (``SecretServiceUnlock``).
///
/// **One writer at a time.** The Secret Service has no transactions and no compare-and-swap. Within
/// this process all calls are serialised. Between processes of this user on this machine, each
/// writing call holds a lock file of its store in the user's runtime folder, so
/// ``replace(_:for:details:ifRevision:)`` is a true compare-and-swap. While another process holds
/// the lock, even for a prompt, a write and the calls after it in this process wait; the write ends
/// with `busy` shortly before its deadline. Writing an item is all or nothing. ``put(_:)`` writes
/// its items separately, in order.
///
/// **Not** excluded: programs that write these items without Signet, processes that find a
/// different folder of lock files, and other machines that share a home. Against them, check and
/// write are several messages: if two programs write an item at once, the later write wins, even
/// over ``replace(_:for:details:ifRevision:)``, and an item with two copies can be lost.
public final class SecretServiceStore: SecureStore {
    // Each call is a closure for ``perform(seconds:writes:_:)``, which runs it on the service's
    // thread with a ``StoreWork``, where its steps are. The *ring* in these steps is the store's
    // sealing keys, as the keyring has them now; *copies* are the keyring's items of one item of
    // the store.

    private let identity: StoreIdentity
    private let options: SecretServiceOptions
    private let memory: Locked<StoreMemory>
    /// Tells the listeners of this process about changes.
    private let hub: ChangeHub
    /// Whether the program gives the sealing key, which then is not in the keyring.
    private let needsProvidedKey: Bool

    /// Makes a store. It does not contact the service yet.
    ///
    /// - Throws: `invalidParameter` for options outside their limits.
    public init(_ options: SecretServiceOptions) throws(StoreError) {
        try options.check()
        identity = StoreIdentity(application: options.application, alias: options.collection)
        var memory = StoreMemory()
        var kept = options
        if case .provided(let key) = options.sealingKey { memory.provided = key }
        // The key is kept only in `memory`, from which lock() removes it.
        kept.sealingKey = .keyring
        self.options = kept
        self.memory = Locked(memory)
        hub = ChangeHub.hub(for: "secret-service:\(options.collection):\(options.application)")
        needsProvidedKey = memory.provided != nil
    }

    // MARK: Reading

    /// The item with its value; nil if it is absent and nothing that could hold it is locked.
    public func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try ItemLimits.check(key)
        return try await perform { (work) throws(StoreError) -> StoreEntry? in
            let ring = try work.ring(creating: false)
            guard let found = try work.newest(key, in: ring) else { return nil }
            return StoreEntry(item: found.sealed.item, value: try found.sealed.value())
        }
    }

    /// The item without its value; nil if it is absent. The service returns item and value
    /// together; the value is not opened.
    public func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try ItemLimits.check(key)
        return try await perform { (work) throws(StoreError) -> StoredItem? in
            let ring = try work.ring(creating: false)
            return try work.newest(key, in: ring)?.sealed.item
        }
    }

    /// The items of a service, sorted by class and account.
    ///
    /// - Throws: `emptyMatch`; `corrupt` if an item does not open: no item is left out silently.
    public func list(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> [StoredItem] {
        try ItemLimits.check(service: service, accessGroup: accessGroup)
        let items = try await perform { (work) throws(StoreError) in
            try work.items(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
        return items.sorted { $0.key < $1.key }
    }

    /// Every item of this store, in a single call within its deadline.
    public func allItems() async throws(StoreError) -> [StoredItem] {
        try await perform { (work) throws(StoreError) in
            try work.items(service: nil, itemClass: nil, accessGroup: "")
        }
    }

    // MARK: Writing

    /// Writes items in order, each completely or not at all. After an error the earlier items stay
    /// written. A value is on the disk when the service says so: gnome-keyring syncs its file.
    @discardableResult
    public func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        var revisions: [ItemRevision] = []
        for item in items {
            revisions.append(try await write(item))
            hub.send(.set(item.key))
        }
        return revisions
    }

    /// Compare-and-swap among all processes that use Signet: see the type's documentation.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        guard let value else {
            if let revision {
                try await remove(key, at: revision)
            } else {
                // To remove an item that must be absent is only to check that it is absent.
                guard try await item(key) == nil else { throw Self.alreadyExists }
            }
            return nil
        }
        let item = NewItem(key: key, value: value, details: details)
        let written = try await write(item, if: .at(revision))
        hub.send(.set(key))
        return written
    }

    /// Removes an item if it has this revision.
    private func remove(_ key: ItemKey, at revision: ItemRevision) async throws(StoreError) {
        try ItemLimits.check(key)
        try await perform(writes: true) { (work) throws(StoreError) in
            let ring = try work.ring(creating: false)
            try Self.require(
                try work.newest(key, in: ring)?.sealed.revision, equalTo: revision)
            _ = try work.remove(key)
        }
        hub.send(.removed(key))
    }

    /// Removes an item, even if it is damaged. Removing an absent item succeeds.
    @discardableResult
    public func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try ItemLimits.check(key)
        let wasThere = try await perform(writes: true) { (work) throws(StoreError) in
            try work.remove(key)
        }
        if wasThere { hub.send(.removed(key)) }
        return wasThere
    }

    /// Removes the items of a service in sequence: the items that open and belong to the service.
    ///
    /// - Throws: `emptyMatch`; `corrupt`, before anything is removed, if an item does not open.
    @discardableResult
    public func clear(
        service: String, itemClass: ItemClass?, accessGroup: String
    ) async throws(StoreError) -> Int {
        let items = try await list(service: service, itemClass: itemClass, accessGroup: accessGroup)
        var count = 0
        defer { if count > 0 { hub.send(.cleared(service: service, count: count)) } }
        for item in items {
            let key = item.key
            let isRemoved = try await perform(writes: true) { (work) throws(StoreError) in
                try work.remove(key)
            }
            if isRemoved { count += 1 }
        }
        return count
    }

    /// Removes everything of this application and alias: all items and the key that sealed them,
    /// even if damaged or impossible to open. Other programs' items are not touched. The call has a
    /// single deadline: call it again after `timedOut`.
    ///
    /// - Returns: how many items there were.
    @discardableResult
    public func erase() async throws(StoreError) -> Int {
        try await perform(writes: true) { (work) throws(StoreError) in try work.erase() }
    }

    /// Runs `body` while no other caller of this user has exclusive access to the same item of the
    /// same application and alias. Does not contact the keyring: the lock file is in `signet/locks`
    /// of `$XDG_RUNTIME_DIR`, or of `/run/user/UID`, else in the state folder.
    public func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try await ExclusiveAccess.run(
            WriteLock.kind, store: identity.lockParts, key: key, in: WriteLock.folder,
            within: limit, body)
    }

    // MARK: Locking

    /// Whether the store or its collection is locked.
    ///
    /// - Throws: `unavailable` if no collection has the alias.
    public func isLocked() async throws(StoreError) -> Bool {
        try await perform { (work) throws(StoreError) in
            if work.memory.withLock({ $0.isClosed }) { return true }
            guard let found = try work.keyring.collection() else {
                throw StoreError.noCollection(alias: self.identity.alias)
            }
            return found.isLocked
        }
    }

    /// Forgets the keys, and, unless the options say otherwise, locks the collection for all
    /// programs. A collection in memory (`session`) may not be lockable; this store is locked
    /// anyway.
    public func lock() async throws(StoreError) {
        let alias = identity.alias
        let locksCollection = options.locksCollection
        // The keys are forgotten before the service is asked: if it does not answer, they must not
        // stay here.
        let wasOpen = memory.withLock { memory in
            let wasOpen = !memory.isClosed
            memory.known = []
            memory.provided = nil
            memory.isClosed = true
            return wasOpen
        }
        if wasOpen { hub.send(.locked) }
        guard locksCollection, alias != "session" else { return }
        let collection = try await perform { (work) throws(StoreError) -> ServiceCollection? in
            let connection = work.keyring.connection
            return try work.keyring.translatingErrors { () throws(SecretServiceFailure) in
                try connection.lock(alias: alias)
            }
        }
        // Nil: a collection that is gone needs no lock.
        if let collection, !collection.isLocked {
            throw StoreError(
                .unavailable,
                "The keys were forgotten here, but the Secret Service did not lock the collection.")
        }
    }

    /// Unlocks the collection. The service may show a prompt, for at most the options' time. If no
    /// collection has the alias `default`, the service is asked to create it.
    ///
    /// - Parameter key: the program's own key again, for a store that was made with a key and then
    ///   locked.
    /// - Throws: `locked` if the prompt was dismissed or could not be shown, `timedOut`,
    ///   `unavailable`, `invalidParameter` if a key is missing or unexpected.
    public func unlock(providing key: SecretKey? = nil) async throws(StoreError) {
        if needsProvidedKey {
            guard memory.withLock({ $0.provided != nil }) || key != nil else {
                throw StoreError(
                    .invalidParameter,
                    "This store is sealed with a key of the program: give it again.")
            }
        } else if key != nil {
            throw StoreError(.invalidParameter, "This store keeps its key in the keyring.")
        }
        if let key { try Keyring.check(sealingKey: key) }
        try await perform(seconds: options.promptSeconds) { (work) throws(StoreError) in
            try work.keyring.unlock(itemsWith: [
                work.identity.attributes(.key), work.identity.attributes(.item),
            ])
        }
        memory.withLock { memory in
            if let key { memory.provided = key }
            memory.isClosed = false
        }
        hub.send(.unlocked)
    }

    /// Changes that this process makes to this store from now on, through any object.
    public func changes() -> AsyncStream<StoreChange> { hub.stream() }

    // MARK: Pieces

    /// Whether there is a keyring with this collection, locked or not; false only if there is no
    /// keyring.
    ///
    /// - Throws: errors of an existing keyring, including the lack of this collection.
    package func isThere() async throws(StoreError) -> Bool {
        let alias = identity.alias
        let found = await ServiceThread.shared.run(milliseconds: options.deadlineSeconds * 1000) {
            connection in
            Result { () throws(SecretServiceFailure) in try connection.collection(alias: alias) }
        }
        // The call may fail, and the look-up in it: both errors become one.
        switch found.flatMap({ $0 }) {
        case .success(let collection):
            guard collection != nil else {
                throw StoreError.noCollection(alias: identity.alias)
            }
            return true
        case .failure(let failure):
            guard failure.meansNoKeyring else { throw StoreError(failure) }
            return false
        }
    }

    private enum WriteCondition: Sendable {
        case always
        /// The item must have this revision; nil: it must be absent.
        case at(ItemRevision?)
    }

    /// Writes an item over its copies, under the condition.
    private func write(
        _ item: NewItem, if condition: WriteCondition = .always
    ) async throws(StoreError) -> ItemRevision {
        try ItemLimits.check(key: item.key, value: item.value, details: item.details)
        return try await perform(writes: true) { (work) throws(StoreError) -> ItemRevision in
            let (ring, key) = try work.writableRing()
            let copies = try work.copies(of: item.key, in: ring)
            if case .at(let revision) = condition {
                // The item must be absent, not only be out of sight in a locked collection: the
                // write below would hide it.
                if copies.isEmpty { try work.requireAbsence(ring) }
                try Self.require(
                    copies.max { StoreWork.isOlder($0, than: $1) }?.sealed.revision,
                    equalTo: revision)
            } else if copies.isEmpty {
                // The write must not overwrite what a deleted key sealed.
                try work.requireAllKeys(ring)
            }
            return try work.write(item, in: ring, with: key, over: copies)
        }
    }

    /// Runs `body` on the service's thread. If it writes, no other process writes meanwhile.
    ///
    /// - Parameter seconds: the deadline; nil for the options' deadline.
    private func perform<R: Sendable>(
        seconds: Int? = nil, writes: Bool = false,
        _ body: @escaping @Sendable (StoreWork) throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        let identity = identity
        let options = options
        let memory = memory
        // The lock file of this store, which every writing process of this user holds in turn.
        let lock =
            writes
            ? try WriteLock(of: identity, deadlineSeconds: options.deadlineSeconds) : nil
        let call = KeyringCall(
            alias: identity.alias, deadlineSeconds: options.deadlineSeconds,
            promptSeconds: options.promptSeconds, promptNotice: options.promptNotice)
        return try await call.perform(seconds: seconds, writes: writes) {
            (connection) throws(StoreError) in
            let work = StoreWork(connection, identity: identity, options: options, memory: memory)
            guard let lock else { return try body(work) }
            return try lock.run(connection) { () throws(StoreError) in try body(work) }
        }
    }

    /// - Throws: `alreadyExists` or `conflict` unless an item's revision is the expected one. Nil
    ///   means that the item is absent.
    private static func require(
        _ found: ItemRevision?, equalTo expected: ItemRevision?
    ) throws(StoreError) {
        guard found != expected else { return }
        guard expected != nil else { throw alreadyExists }
        throw StoreError(
            .conflict, "Another program wrote or removed the item. Read it again.")
    }

    private static var alreadyExists: StoreError {
        StoreError(.alreadyExists, "There is an item of this class, service and account already.")
    }
}
