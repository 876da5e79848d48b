// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A key slot of a vault, and what can open it now (``FileVault/unlockOffers(_:)``). A vault has a
/// slot for each way to unlock it. An offer with `.ready(method)` can be taken by
/// `try vault.unlock(with: method)`.
public struct UnlockOffer: Sendable {
    /// A way to open a slot.
    public enum Way: Sendable {
        /// A passphrase, which a person types.
        case passphrase
        /// This method, which reported that it has the slot's key.
        case ready(any UnlockMethod)
        /// No way now, for this reason. `locked` means that a keyring exists and is locked: a
        /// method that may show its prompt opens it.
        case unavailable(StoreError)
    }

    /// The slot.
    public let slot: KeySlot
    /// The way to open the slot now.
    public let way: Way

    /// Whether the slot can be opened now, with a prompt or without.
    public var isAvailable: Bool {
        if case .unavailable = way { false } else { true }
    }

    init(_ record: SlotRecord, vaultID: [UInt8], with methods: [any UnlockMethod]) {
        slot = record.keySlot(vaultID: vaultID)
        if let algorithm = record.passphraseAlgorithm {
            // Derives nothing: that would take a while, and the passphrase.
            way =
                algorithm.isAvailable
                ? .passphrase : .unavailable(.unsupportedDerivation(algorithm))
        } else {
            way = Self.wayFound(asking: methods, for: record, slot: slot)
        }
    }

    /// Asks each method for the slot's key, and tries the key.
    ///
    /// - Returns: the first method whose key opens the slot; otherwise the last error.
    private static func wayFound(
        asking methods: [any UnlockMethod], for record: SlotRecord, slot: KeySlot
    ) -> Way {
        var reason = StoreError(
            .authenticationFailure, "None of the methods that were asked has the slot's key.")
        for method in methods {
            do throws(StoreError) {
                guard let key = try method.keyEncryptionKey(for: slot) else { continue }
                if try record.openRoot(with: key, vaultID: slot.vaultID) != nil {
                    return .ready(method)
                }
            } catch {
                reason = error
            }
        }
        return .unavailable(reason)
    }
}

extension FileVault {
    /// Lists the ways to open this vault now, slot by slot, in the slots' order. It asks the
    /// methods rather than guessing.
    ///
    /// Nothing is unlocked, no passphrase is derived, and only a method that may show a prompt does
    /// so. Pass the methods that the program has: a key file, a systemd credential, the keyring.
    /// Passphrase methods are not asked.
    ///
    /// - Throws: `corrupt`, `unavailable` if the slots cannot be read.
    public func unlockOffers(
        _ methods: [any UnlockMethod] = []
    ) throws(StoreError) -> [UnlockOffer] {
        let records = try readWithoutKeys { (connection) throws(StoreError) -> [SlotRecord] in
            try VaultTables.slots(of: connection)
        }
        return records.map { UnlockOffer($0, vaultID: id, with: methods) }
    }
}
