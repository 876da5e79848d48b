// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

// Changes of a vault's keys, for the calls of `FileVault+Keys.swift`. The records are:
// - slot: the root key, sealed for one way to unlock;
// - ring: the data keys, which seal items, and two more keys, each sealed under the root key;
// - head: has a code over all slots and the ring, made with the root key. Each change here writes
//   it again (`putHead`), after it has checked the old one (`provedSlots`);
// - state: has the head's digest, and names the *active* data key, which seals new items.

extension VaultWriter {
    /// Adds a key slot, replacing `old` if given.
    func putSlot(_ new: NewKeySlot, id: [UInt8], replacing old: [UInt8]? = nil) throws(StoreError) {
        var slots = try provedSlots()
        if let old { try drop(old, from: &slots) }
        let slot = try SlotRecord.make(new, id: id, root: unlocked.root)
        slots.append(slot)
        let passphraseCount = slots.count(where: { $0.passphraseAlgorithm != nil })
        guard slots.count <= VaultFormat.maximumSlotCount,
            passphraseCount <= VaultFormat.maximumPassphraseSlotCount
        else {
            throw StoreError(
                .invalidParameter,
                "A vault has at most \(VaultFormat.maximumSlotCount) key slots, of which at most "
                    + "\(VaultFormat.maximumPassphraseSlotCount) for passphrases, not "
                    + "\(slots.count) and \(passphraseCount). Remove a key slot first.")
        }
        try write(slot)
        try putHead(slots, ring: unlocked.ring)
    }

    /// Removes a key slot.
    func dropSlot(_ id: [UInt8]) throws(StoreError) {
        var slots = try provedSlots()
        try drop(id, from: &slots)
        guard !slots.isEmpty else {
            throw StoreError(
                .invalidParameter,
                "It is the only key slot: without it, the vault could never be opened again.")
        }
        try putHead(slots, ring: unlocked.ring)
    }

    /// Adds a data key for writers to use from now on.
    func putDataKey() throws(StoreError) {
        let slots = try provedSlots()
        let (ring, key) = try unlocked.ring.addingDataKey(unlocked.root)
        // The rows of the other keys are in the file already.
        for row in ring.rows where row.keyID == key.id { try write(row) }
        state.activeKeyID = key.id
        try putHead(slots, ring: ring)
    }

    /// Removes the data keys that no item names.
    ///
    /// - Returns: whether only the active key is left.
    func dropOldDataKeys() throws(StoreError) -> Bool {
        let hasOthers = try connection.withRows(of: .itemOfOtherKey, binding: state.activeKeyID) {
            (row) throws(StoreError) -> Bool in
            return try row.step()
        }
        guard !hasOthers else { return false }
        let slots = try provedSlots()
        let ring = try unlocked.ring.keepingDataKeys([state.activeKeyID])
        for key in unlocked.ring.dataKeys where key.id != state.activeKeyID {
            try connection.run(.dropRing, binding: key.id)
        }
        try putHead(slots, ring: ring)
        return true
    }

    /// Replaces the root key: ring, slots, buckets and state are re-sealed, and the head is made
    /// again. The rows of items and values are not touched: their data keys stay.
    ///
    /// - Parameter kept: the slots that stay, with their keys; every other slot is dropped.
    func putRoot(keeping kept: [(slot: SlotRecord, key: SecretKey)]) throws(StoreError) {
        // Only what the state covers may be re-sealed, or a bucket that was rolled back would be
        // accepted.
        try proveBuckets()
        var oldSlots = try provedSlots()
        // The epoch counts the root keys.
        guard unlocked.root.epoch < UInt32.max else {
            throw StoreError(.unsupported, "The root key was exchanged too often.")
        }
        let root = try RootKeys.generate(
            vaultID: unlocked.root.vaultID, epoch: unlocked.root.epoch + 1)
        let ring = try unlocked.ring.sealed(for: root)
        for row in ring.rows { try write(row) }
        var slots: [SlotRecord] = []
        for (slot, key) in kept {
            slots.append(
                try SlotRecord.make(
                    NewKeySlot(kind: slot.kind, parameters: slot.parameters, keyEncryptionKey: key),
                    id: slot.id, root: root))
        }
        for slot in oldSlots where !slots.contains(where: { $0.id == slot.id }) {
            try drop(slot.id, from: &oldSlots)
        }
        for slot in slots { try write(slot) }
        try sealBuckets(for: root)
        try putHead(slots, ring: ring, root: root)
    }

    /// The slots that the head covered, before any change. A new head must not cover what an
    /// attacker added: a removed slot would open the vault again.
    private func provedSlots() throws(StoreError) -> [SlotRecord] {
        let tables = try VaultTables.read(from: connection)
        // Throws if the head does not cover these slots and this ring.
        _ = try UnlockedKeys(tables, root: unlocked.root)
        return tables.slotRecords
    }

    /// Writes the head over these slots and keys, and names it in the state.
    private func putHead(_ slots: [SlotRecord], ring: VaultKeys, root: RootKeys? = nil)
        throws(StoreError)
    {
        let root = root ?? unlocked.root
        let head = try HeadRecord.make(
            root, created: unlocked.head.created, slots: slots, ring: ring.rows)
        try connection.run(.putHead, binding: head.bytes)
        try noteHead(of: UnlockedKeys(root: root, ring: ring, head: head))
    }

    /// Removes a slot from the file and from `slots`.
    private func drop(_ id: [UInt8], from slots: inout [SlotRecord]) throws(StoreError) {
        guard slots.contains(where: { $0.id == id }) else {
            throw StoreError(.invalidParameter, "The vault has no key slot of this id.")
        }
        slots.removeAll { $0.id == id }
        try connection.run(.dropSlot, binding: id)
    }

    private func write(_ slot: SlotRecord) throws(StoreError) {
        try connection.run(.putSlot, binding: slot.id, slot.bytes)
    }

    private func write(_ key: RingRow) throws(StoreError) {
        try connection.run(.putRing, binding: key.keyID, key.sealed)
    }
}
