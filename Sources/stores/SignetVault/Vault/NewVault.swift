// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// The contents of a new vault: keys, one slot, an empty state of generation 1.
struct NewVault {
    let unlocked: UnlockedKeys
    private let slot: SlotRecord
    private let state: [UInt8]

    /// Derives and makes the keys before any file exists, so a slow or failing method leaves
    /// nothing behind.
    init(with method: any UnlockMethod, created: ItemTime) throws(StoreError) {
        let vaultID = try Self.newID()
        let slotID = try Self.newID()
        let root = try RootKeys.generate(vaultID: vaultID, epoch: 1)
        slot = try SlotRecord.make(
            method.newSlot(id: slotID, vaultID: vaultID), id: slotID, root: root)
        let ring = try VaultKeys.generate(for: root)
        guard let active = ring.dataKeys.first else {
            throw .damaged("key ring", problem: "it was made without a data key")
        }
        unlocked = try UnlockedKeys(
            root: root, ring: ring,
            head: HeadRecord.make(root, created: created, slots: [slot], ring: ring.rows))
        state = try StateRecord(
            generation: 1, count: 0, items: Accumulator(), buckets: Accumulator(),
            activeKeyID: active.id, headDigest: unlocked.headDigest
        ).sealed(with: root)
    }

    /// 16 random octets, for a vault or a slot.
    static func newID() throws(StoreError) -> [UInt8] {
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try SecureRandom.bytes(count: 16)
        }
    }

    /// Writes the rows; the caller has begun the transaction.
    func write(to connection: VaultConnection) throws(StoreError) {
        try connection.run(.insertHead, binding: unlocked.head.bytes)
        try connection.run(.putSlot, binding: slot.id, slot.bytes)
        for row in unlocked.ring.rows {
            try connection.run(.putRing, binding: row.keyID, row.sealed)
        }
        try connection.run(.insertState, binding: state)
    }
}
