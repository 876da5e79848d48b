// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Shrinks the file to what its items need, and frees the space of removed items.
    ///
    /// Everything is verified first. Then SQLite rebuilds the database in one transaction
    /// (`VACUUM`), and the log is checkpointed: if the process is killed, the vault is as it was,
    /// or compacted. No item, key or generation changes. Readers continue; writers wait. Compacting
    /// needs space in the log for what will be left of the vault, and for the same again among
    /// temporary files, whose contents are sealed: in the folder that `SQLITE_TMPDIR` or `TMPDIR`
    /// names, or in `/var/tmp`. If that disk is full, a vault that will have at most 16 MiB is
    /// rebuilt in memory, and a larger vault is not compacted.
    ///
    /// - Parameter progress: items verified and items in all. SQLite rebuilds the database in one
    ///   call, which reports nothing.
    /// - Returns: how many bytes smaller the file is. 0 also if readers keep it busy for too long:
    ///   the file then shrinks when the log is next checkpointed.
    /// - Throws: `corrupt` for a damaged vault, whose rebuilding could lose something (nothing was
    ///   changed); `locked`, `readOnly`, `busy`, `unavailable`, on a full disk with the number of
    ///   bytes that are missing.
    @discardableResult
    public func compact(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) -> Int64 {
        try requireWritable()
        let before = PrivatePlace.byteCount(ofFileAt: file.path)
        try requireUndamaged(progress: progress)
        try requireProvedLog(holder.use())
        // The log must lead from this state to this state, wherever the process is killed now.
        let isCheckpointed = try checkpointIfRoom()
        let connection = try file.connect(for: .checkpointing)
        defer { connection.close() }
        try file.requireSame(connection)
        let needed = try connection.vacuumByteCount()
        let fitsInMemory = needed <= Self.maximumByteCountInMemory
        var isRebuilt = try rebuild(connection, inMemory: false)
        if !isRebuilt, fitsInMemory { isRebuilt = try rebuild(connection, inMemory: true) }
        guard isRebuilt else {
            // The writes of the failed attempts are checkpointed first, so they take no room.
            let isEmpty = isCheckpointed ? try checkpointIfRoom() : false
            let room = DiskRoom(besideFileAt: file.path, isCheckpointed: isEmpty)
            throw .noRoom(
                for: file.path, needed: needed, room: room, temporary: fitsInMemory ? nil : needed)
        }
        checkpointer.noteWrite()
        _ = try checkpointIfRoom()
        return max(0, before - PrivatePlace.byteCount(ofFileAt: file.path))
    }

    /// The largest rebuilt vault that is held in memory: the size of a writer's page cache.
    private static var maximumByteCountInMemory: Int64 { 16 << 20 }

    /// Checkpoints the log; false also on a disk that is too full for it.
    private func checkpointIfRoom() throws(StoreError) -> Bool {
        do {
            return try checkpointer.checkpoint(.long)
        } catch {
            guard error.isDiskFull(of: file.path) else { throw error }
            return false
        }
    }

    /// Rebuilds the database; false if the disk is full.
    private func rebuild(
        _ connection: VaultConnection, inMemory: Bool
    ) throws(StoreError) -> Bool {
        do {
            try connection.vacuum(inMemory: inMemory)
            return true
        } catch {
            guard error.isDiskFull(of: file.path) else { throw error }
            return false
        }
    }
}
