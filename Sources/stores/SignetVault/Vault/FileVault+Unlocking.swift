// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

// What an unlock reads, in this order:
// - slot: the root key, sealed for one way to unlock (an `UnlockMethod`);
// - head: names the vault and the epoch of its root key, with a code over slots and ring;
// - ring: the keys for items, sealed under the root key;
// - state: a sealed record over all items, with the generation, which each write raises;
// - anchor: a note of the newest generation, outside of the file. It is read before the state.

extension FileVault {
    /// Unlocks with the first key slot that fits: `try vault.unlock(with: method)`.
    ///
    /// Checked, in this order: types, lengths and limits of head, slots and ring; the slot; the
    /// head; the ring; the state; its generation against the anchor, if there is one, which is read
    /// first. Items are not checked: reads prove them. The method's slots are tried in order, each
    /// at the cost of a derivation. A slot that cannot be tried (for example `unsupported`) does
    /// not end the search.
    ///
    /// - Throws: `authenticationFailure` if no slot fits, `corrupt` if a slot fits and the data
    ///   after it is damaged, `rolledBack` if this process or the anchor knows a later generation
    ///   (see ``VaultOptions/acceptsRestored``), `locked` if the root key was just replaced, and
    ///   the errors of `method`.
    public func unlock(with method: any UnlockMethod) throws(StoreError) {
        // The path must still have the file that was opened.
        try file.requireSame()
        // The lowest generation that the state may have.
        let floor = try freshness.floor()
        let tables = try readWithoutKeys { (connection) throws(StoreError) -> VaultTables in
            try connection.transaction(.begin) { () throws(StoreError) -> VaultTables in
                try VaultTables.read(from: connection)
            }
        }
        // No transaction is open while a key is derived.
        let head = try HeadRecord(parsing: tables.head)
        guard head.vaultID == id else {
            throw .damaged("head", problem: "it names another vault than before")
        }
        let root = try Self.root(tables.slotRecords, vaultID: id, epoch: head.epoch, with: method)
        let unlocked = try UnlockedKeys(tables, root: root)
        try useAfterChecks(unlocked, state: unlocked.state(tables.state), atLeast: floor)
    }

    /// Unlocks a vault that this process has just made, with its keys.
    func beginUnlocked(_ unlocked: UnlockedKeys) throws(StoreError) {
        let floor = try freshness.floor()
        let octets = try readWithoutKeys { (connection) throws(StoreError) -> [UInt8] in
            try VaultTables.state(of: connection)
        }
        try useAfterChecks(unlocked, state: unlocked.state(octets), atLeast: floor)
    }

    /// Refuses the log of another file, and an older state. After that the keys may be used.
    private func useAfterChecks(
        _ unlocked: UnlockedKeys, state: StateRecord, atLeast floor: VaultFreshness.Floor
    ) throws(StoreError) {
        try checkpointer.refuseForeignLog(unlocked)
        try freshness.checkAndNoteUnlock(
            at: state.generation, atLeast: floor, mayChangeAnchor: !isReadOnly)
        checkpointer.noteUnlock()
        holder.begin(unlocked)
    }

    /// Whether items cannot be read before an unlock.
    public func isLocked() throws(StoreError) -> Bool {
        try requireProcess()
        return holder.isLocked
    }

    /// Forgets the keys. They are wiped when the running calls that use them have ended.
    public func lock() throws(StoreError) {
        try requireProcess()
        holder.end()
    }

    /// The root key from the first slot that fits.
    ///
    /// - Throws: if no slot fits, the last error of `method`, or `authenticationFailure`.
    static func root(
        _ slots: [SlotRecord], vaultID: [UInt8], epoch: UInt32, with method: any UnlockMethod
    ) throws(StoreError) -> RootKeys {
        var reason = StoreError(
            .authenticationFailure, "The vault has no key slot of this kind: unlock it another way."
        )
        var isAsking = true
        // False once a person gave up or took too long: they are not asked again.
        for slot in slots where isAsking {
            let key: SecretKey?
            do {
                key = try method.keyEncryptionKey(for: slot.keySlot(vaultID: vaultID))
            } catch {
                // A slot may not be possible to try here: it is another machine's, or its
                // derivation is missing. The other slots are tried all the same. If none fits, this
                // error is reported.
                reason = error
                isAsking = error.code != .cancelled && error.code != .timedOut
                continue
            }
            guard let key else { continue }
            if let root = try slot.openRoot(with: key, vaultID: vaultID) {
                return try RootKeys(root: root, vaultID: vaultID, epoch: epoch)
            }
            if reason.code == .authenticationFailure {
                reason = StoreError(
                    .authenticationFailure, "No key slot opens with this passphrase or key.")
            }
        }
        throw reason
    }
}
