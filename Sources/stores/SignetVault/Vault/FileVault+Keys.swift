// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetCrypto

// The calls about keys: `let id = try vault.addSlot(PassphraseUnlock(passphrase))`.
// - slot: the root key, sealed for one way to unlock (an `UnlockMethod`);
// - root key: seals the ring, the table of the data keys and of keys for names and sums;
// - data key: seals items. During a rotation there are an old one and a new, *active* one;
// - head: a record with a code over slots and ring. It shows whether either was changed.

extension FileVault {
    /// The key slots, in the order of their ids. Needs no unlock; they are authentic only while the
    /// vault is unlocked.
    public func slots() throws(StoreError) -> [KeySlot] {
        if try !isLocked() {
            return try reading { (reader) throws(StoreError) -> [KeySlot] in
                // Throws if the head does not match the keys that this vault was unlocked with.
                _ = try reader.stateBefore()
                let tables = try VaultTables.read(from: reader.connection)
                // Throws if the head does not cover these slots.
                _ = try UnlockedKeys(tables, root: reader.unlocked.root)
                return tables.slotRecords.map { $0.keySlot(vaultID: id) }
            }
        }
        return try readWithoutKeys { (connection) throws(StoreError) -> [KeySlot] in
            try VaultTables.slots(of: connection).map { $0.keySlot(vaultID: id) }
        }
    }

    /// Adds a key slot and returns its id. The time does not depend on the number of items.
    ///
    /// - Throws: `invalidParameter` beyond 32 slots, or 8 for passphrases.
    @discardableResult
    public func addSlot(_ method: any UnlockMethod) throws(StoreError) -> [UInt8] {
        let (slot, slotID) = try newSlot(method)
        try writing { (writer) throws(StoreError) in try writer.putSlot(slot, id: slotID) }
        return slotID
    }

    /// Adds a key slot once the person has shown, now, that they can open the vault: for enabling a
    /// lock in an app's settings, where the vault has long been unlocked.
    ///
    /// - Parameters:
    ///   - method: the unlock method of the new slot.
    ///   - proof: an existing unlock method. It is asked again, and must open a slot.
    /// - Throws: `authenticationFailure` if the proof opens no slot, `cancelled` if the person gave
    ///   up, and the errors of ``addSlot(_:)``. Nothing is added then.
    @discardableResult
    public func addSlot(
        _ method: any UnlockMethod, after proof: any UnlockMethod
    ) throws(StoreError) -> [UInt8] {
        let slots = try reading { (reader) throws(StoreError) -> [SlotRecord] in
            _ = try reader.stateBefore()
            return try VaultTables.slots(of: reader.connection)
        }
        // Throws if the proof opens none.
        _ = try Self.slots(openedBy: [proof], among: slots, vaultID: id)
        return try addSlot(method)
    }

    /// Removes a key slot. An older copy of the file still opens with it: if that matters, rotate
    /// the root key as well.
    ///
    /// - Throws: `invalidParameter` for the last slot, or if no slot has this id.
    public func removeSlot(id slotID: [UInt8]) throws(StoreError) {
        try writing { (writer) throws(StoreError) in try writer.dropSlot(slotID) }
    }

    /// Replaces a key slot in one step (a passphrase change); returns the new slot's id.
    ///
    /// - Throws: `invalidParameter` if no slot has this id.
    @discardableResult
    public func replaceSlot(id slotID: [UInt8], with method: any UnlockMethod) throws(StoreError)
        -> [UInt8]
    {
        let (slot, newID) = try newSlot(method)
        try writing { (writer) throws(StoreError) in
            try writer.putSlot(slot, id: newID, replacing: slotID)
        }
        return newID
    }

    /// Derives the slot's key before the transaction begins, so no other process waits for that.
    private func newSlot(_ method: any UnlockMethod) throws(StoreError) -> (NewKeySlot, [UInt8]) {
        try requireWritable()
        // Throws if the vault is locked.
        _ = try holder.use()
        let slotID = try NewVault.newID()
        return (try method.newSlot(id: slotID, vaultID: id), slotID)
    }

