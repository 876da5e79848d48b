// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// Single-item calls, each in its own read or write on ``FileVault/queue``.
extension FileVault {
    /// The item with its value; nil if it is absent.
    public func entry(_ key: ItemKey) async throws(StoreError) -> StoreEntry? {
        try await reading { (reader) throws(StoreError) in try reader.entry(key) }
    }

    /// The item without its value; nil if it is absent.
    public func item(_ key: ItemKey) async throws(StoreError) -> StoredItem? {
        try await reading { (reader) throws(StoreError) in try reader.item(key) }
    }

    /// Writes items in one transaction, all or none. If a key occurs several times, the last item
    /// wins.
    @discardableResult
    public func put(_ items: [NewItem]) async throws(StoreError) -> [ItemRevision] {
        guard !items.isEmpty else { return [] }
        return try await writing { (writer) throws(StoreError) in
            try items.map { (item) throws(StoreError) in try writer.put(item) }
        }
    }

    /// Compare-and-swap. The transaction that writes also reads the item, or proves that it is
    /// absent.
    @discardableResult
    public func replace(
        _ value: SecretValue?, for key: ItemKey, details: ItemDetails?,
        ifRevision revision: ItemRevision?
    ) async throws(StoreError) -> ItemRevision? {
        try await writing { (writer) throws(StoreError) in
            try writer.replace(value, for: key, details: details, ifRevision: revision)
        }
    }

    /// Removes an item, also from a damaged vault. Removing an absent item succeeds, if it is proved
    /// that it is absent.
    ///
    /// True does not say that a strict read can tell that the item is absent now: beside damage the
    /// read throws `corrupt`. ``VaultWriter/unprovedAbsence`` says so in the same transaction.
    @discardableResult
    public func remove(_ key: ItemKey) async throws(StoreError) -> Bool {
        try await writing { (writer) throws(StoreError) in try writer.remove(key) }
    }

    /// The items of a service, without their values, sorted by class and account.
    public func list(service: String, itemClass: ItemClass?, accessGroup: String)
        async throws(StoreError)
        -> [StoredItem]
    {
        try await reading { (reader) throws(StoreError) in
            try reader.list(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// Every item of this vault, without values, in no particular order.
    public func allItems() async throws(StoreError) -> [StoredItem] {
        try await reading { (reader) throws(StoreError) in try reader.allItems() }
    }

    /// Removes the items of a service in an access group, in a single transaction.
    @discardableResult
    public func clear(service: String, itemClass: ItemClass?, accessGroup: String)
        async throws(StoreError)
        -> Int
    {
        try await writing { (writer) throws(StoreError) in
            try writer.clear(service: service, itemClass: itemClass, accessGroup: accessGroup)
        }
    }

    /// Runs `body` while no other caller of this user has exclusive access to the same item of this
    /// vault.
    ///
    /// The call locks a file in the folder `NAME.locks` beside the vault, so processes with
    /// different environments, and containers that share the folder, exclude each other too. The
    /// folder is for this user alone, its files are empty and named by hashes, and they are never
    /// removed.
    ///
    /// - Throws: `timedOut` names the process that has the access, and says if that process was
    ///   stopped, where the system tells; `readOnly` if the vault is only read; `unavailable` if
    ///   its folder cannot be written; `forked` in a child of `fork`; the errors of
    ///   ``SecureStore``.
    public func withExclusiveAccess<Value: Sendable>(
        to key: ItemKey, within limit: Duration, _ body: () async throws -> Value
    ) async throws -> Value {
        try requireWritable()
        room.beginSection()
        defer { room.endSection() }
        return try await ExclusiveAccess.run(
            "vault", store: [id], key: key, in: LockFolder(besideFileAt: file.path), within: limit,
            body)
    }

    func reading<R: Sendable>(
        _ body: @escaping @Sendable (VaultReader) throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        try await queue.run { () throws(StoreError) in try self.reading(body) }
    }

    private func writing<R: Sendable>(
        _ body: @escaping @Sendable (VaultWriter) throws(StoreError) -> R
    ) async throws(StoreError) -> R {
        try await queue.run { () throws(StoreError) in try self.writing(body) }
    }
}
