// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetBase
internal import SignetCrypto
internal import SignetMemory
internal import SignetVault

/// A store's state between calls.
struct StoreMemory: Sendable {
    /// Known keys; each call checks whether the keyring still has them.
    var known: [RingKey] = []
    /// The program's own key, if the options or an unlock gave it.
    var provided: SecretKey?
    /// Locked by a call, until the next unlock.
    var isClosed = false
}

/// The store's calls on the service's thread. The process runs a single call at a time, and each
/// call sends several messages to the service.
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

    /// Ensures that "not found" means absent.
    func requireAbsence(_ ring: SealingRing) throws(StoreError) {
        guard !ring.isIncomplete else { throw Keyring.behindALock }
        try keyring.requireAbsence()
        try requireAllKeys(ring)
    }
}

// MARK: The ring

extension StoreWork {
    private static let keyPrefix: StaticString = "signet1k:"
    private static let providedPrefix: StaticString = "signet1p:"

    /// The keys of this store that the keyring has now.
    ///
    /// A key that another program adds right now is in the next call's ring; from then on the two
    /// programs write with the same key.
    ///
    /// - Parameter creating: whether to make the first key if there is none; if not, the ring is
    ///   empty then.
    /// - Throws: `locked`, `corrupt`, `authenticationFailure` if a key of a different source sealed
    ///   the items.
    func ring(creating: Bool) throws(StoreError) -> SealingRing {
        guard !memory.withLock({ $0.isClosed }) else {
            throw StoreError(.locked, "The store was locked: unlock it and try again.")
        }
        try keyring.requireUnlocked()
        var found = try findKeys(creating: creating)
        let names = found.filter { !$0.isLocked }.map { $0.attribute(StoreIdentity.keyName) }
        var known = memory.withLock { $0.known }
        if names.contains(where: { name in !known.contains { $0.id.hexadecimal == name } }) {
            // The ring has an unknown key: normally once in a store's life.
            found = try keyring.search(identity.attributes(.key), loadingSecrets: true)
            known = try keys(in: found)
        }
        let present = known.filter { key in
            found.contains {
                !$0.isLocked && $0.attribute(StoreIdentity.keyName) == key.id.hexadecimal
            }
        }.sorted { $0.id.lexicographicallyPrecedes($1.id) }
        // Never write with a key that has left the keyring: the item would be unreadable.
        remember(present)
        let isIncomplete = found.contains { $0.isLocked }
        guard !(present.isEmpty && isIncomplete) else {
            throw keyring.lockedError(for: found.filter(\.isLocked))
        }
        return SealingRing(keys: present, isIncomplete: isIncomplete)
    }

    /// The items of this store's keys, without their secrets. None if there is no key, and none is
    /// to be made.
    private func findKeys(creating: Bool) throws(StoreError) -> [ServiceItem] {
        let attributes = identity.attributes(.key)
        let found = try keyring.search(attributes, loadingSecrets: false)
        guard found.isEmpty else { return found }
        let hasItems = try !keyring.paths(identity.attributes(.item)).isEmpty
        if !hasItems {
            guard creating else { return [] }
            try createKey()
        }
        // With items, another program may since have made the first key and the first item.
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

    /// Removes every item and every key of this store, opened or not.
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
        guard !ring.isIncomplete else { throw Keyring.behindALock }
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
            guard let secret = item.secret else { continue }
            let master: SecretKey
            // The secret is "signet1k:" and base64url of 32 bytes, the key,
            // or "signet1p:" and nothing, where the program gives the key.
            // The attribute signet:key is the key's kid, 32 hexadecimal digits.
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
                master = SecretKey(storage: kept)
            } else if SecretText.decode(secret, prefix: Self.providedPrefix) != nil {
                guard let provided else {
                    throw StoreError(
                        .authenticationFailure,
                        "The items are sealed with a key that the program must give.")
                }
                master = provided
            } else {
                throw .damagedItem("a sealing key is not one")
            }
            let key = try RingKey(master, of: identity)
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

    /// Stores a new key. A program that does not find the lock file may do so at the same moment:
    /// the names differ, so both keys stay.
    private func createKey() throws(StoreError) {
        let target = try keyring.unlockedCollection()
        let provided = memory.withLock { $0.provided }
        let master: SecretKey
        if let provided { master = provided } else { master = try .newVaultKey() }
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
