// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
internal import SignetCrypto
internal import SignetMemory
internal import SignetVault

/// The Secret Service, as the steps of a call use it, with the errors of a store.
///
/// The service keeps *collections* (people call them keyrings), each locked or unlocked, and in
/// them *items*: a secret with a label and attributes, which are not secret. Searches go through
/// all collections; a store writes to the collection with its *alias*, such as `default`:
///
///     let attributes = ["signet:kind": "item"]
///     let found = try keyring.searchUnlocked(attributes, loadingSecrets: true)
struct Keyring {
    let connection: KeyringConnection
    let alias: String
    /// The rule for absent items; nil for the alias's default rule.
    var absence: SecretServiceOptions.AbsenceRule?

    // MARK: Searching

    /// Searches all collections for items with the given attributes. Unlocks nothing.
    func search(_ attributes: [String: String], loadingSecrets: Bool) throws(StoreError)
        -> [ServiceItem]
    {
        try translatingErrors { () throws(SecretServiceFailure) in
            try connection.search(attributes, loadingSecrets: loadingSecrets)
        }
    }

    /// Like ``search(_:loadingSecrets:)``, for items that must be unlocked.
    ///
    /// - Throws: `locked` if a found item is locked.
    func searchUnlocked(
        _ attributes: [String: String], loadingSecrets: Bool
    ) throws(StoreError) -> [ServiceItem] {
        let found = try search(attributes, loadingSecrets: loadingSecrets)
        let locked = found.filter(\.isLocked)
        guard locked.isEmpty else { throw lockedError(for: locked) }
        return found
    }

    /// The error for items that were found locked. It says whether a keyring is locked, or is open
    /// and asks before it gives an item, as KeePassXC does if it is told to. A keyring that does
    /// not say counts as locked.
    func lockedError(for items: [ServiceItem]) -> StoreError {
        let isKeyringLocked = items.contains { item in
            // An error, too, says nothing: then it counts as locked.
            (try? connection.isCollectionLocked(of: item)) ?? true
        }
        return isKeyringLocked
            ? StoreError(SecretServiceFailure(.locked, operation: "search")) : .needsConsent
    }

    /// The collection that has the alias now; nil if there is none.
    func collection() throws(StoreError) -> ServiceCollection? {
        try translatingErrors { () throws(SecretServiceFailure) in
            try connection.collection(alias: alias)
        }
    }

    /// The paths of all items with the given attributes. Reads no item.
    func paths(_ attributes: [String: String]) throws(StoreError) -> Set<String> {
        try translatingErrors { () throws(SecretServiceFailure) in try connection.paths(attributes)
        }
    }

    // MARK: Locked or absent

    /// The collection to write to.
    ///
    /// - Throws: `unavailable` if no collection has the alias, `locked`.
    func unlockedCollection() throws(StoreError) -> ServiceCollection {
        guard let found = try collection() else {
            throw StoreError.noCollection(alias: alias)
        }
        guard !found.isLocked else {
            throw StoreError(SecretServiceFailure(.locked, operation: "alias"))
        }
        return found
    }

    /// Called before any search: KeePassXC answers no search while it is locked. Without a
    /// collection nothing is thrown here; ``requireAbsence()`` reports that when nothing was found.
    ///
    /// - Throws: `locked`.
    func requireUnlocked() throws(StoreError) {
        guard try collection()?.isLocked != true else {
            throw StoreError(SecretServiceFailure(.locked, operation: "alias"))
        }
    }

    /// Ensures that "not found" means absent.
    ///
    /// - Throws: `locked` if the item may be in a locked collection, `unavailable` if no collection
    ///   has the alias.
    func requireAbsence() throws(StoreError) {
        // Always includes the alias's own collection: while that is locked or closed, a service may
        // show nothing.
        _ = try unlockedCollection()
        // The collection `session` is in memory, and its items can be nowhere else.
        let defaultRule: SecretServiceOptions.AbsenceRule =
            alias == "session" ? .ownCollectionUnlocked : .noCollectionLocked
        // `noCollectionLocked`: while any collection is locked, no item counts as absent.
        guard (absence ?? defaultRule) == .noCollectionLocked else { return }
        let isAnyLocked = try translatingErrors(connection.isAnyCollectionLocked)
        guard !isAnyLocked else { throw Self.mayBeInLockedKeyring }
    }

    // MARK: Writing

    /// Stores a new item, or overwrites an item of the collection that has the same attributes.
    func store(
        _ secret: SecretStorage, attributes: [String: String], label: String,
        in target: ServiceCollection
    ) throws(StoreError) {
        try translatingErrors { () throws(SecretServiceFailure) in
            try connection.store(
                secret, attributes: attributes, label: label, schema: "signet.Item",
                collection: target.path)
        }
    }

