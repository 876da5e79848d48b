// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetVault

/// How a ``SecretServiceStore`` uses the Secret Service. Nothing of it is stored but the
/// application's name and the alias.
public struct SecretServiceOptions: Sendable {
    /// Where the key that seals the items comes from.
    public enum SealingKey: Sendable {
        /// An item of its own in the same collection, made at random with the first write.
        ///
        /// Sealing then detects exchanged or damaged items, and stops programs that show or rewrite
        /// them. It hides nothing from a program that can read the unlocked collection.
        case keyring
        /// A key of the program's own, 32 bytes or more: the collection alone gives no secret away.
        case provided(SecretKey)
    }

    /// Which collections must be unlocked before an item that was not found is called absent.
    public enum AbsenceRule: Sendable, Hashable {
        /// All of them: the item may be in one that is locked, and some services say nothing about
        /// what is in those.
        case noCollectionLocked
        /// The one that the alias names.
        case ownCollectionUnlocked
    }

    /// Separates this program's items from those of others: 1 to 128 octets. Everybody on the
    /// session bus can read it.
    public var application: String
    /// The alias of the collection: `default`, `login`, `session` (in memory, gone with the daemon)
    /// or one of your own. It is a part of the store's identity: two aliases are two stores, even
    /// where both name the same collection.
    public var collection = "default"
    /// Seconds after which a call is given up with `timedOut`, 1 to 600. The time spent waiting for
    /// earlier calls counts; of calls on many items each item has this long.
    public var deadlineSeconds = 10
    /// Seconds for a prompt that the service shows, from when it does, in place of the deadline,
    /// and for `SecretServiceStore.unlock()`, which may wait for a person: 1 to 3600.
    public var promptSeconds = 120
    /// Called on a thread of the bus's when a call begins to wait for a prompt, so that a program
    /// can say so.
    public var promptNotice: (@Sendable () -> Void)?
    /// Writes class, service, account and access group of items as readable attributes beside the
    /// keyed hashes, and the item's label as its label in keyring programs. Everybody on the
    /// session bus can read attributes, and gnome-keyring's file keeps unsalted hashes of them.
    public var plainAttributes = false
    /// Where the key that seals the items comes from.
    public var sealingKey = SealingKey.keyring
    /// When "not found" is an answer; nil for ``AbsenceRule/ownCollectionUnlocked`` with the alias
    /// `session`, whose items can be nowhere else, and ``AbsenceRule/noCollectionLocked`` with all
    /// others.
    public var absence: AbsenceRule?
    /// Whether ``SecretServiceStore/lock()`` also locks the collection, for all programs. Without
    /// it only this object forgets its keys.
    public var locksCollection = true
    /// Where the time for created and modified comes from.
    public var clock = TimeSource.system

    /// The defaults.
    public init(application: String) { self.application = application }

    func check() throws(StoreError) {
        guard (1...128).contains(application.utf8.count),
            !application.utf8.contains(where: { $0 < 0x20 })
        else {
            throw StoreError(
                .invalidParameter,
                "The application's name has 1 to 128 octets without control characters.")
        }
        try Keyring.check(
            alias: collection, deadlineSeconds: deadlineSeconds, promptSeconds: promptSeconds)
        if case .provided(let key) = sealingKey, key.byteCount < 32 {
            throw StoreError(.invalidParameter, "A sealing key has 32 bytes or more.")
        }
    }
}
