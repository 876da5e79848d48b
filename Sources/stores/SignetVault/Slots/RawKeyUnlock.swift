// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// Opens a vault with the program's own key of 32 bytes: the key slots of key files and systemd
/// credentials.
public struct RawKeyUnlock: UnlockMethod {
    private let key: SecretKey

    /// Uses a key of 32 random bytes. Its length is checked when it is used.
    public init(_ key: SecretKey) { self.key = key }

    /// The key, for every slot of this kind.
    ///
    /// - Throws: `invalidValue` unless the key has 32 bytes.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        slot.kind == .rawKey ? try checked() : nil
    }

    /// A slot for the key.
    ///
    /// - Throws: `invalidValue` unless the key has 32 bytes.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(kind: .rawKey, parameters: [], keyEncryptionKey: try checked())
    }

    private func checked() throws(StoreError) -> SecretKey {
        guard key.byteCount == VaultFormat.keyByteCount else {
            throw StoreError(
                .invalidValue, "A vault's raw key has \(VaultFormat.keyByteCount) bytes.")
        }
        return key
    }
}
