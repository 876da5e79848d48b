// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

extension FileVault {
    /// Moves a vault that is of no use any more out of the way, so a new one can be created: a
    /// damaged vault, a vault whose keys are lost, a file that is no vault, or a log that its vault
    /// has left behind.
    ///
    /// The vault, its log (`-wal`) and the log's index (`-shm`) get the name
    /// `NAME.unreadable-YYYY-MM-DD` in the same folder, or `-2`, `-3` and so on after that, and can
    /// be opened, salvaged or moved back under it. Nothing is removed, and nothing is read or
    /// proved: the caller decides that the vault is of no use. If the process is killed at any
    /// moment, the vault and its log are together under the old name or the new name, and the next
    /// ``open(at:options:)``, ``create(at:with:options:)`` or call of this function tidies up. (On
    /// a file system without hard links, the log may be left alone under the old name: then this
    /// function sets it aside too.)
    ///
    /// - Parameters:
    ///   - path: the vault. Not a symbolic link.
    ///   - options: how long to wait for other processes, and the clock that gives the date, in
    ///     UTC.
    /// - Returns: the new path.
    /// - Throws: `busy` if this process or another process has the vault open, unless it only reads
    ///   it; `unavailable` if there is nothing there, or if the folder cannot be written;
    ///   `insecureFile` with the remedy. Nothing was moved then.
    @discardableResult
    public static func setAside(
        at path: String, options: VaultOptions = VaultOptions()
    ) throws(StoreError) -> String {
        let folderLock = try lockFolder(
            at: VaultFile.inspect(path, allowsLeftovers: true).path, options: options)
        defer { folderLock.unlock() }
        // While this call waited, another process may have set the vault aside.
        let place = try VaultFile.inspect(path, allowsLeftovers: true)
        guard place.identity != nil || place.hasCompanions else {
            throw StoreError(
                .unavailable, "There is nothing at \(path: path) to set aside.")
        }
        // Nil: no process has the file open, or there is none.
        let lockedConnection = try lockVault(at: place, options: options)
        defer { lockedConnection?.close() }
        // Such as 2026-11-27T12:00:00.000Z, of which the day is what comes before the T.
        let time = ItemTime.now(by: options.clock).description
        let day = String(time.prefix { $0 != "T" })
        return try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.setAside(place, on: day).path
        }
    }

    /// Moves a vault that was set aside back to its old name, which must be free, with its log.
    ///
    /// - Throws: the errors of ``setAside(at:options:)``; `alreadyExists` if the old name is taken
    ///   by now.
    package static func putBack(
        _ aside: String, at path: String, options: VaultOptions = VaultOptions()
    ) throws(StoreError) {
        let folderLock = try lockFolder(
            at: VaultFile.inspect(path, allowsLeftovers: true).path, options: options)
        defer { folderLock.unlock() }
        let target = try VaultFile.inspect(path, allowsLeftovers: true)
        let place = try VaultFile.inspect(aside)
        guard target.identity == nil, !target.hasCompanions else {
            throw StoreError(
                .alreadyExists, "There is a vault at \(path: path) by now.")
        }
        // Nil: no process has the file open, or there is none.
        let lockedConnection = try lockVault(at: place, options: options)
        defer { lockedConnection?.close() }
        try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.move(place, to: target)
        }
    }

    /// Locks the folder until the lock is freed. In the meantime no other call sets a vault
    /// aside, and no writer counts on the length of a log.
    ///
    /// - Throws: `busy` if the lock is not free within the options' busy timeout.
    private static func lockFolder(
        at path: String, options: VaultOptions
    ) throws(StoreError) -> FolderLock {
        var lock: FolderLock?
        let limit = Duration.milliseconds(options.busyTimeoutMilliseconds)
        // False only after the limit: then `lock` is nil.
        _ = try LockPauses.askBlocking(within: limit) { () throws(StoreError) -> Bool in
            do throws(PrivatePlaceFailure) {
                lock = try FolderLock(ofFileAt: path, held: .alone)
            } catch {
                guard error.isLockedByOther else { throw StoreError(error) }
            }
            return lock != nil
        }
        guard let lock else {
            throw StoreError(
                .busy,
                "A process is about to write to a vault in the folder of "
                    + "\(path: path), or sets one aside. Try again.")
        }
        return lock
    }

    /// Takes the write lock. SQLite gives no lock for a file that it cannot read, which other
    /// processes may have opened before it was damaged: the kernel knows their locks.
    ///
    /// - Returns: a connection that leaves the log as it is when it is closed; nil if there is no
    ///   file, or if SQLite cannot lock it and no process has it open: then nothing is to be
    ///   locked.
    private static func lockVault(
        at place: PrivatePlace.Location, options: VaultOptions
    ) throws(StoreError) -> VaultConnection? {
        guard let identity = place.identity else { return nil }
        if let connection = try VaultFile.lockExclusively(place.path, options: options) {
            return connection
        }
        guard let holder = LockHolder.holders(of: identity).first else { return nil }
        throw StoreError(
            .busy,
            "\(path: place.path) is in use by process \(holder.process) "
                + "(\(shown: holder.name)). End it first.")
    }
}
