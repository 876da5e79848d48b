// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import SignetCrypto

extension FileVault {
    /// The key slots, in the order of their ids. Needs no unlock; while the vault is unlocked, they
    /// are authentic.
    public func slots() throws(StoreError) -> [KeySlot] {
        let isLocked = try isLocked()
        if !isLocked {
            return try reading { (reader) throws(StoreError) -> [KeySlot] in
                // Whatever head is there, it is checked against the slots that are there.
                _ = try reader.stateBefore()
                let tables = try VaultTables.read(from: reader.connection)
                _ = try VaultSession(tables, root: reader.session.root)
                return tables.slotRecords.map { $0.keySlot(vaultID: id) }
            }
        }
        return try look { (connection) throws(StoreError) -> [KeySlot] in
            try VaultTables.slots(of: connection).map { $0.keySlot(vaultID: id) }
        }
    }

    /// Adds a way in; returns the slot's id. Takes the same time whatever the number of items.
    ///
    /// - Throws: `invalidParameter` beyond 32 slots, or 8 for passphrases.
    @discardableResult
    public func addSlot(_ method: any UnlockMethod) throws(StoreError) -> [UInt8] {
        let (slot, slotID) = try newSlot(method)
        try writing { (writer) throws(StoreError) -> Void in try writer.putSlot(slot, id: slotID) }
        return slotID
    }

    /// Removes a key slot. An older copy of the file still opens with it: if that matters, rotate
    /// the root key as well.
    ///
    /// - Throws: `invalidParameter` for the last slot, or if no slot has this id.
    public func removeSlot(id slotID: [UInt8]) throws(StoreError) {
        try writing { (writer) throws(StoreError) -> Void in try writer.dropSlot(slotID) }
    }

    /// Exchanges a way in one step (a passphrase change); returns the new slot's id.
    ///
    /// - Throws: `invalidParameter` if no slot has this id.
    @discardableResult
    public func replaceSlot(id slotID: [UInt8], with method: any UnlockMethod) throws(StoreError)
        -> [UInt8]
    {
        let (slot, newID) = try newSlot(method)
        try writing { (writer) throws(StoreError) -> Void in
            try writer.putSlot(slot, id: newID, replacing: slotID)
        }
        return newID
    }

    /// Derived before the transaction begins, so no other process waits for it.
    private func newSlot(_ method: any UnlockMethod) throws(StoreError) -> (NewKeySlot, [UInt8]) {
        try requireWritable()
        _ = try holder.use()
        let slotID = try NewVault.newID()
        return (try method.newSlot(id: slotID, vaultID: id), slotID)
    }

    /// Rotates the data key, or resumes an interrupted rotation.
    ///
    /// Items are sealed again in batches, while readers and writers of all processes continue. At
    /// the end the old key is removed from the file and its log. A process that is killed meanwhile
    /// leaves a valid vault, and the next call resumes.
    ///
    /// - Parameter progress: items done, items in all; after each batch, on this thread.
    public func rotateDataKey(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) {
        try writing { (writer) throws(StoreError) -> Void in
            if writer.session.ring.dataKeys.count == 1 { try writer.putDataKey() }
        }
        var idlePasses = 0
        repeat {
            // Two passes without anything to do, and a row of another key is still there: it has an
            // id that no item has, or another process rotates between any two calls of this one.
            guard idlePasses < 2 else {
                throw .damaged("item", "one of another key has no id of an item")
            }
            idlePasses = try resealAll(progress) == 0 ? idlePasses + 1 : 0
        } while try !writing { (writer) throws(StoreError) -> Bool in try writer.dropOldDataKeys() }
        // A reader may be in the way for a while; the key is gone from the log with a later fold
        // then.
        try fold.fold(.long)
    }