    /// Rotates the data key, or resumes an interrupted rotation.
    ///
    /// Everything is verified first. Then items are re-sealed in batches, while readers and writers
    /// of all processes continue. At the end the old key is removed from the file and its log. If
    /// the process is killed, the vault stays valid, and the next call resumes.
    ///
    /// - Parameter progress: items done and items in all; called after each batch, on this thread.
    /// - Throws: `corrupt` for a damaged vault (nothing was changed, unless the damage came after
    ///   the first batch); the errors of a write.
    public func rotateDataKey(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) {
        try requireWritable()
        try requireUndamaged()
        try writing { (writer) throws(StoreError) in
            if writer.unlocked.ring.dataKeys.count == 1 { try writer.putDataKey() }
        }
        var idlePassCount = 0
        var isOldKeyDropped = false
        while !isOldKeyDropped {
            // Two passes found nothing to do, and a row with another key remains. Either its id
            // belongs to no item, or another process rotates between any two calls of this one.
            guard idlePassCount < 2 else {
                throw .damaged("item", problem: "one of another key has no id of an item")
            }
            let resealedCount = try resealAll(progress)
            idlePassCount = resealedCount == 0 ? idlePassCount + 1 : 0
            // False while a row with another key remains.
            isOldKeyDropped = try writing { (writer) throws(StoreError) -> Bool in
                try writer.dropOldDataKeys()
            }
        }
        // A reader may block this for a while; a later checkpoint then removes the key from the
        // log.
        try checkpointer.checkpoint(.long)
    }

