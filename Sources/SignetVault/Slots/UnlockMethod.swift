// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A source of a slot's key: a passphrase, a key file, a credential, a key management service.
///
/// Vaults call it on the thread that unlocks (for the async calls, on the store's queue), so that
/// it may block. It may keep its secret only as long as the caller keeps it: a vault holds no
/// unlock method after the call.
public protocol UnlockMethod: Sendable {
    /// The slot's key of 32 bytes; nil when the slot is of another kind than this method is for.
    ///
    /// A key that does not fit is not an error here: the vault finds out and tries the next slot.
    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey?

    /// What a new slot that this method will open is made of.
    ///
    /// - Parameters:
    ///   - id: the slot's name, 16 bytes.
    ///   - vaultID: the vault's name, 16 bytes.
    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot
}