    /// - Returns: how many items were sealed again.
    private func resealAll(_ progress: ((Int, Int) -> Void)?) throws(StoreError) -> Int {
        var last: [UInt8]? = []
        var done = 0
        var sealed = 0
        while let behind = last {
            let batch = try writing { (writer) throws(StoreError) -> VaultWriter.Batch in
                try writer.resealBatch(behind: behind)
            }
            last = batch.last
            done += batch.count
            sealed += batch.sealed
            progress?(done, max(done, Int(clamping: batch.total)))
            // File locks have no queue: without a pause, other writers would hardly find a moment.
            if last != nil {
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(3))
            }
        }
        return sealed
    }

    /// Replaces the root key. Data keys and items stay. Someone who knows the old root key, or a
    /// slot of an older copy of the file, can open later writes only with the data keys obtained
    /// then: to exclude that too, rotate the data key as well.
    ///
    /// Other processes that have the vault unlocked get `locked` with their next write and unlock
    /// again.
    ///
    /// - Parameters:
    ///   - methods: ways in that stay; each must open at least one slot now.
    ///   - droppingOthers: allows that slots which none of the methods opens are removed.
    /// - Throws: `authenticationFailure` when a method opens no slot, `invalidParameter` when slots
    ///   would be dropped without being allowed, or none would be left, `conflict` when the slots
    ///   were changed meanwhile.
    public func rotateRootKey(
        keeping methods: [any UnlockMethod], droppingOthers: Bool = false
    ) throws(StoreError) {
        let (slots, session) = try reading {
            (reader) throws(StoreError) -> ([SlotRecord], VaultSession) in
            _ = try reader.stateBefore()
            return (try VaultTables.slots(of: reader.connection), reader.session)
        }
        let kept = try Self.kept(slots, methods, vaultID: id)
        guard !kept.isEmpty else {
            throw StoreError(.invalidParameter, "Name at least one way in that stays.")
        }
        guard kept.count == slots.count || droppingOthers else {
            throw StoreError(
                .invalidParameter,
                "\(slots.count - kept.count) key slots would be dropped: give their methods too, or allow it."
            )
        }
        try writing { (writer) throws(StoreError) -> Void in
            guard writer.session.head.bytes == session.head.bytes else {
                throw StoreError(.conflict, "The key slots were changed meanwhile. Try again.")
            }
            try writer.putRoot(keeping: kept)
        }
        try fold.fold(.long)
    }

    private static func kept(
        _ slots: [SlotRecord], _ methods: [any UnlockMethod], vaultID: [UInt8]
    ) throws(StoreError) -> [(slot: SlotRecord, key: SecretKey)] {
        var kept: [(slot: SlotRecord, key: SecretKey)] = []
        for method in methods {
            var fits = false
            var reason = StoreError(.authenticationFailure, "One of the methods opens no key slot.")
            for slot in slots {
                let key: SecretKey?
                do throws(StoreError) {
                    key = try method.keyEncryptionKey(for: slot.keySlot(vaultID: vaultID))
                } catch {
                    // As with an unlock: a slot that cannot be tried here is one that this method
                    // does not open.
                    reason = error
                    continue
                }
                guard let key, try slot.openRoot(with: key, vaultID: vaultID) != nil else {
                    continue
                }
                fits = true
                if !kept.contains(where: { $0.slot.id == slot.id }) { kept.append((slot, key)) }
            }
            guard fits else { throw reason }
        }
        return kept
    }

    /// Looks at everything: schema, head, slots, ring, state, every bucket, row and value, and
    /// SQLite's own check. Damage is reported, not thrown.
    ///
    /// It has a connection of its own: other calls go on meanwhile. It sees one moment of the
    /// vault.
    ///
    /// - Parameter progress: items done, items in all.
    /// - Throws: `rolledBack` for a vault that is older than this object has seen it; `locked`, and
    ///   what keeps it from looking: `unavailable`, `busy`.
    public func verify(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) -> VaultReport {
        try requireProcess()
        let held = try holder.use()
        let floor = freshness.newest
        let connection = try file.connect(for: .reading)
        defer { connection.close() }
        return try file.whileUnchanged { () throws(StoreError) -> VaultReport in
            try report(on: connection, held, atLeast: floor, progress)
        }
    }

    private func report(
        on connection: VaultConnection, _ held: VaultSession, atLeast floor: UInt64,
        _ progress: ((Int, Int) -> Void)?
    ) throws(StoreError) -> VaultReport {
        try connection.transaction(.begin) { () throws(StoreError) -> VaultReport in
            var session = held
            do throws(StoreError) {
                session = try held.current(on: connection)
            } catch {
                // The head, or what it stands for, is damaged: that is reported below.
                guard error != .rootReplaced else { throw StoreError(.locked, error.message) }
                guard error.answer == .corrupt else { throw error }
            }
            try requireFresh(session, atLeast: floor, connection)
            return try VaultVerifier(connection: connection, session: session, progress: progress)
                .report()
        }
    }

    /// A state that does not open is damage, which is reported; one that opens must not be an old
    /// one.
    private func requireFresh(
        _ session: VaultSession, atLeast floor: UInt64, _ connection: VaultConnection
    ) throws(StoreError) {
        let state: StateRecord
        do throws(StoreError) {
            state = try session.state(VaultTables.state(of: connection))
        } catch {
            guard error.answer == .corrupt else { throw error }
            return
        }
        try freshness.require(state.generation, atLeast: floor)
    }
}