    /// Re-seals, in batches, every item that has another key than the active one.
    ///
    /// - Returns: the number of re-sealed items.
    private func resealAll(_ progress: ((Int, Int) -> Void)?) throws(StoreError) -> Int {
        // The id behind which the next batch begins: first the empty id, which is before every
        // other; nil after the last batch.
        var last: [UInt8]? = []
        var examinedCount = 0
        var resealedCount = 0
        while let behind = last {
            let batch = try writing { (writer) throws(StoreError) -> VaultWriter.Batch in
                try writer.resealBatch(behind: behind)
            }
            last = batch.last
            examinedCount += batch.count
            resealedCount += batch.sealed
            progress?(examinedCount, max(examinedCount, Int(clamping: batch.total)))
            // File locks are not fair: without a pause, other writers would hardly ever get the
            // lock.
            if last != nil {
                // Blocks this thread for 3 ms: nothing signals this semaphore.
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(3))
            }
        }
        return resealedCount
    }

    /// Replaces the root key. Data keys and items stay. Someone who knows the old root key, or a
    /// slot of an older copy of the file, can open later writes only with the data keys obtained
    /// then; to prevent that too, rotate the data key as well.
    ///
    /// Other processes that have the vault unlocked get `locked` at their next write, and must
    /// unlock again.
    ///
    /// - Parameters:
    ///   - methods: the unlock methods that stay; each must open at least one slot now.
    ///   - droppingOthers: allows removing the slots that none of the methods opens.
    /// - Throws: `authenticationFailure` if a method opens no slot, `invalidParameter` if slots
    ///   would be dropped without permission, or none would be left, `conflict` if the slots
    ///   changed in the meantime.
    public func rotateRootKey(
        keeping methods: [any UnlockMethod], droppingOthers: Bool = false
    ) throws(StoreError) {
        let (slots, unlocked) = try reading {
            (reader) throws(StoreError) -> ([SlotRecord], UnlockedKeys) in
            _ = try reader.stateBefore()
            return (try VaultTables.slots(of: reader.connection), reader.unlocked)
        }
        let kept = try Self.slots(openedBy: methods, among: slots, vaultID: id)
        guard !kept.isEmpty else {
            throw StoreError(.invalidParameter, "Name at least one way in that stays.")
        }
        guard kept.count == slots.count || droppingOthers else {
            throw StoreError(
                .invalidParameter,
                "\(slots.count - kept.count) key slots would be dropped: give their methods too, or allow it."
            )
        }
        try writing { (writer) throws(StoreError) in
            guard writer.unlocked.head.bytes == unlocked.head.bytes else {
                throw StoreError(.conflict, "The key slots were changed meanwhile. Try again.")
            }
            try writer.putRoot(keeping: kept)
        }
        try checkpointer.checkpoint(.long)
    }

    /// The slots that any of the methods opens now, each once, with their keys.
    ///
    /// - Throws: `authenticationFailure`, or the method's own error, if a method opens no slot.
    private static func slots(
        openedBy methods: [any UnlockMethod], among slots: [SlotRecord], vaultID: [UInt8]
    ) throws(StoreError) -> [(slot: SlotRecord, key: SecretKey)] {
        var opened: [(slot: SlotRecord, key: SecretKey)] = []
        for method in methods {
            for (slot, key) in try self.slots(openedBy: method, among: slots, vaultID: vaultID)
            where !opened.contains(where: { $0.slot.id == slot.id }) {
                opened.append((slot, key))
            }
        }
        return opened
    }

    /// The slots that one method opens now, at least one, with their keys.
    ///
    /// - Throws: `authenticationFailure`, or the method's own error, if it opens no slot.
    private static func slots(
        openedBy method: any UnlockMethod, among slots: [SlotRecord], vaultID: [UInt8]
    ) throws(StoreError) -> [(slot: SlotRecord, key: SecretKey)] {
        var opened: [(slot: SlotRecord, key: SecretKey)] = []
        var reason = StoreError(.authenticationFailure, "One of the methods opens no key slot.")
        for slot in slots {
            let key: SecretKey?
            do throws(StoreError) {
                key = try method.keyEncryptionKey(for: slot.keySlot(vaultID: vaultID))
            } catch {
                // A slot that cannot be tried counts as not opened by this method, like in an
                // unlock.
                reason = error
                continue
            }
            guard let key else { continue }
            guard try slot.openRoot(with: key, vaultID: vaultID) != nil else { continue }
            opened.append((slot, key))
        }
        guard !opened.isEmpty else { throw reason }
        return opened
    }

    /// Verifies everything: schema, head, slots, ring, state, every bucket, row and value, and
    /// SQLite's own check. Damage is reported, not thrown.
    ///
    /// The verification has its own connection, so other calls continue, and sees one moment of the
    /// vault.
    ///
    /// - Parameter progress: items done and items in all.
    /// - Throws: `rolledBack` for a vault that is older than this object has seen it; `locked`;
    ///   `unavailable` or `busy` if it cannot be read.
    public func verify(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) -> VaultReport {
        try requireProcess()
        let held = try holder.use()
        let floor = freshness.newest
        let connection = try file.connect(for: .reading)
        defer { connection.close() }
        return try file.whileUnchanged { () throws(StoreError) -> VaultReport in
            try report(on: connection, keys: held, atLeast: floor, progress)
        }
    }

    /// Verifies everything in a transaction, with the keys for the head in it.
    private func report(
        on connection: VaultConnection, keys held: UnlockedKeys, atLeast floor: UInt64,
        _ progress: ((Int, Int) -> Void)?
    ) throws(StoreError) -> VaultReport {
        try connection.transaction(.begin) { () throws(StoreError) -> VaultReport in
            var unlocked = held
            do throws(StoreError) {
                unlocked = try held.current(on: connection)
            } catch {
                // The head, or what it covers, is damaged: that is reported below.
                guard error != .rootReplaced else {
                    throw StoreError(.locked, underlying: error, "\(messageOf: error)")
                }
                guard error.kind == .corrupt else { throw error }
            }
            try requireFresh(unlocked, atLeast: floor, on: connection)
            return try VaultVerifier(connection: connection, unlocked: unlocked, progress: progress)
                .report()
        }
    }

    /// A state that does not open is damage, which is reported. A state that opens must not be old.
    private func requireFresh(
        _ unlocked: UnlockedKeys, atLeast floor: UInt64, on connection: VaultConnection
    ) throws(StoreError) {
        let state: StateRecord
        do {
            state = try unlocked.state(VaultTables.state(of: connection))
        } catch {
            guard error.kind == .corrupt else { throw error }
            return
        }
        try freshness.require(state.generation, atLeast: floor)
        freshness.noteRead(state.generation)
    }
}
