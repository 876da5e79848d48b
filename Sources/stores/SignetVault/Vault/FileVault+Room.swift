// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

// A program may have to store what it cannot get twice, such as a new refresh token. If the disk
// is full then, the token is lost. So the program reserves the room before it asks for the token:
// `try await vault.reserveRoom(forValueByteCount: 4096)`.
// SQLite writes to the *log* first, a file with the suffix `-wal`, in *frames*: a page of 4,096
// bytes with its header. A *checkpoint* copies the log into the vault's file.

extension FileVault {
    /// Makes room in the log for one more write of a value of this many bytes, in place of an old
    /// value of that size.
    ///
    /// The log is checkpointed without being shortened, so the next write begins at its start and
    /// writes over blocks that the disk has. Where readers of an older state prevent that, or the
    /// log is too short, it is made longer by zeros, which SQLite does not read. Then the write
    /// needs no new block of the disk, nor later a reader: the file itself grows when the log is
    /// checkpointed, and the log keeps what does not fit. Other writers use the same room; there is
    /// some to spare.
    ///
    /// The room lasts until the next write of this object, or until no body of
    /// ``withExclusiveAccess(to:within:_:)`` of this object runs any more. Until then no
    /// checkpoint, of whatever process, makes the log shorter.
    ///
    /// **Not** promised on a file system that copies what it writes over (Btrfs, ZFS), for values
    /// of more than 4 MiB or details of more than a few kilobytes, and against older versions.
    ///
    /// - Throws: `unavailable` if the disk is too full, with the number of bytes that are missing;
    ///   `tooLarge` for more than ``ItemLimits/value``; the errors of a write. Nothing was changed.
    public func reserveRoom(forValueByteCount byteCount: Int) async throws(StoreError) {
        try await queue.run { () throws(StoreError) in
            try self.makeRoom(forValueByteCount: byteCount)
        }
    }

    package func makeRoom(forValueByteCount byteCount: Int) throws(StoreError) {
        try requireWritable()
        guard byteCount <= ItemLimits.value else {
            throw StoreError(
                .tooLarge,
                "A value has at most \(ItemLimits.value) bytes; room was asked for \(byteCount).")
        }
        let pageCount = Int64(VaultRoom.pageCount(forValueByteCount: max(0, byteCount)))
        let held = try holder.use()
        try requireProvedLog(held)
        room.beginAnew()
        let contentBefore = PrivatePlace.LogContent(ofFileAt: file.path)
        // Without a checkpoint, whatever its error, the log is only made longer.
        let isCheckpointed = (try? checkpointer.checkpointKeepingLength()) ?? false
        try writingConnection.run(apartFrom: readingConnection) {
            (connection, _) throws(StoreError) in
            try file.requireSame(connection)
            // Holds the write lock and writes nothing: no other caller lengthens or shortens the
            // log.
            try connection.transaction(.beginImmediate) { () throws(StoreError) in
                let content = PrivatePlace.LogContent(ofFileAt: file.path)
                // After a checkpoint the next write begins at the log's start, unless another
                // writer was faster.
                let startsAnew = isCheckpointed && content == contentBefore
                try reserve(pageCount, afterFrame: startsAnew ? 0 : content?.frameCount ?? 0)
            }
        }
    }

    /// Makes the log long enough for so many pages, and keeps it as long. The caller has the write
    /// lock.
    ///
    /// - Parameter firstFrame: how many frames the next write leaves as they are. A frame is a page
    ///   in the log, with its header.
    private func reserve(
        _ pageCount: Int64, afterFrame firstFrame: Int64
    ) throws(StoreError) {
        // From now on no process shortens the log.
        let reservation = lockLogLength()
        var frameCount = firstFrame + pageCount
        // The room that others have reserved is within the log's length of now, so this room comes
        // after it.
        if reservation.isBesideOthers { frameCount = max(frameCount, logFrameCount + pageCount) }
        try lengthenLog(to: frameCount)
        if let lock = reservation.lock { room.keep(lock) }
    }

    /// How many frames the log's file has room for.
    private var logFrameCount: Int64 {
        max(0, PrivatePlace.logByteCount(ofFileAt: file.path) - PrivatePlace.logHeaderByteCount)
            / VaultFormat.frameByteCount
    }

    /// How a reservation keeps the log as long as it is.
    private struct Reservation {
        /// Nil where folders cannot be locked: then the room is made, and nothing keeps the log
        /// from being shortened.
        let lock: FolderLock?
        /// Whether other objects may have reserved room too.
        let isBesideOthers: Bool
    }

    /// Locks the folder, so that no log in it is shortened.
    ///
    /// A call that shortens the log holds the lock alone. It also needs the write lock, which this
    /// thread holds, so it gives up soon, and this call waits for that.
    private func lockLogLength() -> Reservation {
        // Alone for a moment, to find out whether others have reserved room; then shared.
        if let lock = try? FolderLock(ofFileAt: file.path, held: .alone) {
            if (try? lock.change(to: .shared)) != nil {
                return Reservation(lock: lock, isBesideOthers: false)
            }
        }
        // Waits for longer than a checkpoint that shortens the log waits for the write lock.
        var lock: FolderLock?
        let limit = Duration.milliseconds(2 * VaultCheckpointer.WaitLimit.long.milliseconds)
        _ = LockPauses.askBlocking(within: limit) {
            lock = try? FolderLock(ofFileAt: file.path, held: .shared)
            return lock != nil
        }
        return Reservation(lock: lock, isBesideOthers: true)
    }

    /// Lengthens the log with zeros, if it is shorter than so many frames.
    ///
    /// - Throws: `unavailable` if the disk is too full, also for the index that SQLite will need.
    private func lengthenLog(to frames: Int64) throws(StoreError) {
        let length = PrivatePlace.logHeaderByteCount + frames * VaultFormat.frameByteCount
        let lengthBefore = PrivatePlace.logByteCount(ofFileAt: file.path)
        let free = PrivatePlace.freeByteCount(besideFileAt: file.path)
        // The index (`-shm`) has 32 KiB for each 4,096 frames; in the first 32 KiB, the header
        // takes the place of 34 frames. A short index would grow during the write. SQLite holds
        // locks on it, so it is not opened here.
        let indexByteCount = 32_768 * ((frames + 33) / 4096 + 1)
        let missing = indexByteCount - PrivatePlace.byteCount(ofFileAt: file.path + "-shm")
        if missing > 0, let free, free < missing + max(0, length - lengthBefore) {
            throw .noRoom(
                for: file.path, needed: length - lengthBefore + missing, room: DiskRoom(free: free))
        }
        guard lengthBefore < length else { return }
        do throws(SystemFailure) {
            try PrivatePlace.lengthenLog(ofFileAt: file.path, to: length)
        } catch {
            guard error.number.isFull else {
                throw StoreError(.unavailable, "\(error). Nothing was changed.")
            }
            throw .noRoom(
                for: file.path, needed: length - lengthBefore, room: DiskRoom(free: free))
        }
    }
}
