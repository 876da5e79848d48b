// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetVault

/// How a ``SecretServiceStore`` uses the Secret Service. Only the application's name and the alias
/// are stored.
public struct SecretServiceOptions: Sendable {
    /// The source of the key that seals the items.
    public enum SealingKey: Sendable {
        /// A separate item in the same collection, with a random key from the first write.
        ///
        /// Sealing then detects swapped or damaged items, and protects against programs that
        /// display or rewrite them. It hides nothing from a program that can read the unlocked
        /// collection.
        case keyring
        /// The program's own key, 32 bytes or more: the collection alone reveals no secret.
        case provided(SecretKey)
    }

    /// Which collections must be unlocked before an item counts as absent.
    public enum AbsenceRule: Sendable, Hashable {
        /// All collections: the item may be in a locked collection, and some services do not show
        /// what a locked collection holds.
        case noCollectionLocked
        /// Only the collection that the alias names.
        case ownCollectionUnlocked
    }

    /// Separates this program's items from other programs' items: 1 to 128 octets. Anyone on the
    /// session bus can read it.
    public var application: String
    /// The alias of the collection: `default`, `login`, `session` (in memory, gone with the daemon)
    /// or a custom alias. It is part of the store's identity: two aliases are two stores, even if
    /// they name the same collection.
    public var collection = "default"
    /// Seconds after which a call fails with `timedOut`, 1 to 600. Waiting for earlier calls
    /// counts. A call for many items has this time for each item.
    public var deadlineSeconds = 10
    /// Seconds for a prompt of the service, which replace the deadline once it is shown, and for
    /// `SecretServiceStore.unlock()`, which may wait for a person: 1 to 3,600.
    public var promptSeconds = 120
    /// Called on a thread of the bus when a call begins to wait for a prompt, so the program can
    /// tell the user.
    public var promptNotice: (@Sendable () -> Void)?
    /// Writes class, service, account and access group of items as readable attributes beside the
    /// keyed hashes, and shows the item's label in keyring programs. Anyone on the session bus can
    /// read attributes, and gnome-keyring's file keeps unsalted hashes of them.
    public var plainAttributes = false
    /// The source of the key that seals the items.
    public var sealingKey = SealingKey.keyring
    /// When "not found" counts as an answer. Nil means ``AbsenceRule/ownCollectionUnlocked`` for
    /// the alias `session`, whose items can be nowhere else, and ``AbsenceRule/noCollectionLocked``
    /// for every other alias.
    public var absence: AbsenceRule?
    /// Whether ``SecretServiceStore/lock()`` also locks the collection, for all programs. If not,
    /// only this object forgets its keys.
    public var locksCollection = true
    /// The source of the time for created and modified.
    public var clock = TimeSource.system

    /// The defaults.
    public init(application: String) { self.application = application }

    func check() throws(StoreError) {
        let count = application.utf8.count
        guard (1...128).contains(count), !application.utf8.contains(where: { $0 < 0x20 })
        else {
            throw StoreError(
                .invalidParameter,
                "The application's name has 1 to 128 octets without control characters; this name has \(count) octets."
            )
        }
        try Keyring.check(
            alias: collection, deadlineSeconds: deadlineSeconds, promptSeconds: promptSeconds)
        if case .provided(let key) = sealingKey { try Keyring.check(sealingKey: key) }
    }
}
