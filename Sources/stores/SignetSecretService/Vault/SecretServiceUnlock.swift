// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SecretServiceBridge
public import SignetCrypto
internal import SignetMemory
public import SignetVault

/// Opens a vault with a key in the desktop's keyring, so the vault needs no passphrase while its
/// owner is logged in: `try vault.unlock(with: SecretServiceUnlock())`.
///
/// A *slot* of a vault is a way to unlock it; slots of this way have the type 6 in the file. The
/// key is 32 random bytes, in a separate item that names vault and slot. Any program that can read
/// the unlocked keyring can open the vault; the vault's file alone is not enough. As with every
/// `UnlockMethod`, the calls block, at most until their deadline.
///
/// Removing the slot from the vault leaves the item in the keyring: use
/// ``removeKey(ofSlot:vaultID:)``.
public struct SecretServiceUnlock: UnlockMethod {
    /// The item's secret is this and base64url of the key's 32 bytes.
    private static let prefix: StaticString = "signet1s:"

    private let call: KeyringCall
    private let unlocksKeyring: Bool
    private let promptSeconds: Int
    private let label: String

    /// Makes an unlock method for the keyring.
    ///
    /// - Parameters:
    ///   - collection: the alias of the collection; see ``SecretServiceOptions/collection``.
    ///   - label: the label in keyring programs, for new slots.
    ///   - deadlineSeconds: 1 to 600.
    ///   - unlocksKeyring: lets the service show its prompt if the keyring is locked or, for a new
    ///     slot, does not exist; otherwise that is an error.
    ///   - promptSeconds: how long to wait for the prompt's answer, 1 to 3,600.
    ///   - promptNotice: called on a thread of the bus when a call begins to wait for a prompt.
    /// - Throws: `invalidParameter`.
    public init(
        collection: String = "default", label: String = "Signet vault", deadlineSeconds: Int = 10,
        unlocksKeyring: Bool = false, promptSeconds: Int = 120,
        promptNotice: (@Sendable () -> Void)? = nil
    ) throws(StoreError) {
        try Keyring.check(
            alias: collection, deadlineSeconds: deadlineSeconds, promptSeconds: promptSeconds)
        try Keyring.check(label: label)
        call = KeyringCall(
            alias: collection, deadlineSeconds: deadlineSeconds, promptSeconds: promptSeconds,
            promptNotice: promptNotice)
        self.unlocksKeyring = unlocksKeyring
        self.promptSeconds = promptSeconds
        self.label = label
    }

    /// The slot's key; nil for slots of another kind, and if the keyring has no key for this slot
    /// and nothing is locked.
    ///
    /// - Throws: `locked` if the key is locked, or may be in a locked collection; `corrupt`,
    ///   `timedOut`, `unavailable`.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        guard slot.kind == .secretService else { return nil }
        let attributes = Self.attributes(ofSlot: slot.id, vaultID: slot.vaultID)
        return try findKeyUnlocking(attributes)
    }

    /// Makes a key, stores it, and reads it back before a vault relies on it.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        let key = try SecretKey.newVaultKey()
        let attributes = Self.attributes(ofSlot: id, vaultID: vaultID)
        let label = label
        if unlocksKeyring { try unlockKeyring([]) }
        try call.performBlocking(writes: true) { (keyring) throws(StoreError) in
            let text = key.withExposedBytes { SecretText.encode($0, prefix: Self.prefix) }
            try keyring.store(
                text, attributes: attributes, label: label, in: try keyring.unlockedCollection())
        }
        guard try findKeyUnlocking(attributes) == key else {
            throw StoreError(
                .unavailable, "The Secret Service does not give back the key that was just stored.")
        }
        return NewKeySlot(kind: .secretService, parameters: [], keyEncryptionKey: key)
    }

    /// Permanently removes the key of a slot from the keyring. Nothing opens the slot then.
    ///
    /// - Returns: whether the keyring had the key.
    @discardableResult
    public func removeKey(ofSlot id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> Bool {
        let attributes = Self.attributes(ofSlot: id, vaultID: vaultID)
        return try call.performBlocking(writes: true) { (keyring) throws(StoreError) -> Bool in
            try keyring.requireUnlocked()
            let items = try keyring.searchUnlocked(attributes, loadingSecrets: false)
            if items.isEmpty { try keyring.requireAbsence() }
            var wasThere = false
            for item in items where try keyring.delete(item) { wasThere = true }
            return wasThere
        }
    }

    /// Finds the slot's key. If it is locked and this method may show a prompt, unlocks the keyring
    /// and tries again.
    private func findKeyUnlocking(_ attributes: [String: String]) throws(StoreError) -> SecretKey? {
        do {
            return try findKey(attributes)
        } catch {
            guard error.code == .locked, unlocksKeyring else { throw error }
        }
        try unlockKeyring([attributes])
        return try findKey(attributes)
    }

    /// Unlocks the collection, and the items that have one of the sets of attributes. The service
    /// may show a prompt.
    private func unlockKeyring(_ attributeSets: [[String: String]]) throws(StoreError) {
        try call.performBlocking(seconds: promptSeconds) { (keyring) throws(StoreError) in
            try keyring.unlock(itemsWith: attributeSets)
        }
    }

    /// The slot's key; nil if the keyring certainly has none.
    private func findKey(_ attributes: [String: String]) throws(StoreError) -> SecretKey? {
        try call.performBlocking { (keyring) throws(StoreError) -> SecretKey? in
            try keyring.requireUnlocked()
            let items = try keyring.searchUnlocked(attributes, loadingSecrets: true)
            guard let secret = items.first?.secret else {
                // Throws if the key may be in a locked keyring.
                try keyring.requireAbsence()
                return nil
            }
            guard let bytes = SecretText.decode(secret, prefix: Self.prefix),
                bytes.count == VaultFormat.keyByteCount
            else {
                throw .damagedItem("a vault's key does not have \(VaultFormat.keyByteCount) bytes")
            }
            return SecretKey(storage: bytes)
        }
    }

    private static func attributes(ofSlot slot: [UInt8], vaultID vault: [UInt8]) -> [String: String]
    {
        [
            StoreIdentity.marker: "1", StoreIdentity.kindName: "slot",
            "signet:vault": vault.hexadecimal,
            "signet:slot": slot.hexadecimal,
        ]
    }
}
