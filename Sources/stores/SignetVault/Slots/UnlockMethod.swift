// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// A source of a slot's key: a passphrase, a key file, a credential, a key management service.
///
/// Vaults call it on the thread that unlocks (for the async calls, on the store's queue), so it may
/// block. A vault does not keep an unlock method after the call.
public protocol UnlockMethod: Sendable {
    /// The slot's key of 32 bytes; nil if the slot is of another kind.
    ///
    /// A key that does not fit is not an error here: the vault tries the next slot.
    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey?

    /// The parts of a new slot that this method will open.
    ///
    /// - Parameters:
    ///   - id: the slot's id, 16 bytes.
    ///   - vaultID: the vault's id, 16 bytes.
    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot
}
