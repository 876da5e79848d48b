// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetBase
internal import SignetCrypto
internal import SignetMemory
internal import SignetVault

/// What a store keeps between its calls.
struct StoreMemory: Sendable {
    /// The ring's keys that were read from the keyring. Each call checks whether the keyring still
    /// has them.
    var known: [RingKey] = []
    /// The program's own key, if the options or an unlock gave it.
    var provided: SecretKey?
    /// Locked by a call, until the next unlock.
    var isClosed = false
}

/// The steps of a store's call. ``SecretServiceStore`` makes a value for each call, which runs on
/// the thread for the Secret Service and sends several messages to it. A look-up, for example:
///
///     let ring = try work.ring(creating: false)
///     let found = try work.newest(key, in: ring)
///
/// The keyring holds two kinds of this store's items: its keys (the *ring*), and the items of the
/// program, each sealed with a key of the ring. A program's item may have several *copies* there,
/// of which the newest counts. So a look-up reads the ring, then all copies, and opens the newest;
/// if there is none, it requires proof that none is locked away or lost (``requireAbsence(_:)``).
struct StoreWork {
    let keyring: Keyring
    let identity: StoreIdentity
    let options: SecretServiceOptions
    let memory: Locked<StoreMemory>

    init(
        _ connection: KeyringConnection, identity: StoreIdentity, options: SecretServiceOptions,
        memory: Locked<StoreMemory>
    ) {
        keyring = Keyring(connection: connection, alias: identity.alias, absence: options.absence)
        self.identity = identity
        self.options = options
        self.memory = memory
    }

    /// Ensures that "not found" means absent: no key of the ring and no keyring is locked, and
    /// every item that is there was sealed with a key of the ring.
    func requireAbsence(_ ring: SealingRing) throws(StoreError) {
        guard !ring.isIncomplete else { throw Keyring.mayBeInLockedKeyring }
        try keyring.requireAbsence()
        try requireAllKeys(ring)
    }
}

// MARK: The ring

extension StoreWork {
    /// The secret of a key's item: this and base64url of the key's 32 bytes.
    private static let keyPrefix: StaticString = "signet1k:"
    /// The secret of a key's item if the program gives the key: this and nothing more.
    private static let providedPrefix: StaticString = "signet1p:"

    /// The keys of this store that the keyring has now.
    ///
    /// If another program adds a key right now, the key is in the next call's ring. From then on
    /// the two programs write with the same key.
    ///
    /// - Parameter creating: whether to make the first key if there is none. If false, the ring is
    ///   empty then.
    /// - Throws: `locked`, `corrupt`, `authenticationFailure` if a key of a different source sealed
    ///   the items.
    func ring(creating: Bool) throws(StoreError) -> SealingRing {
        guard !memory.withLock({ $0.isClosed }) else {
            throw StoreError(.locked, "The store was locked: unlock it and try again.")
        }
        try keyring.requireUnlocked()
        // The keyring's items that hold keys, and the keys that an earlier call has read from them.
        var found = try findKeys(creating: creating)
        var known = memory.withLock { $0.known }
        // Optional like an item's attribute, which may be missing.
        let knownNames: Set<String?> = Set(known.map { $0.id.hexadecimal })
        if !Self.unlockedNames(found).isSubset(of: knownNames) {
            // The keyring has a key that is not known here: normally once in a store's life.
            found = try keyring.search(identity.attributes(.key), loadingSecrets: true)
            known = try keys(in: found)
        }
        // Never write with a key that has left the keyring: the item would be unreadable.
        let unlockedNames = Self.unlockedNames(found)
        let usable = known.filter { unlockedNames.contains($0.id.hexadecimal) }
            .sorted { $0.id.lexicographicallyPrecedes($1.id) }
        remember(usable)
        // Without any key that is unlocked, nothing can be opened. With one, the ring is
        // incomplete.
        let locked = found.filter(\.isLocked)
        guard !usable.isEmpty || locked.isEmpty else { throw keyring.lockedError(for: locked) }
        return SealingRing(keys: usable, isIncomplete: !locked.isEmpty)
    }

    /// The names of the keys whose items are not locked, as the items' attributes have them.
    private static func unlockedNames(_ items: [ServiceItem]) -> Set<String?> {
        Set(items.filter { !$0.isLocked }.map { $0.attribute(StoreIdentity.keyName) })
    }

