// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault

/// A raw-key slot, so that no passphrase derivation is in what is measured.
struct FixedKey: UnlockMethod {
    private var key: SecretKey { SecretKey(copying: [UInt8](repeating: 0x2A, count: 32)) }

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        slot.kind == .rawKey ? key : nil
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(kind: .rawKey, parameters: [], keyEncryptionKey: key)
    }
}