    /// Overwrites an item that was found.
    ///
    /// - Returns: false if the item is gone.
    func update(
        _ item: ServiceItem, secret: SecretStorage, label: String
    ) throws(StoreError) -> Bool {
        try translatingErrors { () throws(SecretServiceFailure) in
            try connection.update(item, secret: secret, label: label)
        }
    }

    /// Deletes an item.
    ///
    /// - Returns: false if it was already gone.
    func delete(_ item: ServiceItem) throws(StoreError) -> Bool {
        try translatingErrors { () throws(SecretServiceFailure) in try connection.delete(item) }
    }

    // MARK: Unlocking

    /// Creates the default collection if there is none, and unlocks the collection. Then unlocks
    /// the locked items that have all attributes of one of the given sets. The service may show a
    /// prompt.
    ///
    /// - Parameter attributeSets: each finds items.
    func unlock(itemsWith attributeSets: [[String: String]]) throws(StoreError) {
        if alias == "default", try collection() == nil { try createDefaultCollection() }
        try unlockCollection()
        var lockedItems: [ServiceItem] = []
        for attributes in attributeSets {
            lockedItems += try search(attributes, loadingSecrets: false).filter(\.isLocked)
        }
        try translatingErrors { () throws(SecretServiceFailure) in
            try connection.unlock(lockedItems)
        }
    }

    private func createDefaultCollection() throws(StoreError) {
        // False if the person dismissed the prompt, or it could not be shown.
        let isMade = try translatingErrors { () throws(SecretServiceFailure) in
            try connection.createCollection(label: "Default", alias: alias)
        }
        guard isMade else {
            throw StoreError(SecretServiceFailure(.dismissed, operation: "create"))
        }
    }

    private func unlockCollection() throws(StoreError) {
        let unlocked = try translatingErrors { () throws(SecretServiceFailure) in
            try connection.unlock(alias: alias)
        }
        guard let unlocked else { throw StoreError.noCollection(alias: alias) }
        // Still locked: the person dismissed the prompt, or it could not be shown.
        guard !unlocked.isLocked else {
            throw StoreError(SecretServiceFailure(.dismissed, operation: "unlock"))
        }
    }

    // MARK: Errors and checks

    /// Runs calls of the bridge, and turns their errors into a store's.
    func translatingErrors<R>(_ body: () throws(SecretServiceFailure) -> R) throws(StoreError) -> R
    {
        do {
            return try body()
        } catch {
            throw StoreError(error)
        }
    }

    /// The error for an item that was not found, but may be in a locked collection.
    static var mayBeInLockedKeyring: StoreError {
        StoreError(
            .locked,
            "Nothing was found, but a keyring is locked in which it may be: unlock it and try again."
        )
    }

    /// - Throws: `invalidParameter` unless the alias has 1 to 64 ASCII letters, digits and
    ///   underscores, the deadline 1 to 600 seconds, and the deadline of prompts 1 to 3,600.
    static func check(alias: String, deadlineSeconds: Int, promptSeconds: Int) throws(StoreError) {
        let hasOnlyAllowedOctets = alias.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard (1...64).contains(alias.utf8.count), hasOnlyAllowedOctets else {
            throw StoreError(
                .invalidParameter,
                "The alias of a collection has 1 to 64 letters, digits and underscores.")
        }
        guard (1...600).contains(deadlineSeconds) else {
            throw StoreError(
                .invalidParameter, "A deadline is 1 to 600 seconds, not \(deadlineSeconds).")
        }
        guard (1...3600).contains(promptSeconds) else {
            throw StoreError(
                .invalidParameter,
                "The deadline of a prompt is 1 to 3,600 seconds, not \(promptSeconds).")
        }
    }

    /// - Throws: `invalidParameter` unless an item's label has at most 1,024 octets and no null.
    static func check(label: String) throws(StoreError) {
        let count = label.utf8.count
        guard count <= ItemLimits.label, !label.utf8.contains(0) else {
            throw StoreError(
                .invalidParameter,
                "A label has at most 1,024 octets and no null; this label has \(count) octets.")
        }
    }

    /// - Throws: `invalidParameter` unless a program's key has at least 32 bytes.
    static func check(sealingKey key: SecretKey) throws(StoreError) {
        guard key.byteCount >= VaultFormat.keyByteCount else {
            throw StoreError(
                .invalidParameter, "A sealing key has \(VaultFormat.keyByteCount) bytes or more.")
        }
    }
}