    /// The keyring's items that hold this store's keys, without their secrets. Empty if there is no
    /// key, and none is to be made.
    private func findKeys(creating: Bool) throws(StoreError) -> [ServiceItem] {
        let attributes = identity.attributes(.key)
        let found = try keyring.search(attributes, loadingSecrets: false)
        guard found.isEmpty else { return found }
        let hasItems = try !keyring.paths(identity.attributes(.item)).isEmpty
        if !hasItems {
            guard creating else { return [] }
            try createKey()
        }
        // If there are items, another program may have made the first key since the first search,
        // and sealed them with it.
        let foundAgain = try keyring.search(attributes, loadingSecrets: false)
        // A new key beside an old key's items would make the items look absent forever.
        guard !foundAgain.isEmpty || !hasItems else { throw .lostKey }
        return foundAgain
    }

    /// Keeps the keys for later calls, unless the store was locked during this call.
    private func remember(_ keys: [RingKey]) {
        memory.withLock { memory in
            if !memory.isClosed { memory.known = keys }
        }
    }

    /// Removes every item and every key of this store, whether they open or not.
    ///
    /// - Returns: how many items were removed.
    func erase() throws(StoreError) -> Int {
        var count = 0
        // Items first: a key without items is not damage; items without a key are.
        for kind in [StoreIdentity.Kind.item, .key] {
            for item in try keyring.searchUnlocked(identity.attributes(kind), loadingSecrets: false)
            {
                if try keyring.delete(item), kind == .item { count += 1 }
            }
        }
        memory.withLock { $0.known = [] }
        return count
    }

    /// The ring and the key to write with. Makes the first key if there is none.
    ///
    /// - Throws: `locked` if a key may be locked away, and the errors of ``ring(creating:)``.
    func writableRing() throws(StoreError) -> (SealingRing, RingKey) {
        let ring = try ring(creating: true)
        guard !ring.isIncomplete else { throw Keyring.mayBeInLockedKeyring }
        guard let key = ring.writing else {
            throw StoreError(
                .unavailable, "The Secret Service does not give back the key that was just stored.")
        }
        return (ring, key)
    }

    /// The keys that the found items hold, or, if an item says that the program gives the key, the
    /// program's. Each must be the key that the item's attributes name.
    ///
    /// - Throws: `authenticationFailure` if the key is to come from elsewhere; `corrupt`.
    private func keys(in items: [ServiceItem]) throws(StoreError) -> [RingKey] {
        let provided = memory.withLock { $0.provided }
        var keys: [RingKey] = []
        for item in items {
            // A locked item has no secret.
            guard let secret = item.secret else { continue }
            let key = try RingKey(masterKey(in: secret, provided: provided), of: identity)
            // The attribute signet:key is the key's name, derived from it: 32 hexadecimal digits.
            guard key.id.hexadecimal == item.attribute(StoreIdentity.keyName) else {
                throw provided == nil
                    ? .damagedItem("a sealing key is not the one that its attributes name")
                    : StoreError(
                        .authenticationFailure,
                        "The items are sealed with another key than the one given.")
            }
            if !keys.contains(where: { $0.id == key.id }) { keys.append(key) }
        }
        return keys
    }

    /// The key that an item's secret holds, or the program's key if the secret says that the
    /// program gives it.
    private func masterKey(
        in secret: SecretStorage, provided: SecretKey?
    ) throws(StoreError) -> SecretKey {
        // Nil for another prefix, or if the text is not base64url.
        if let kept = SecretText.decode(secret, prefix: Self.keyPrefix) {
            guard provided == nil else {
                throw StoreError(
                    .authenticationFailure,
                    "The items are sealed with a key in the keyring, not with the one given.")
            }
            guard kept.count == VaultFormat.keyByteCount else {
                throw .damagedItem(
                    "a sealing key does not have \(VaultFormat.keyByteCount) bytes")
            }
            return SecretKey(storage: kept)
        }
        guard SecretText.decode(secret, prefix: Self.providedPrefix) != nil else {
            throw .damagedItem("a sealing key is not one")
        }
        guard let provided else {
            throw StoreError(
                .authenticationFailure,
                "The items are sealed with a key that the program must give.")
        }
        return provided
    }

    /// Stores a new key. A program that does not share the lock file of ``WriteLock`` may store
    /// another key at the same moment. The two keys' names differ, so both stay.
    private func createKey() throws(StoreError) {
        let target = try keyring.unlockedCollection()
        let provided = memory.withLock { $0.provided }
        let master = if let provided { provided } else { try SecretKey.newVaultKey() }
        let key = try RingKey(master, of: identity)
        let text =
            provided == nil
            ? master.withExposedBytes { SecretText.encode($0, prefix: Self.keyPrefix) }
            : SecretText.encode([UInt8]().span, prefix: Self.providedPrefix)
        var attributes = identity.attributes(.key)
        attributes[StoreIdentity.keyName] = key.id.hexadecimal
        try keyring.store(
            text, attributes: attributes, label: "\(identity.application): key", in: target)
    }
}
