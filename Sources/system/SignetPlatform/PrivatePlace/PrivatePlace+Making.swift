// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
internal import SignetCLibrary

extension PrivatePlace {
    /// Creates an empty file for this user alone in the inspected folder: the new vault, until it
    /// is finished.
    ///
    /// - Returns: Its path. Pass it to `publish` or `removeTemporary`.
    package static func createTemporary(for location: Location) throws(PrivatePlaceFailure)
        -> String
    {
        // 64 random bits: no one can take the name first, and two creators do not collide.
        let bits = String(UInt64.random(in: .min ... .max), radix: 16)
        let path = Location(folder: location.folder, name: ".signet-\(bits).new", identity: nil)
            .path
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = retrying { unsafe open(path.cPath, flags, mode_t(0o600)) }
        guard number >= 0 else {
            throw .system(errno, operation: "make a file in the folder of", path: location.path)
        }
        let file = FileDescriptor.owning(number)
        // Exactly this mode: the umask may have removed bits of the owner's.
        guard fchmod(file.number, mode_t(0o600)) == 0 else {
            let number = errno
            _ = unsafe unlink(path.cPath)
            throw .system(number, operation: "make a file in the folder of", path: location.path)
        }
        return path
    }

    /// Gives a finished file its name in one step, if the name is free, and waits until all of the
    /// file is on the disk.
    ///
    /// The database must be closed, with nothing left in a `-wal` file.
    ///
    /// - Throws: `taken` if a file has the name: it stays as it is, and so does the temporary file,
    ///   for `removeTemporary`. `leftover` if the name's `-wal`, `-shm` or `-journal` exists:
    ///   SQLite would take it for the new file's.
    package static func publish(temporary: String, as location: Location)
        throws(PrivatePlaceFailure)
    {
        let target = location.path
        for suffix in companionSuffixes {
            guard identity(ofFileAt: temporary + suffix) == nil else {
                throw .system(EBUSY, operation: "finish", path: temporary + suffix)
            }
            guard identity(ofFileAt: target + suffix) == nil else {
                // Another creator was faster, and its vault is in use: the files beside it are not
                // leftovers.
                guard identity(ofFileAt: target) == nil else { throw taken(target) }
                throw PrivatePlaceFailure(
                    .leftover, path: target + suffix,
                    reason: "it belongs to another file of that name: remove it with: rm "
                        + PrivatePlaceFailure.word(target + suffix))
            }
        }
        do {
            // Opening and closing it loses no lock: no one else knows its name, and SQLite has
            // closed it.
            try FileDescriptor.open(temporary, flags: O_RDONLY | O_NOFOLLOW).synchronize("save")
        } catch {
            throw .system(error.errno, operation: "save", path: temporary)
        }
        try rename(temporary, to: target)
        try synchronizeFolder(of: location)
    }

    /// Replaces the existing file by a finished file. The existing file's log is removed first:
    /// SQLite would take it for the new file's.
    ///
    /// The caller has locked the existing file, so no new log appears, and has checkpointed its log
    /// into it: if the process is killed here, that file is whole.
    package static func replace(with temporary: String, at location: Location)
        throws(PrivatePlaceFailure)
    {
        let target = location.path
        do {
            try FileDescriptor.open(temporary, flags: O_RDONLY | O_NOFOLLOW).synchronize("save")
        } catch {
            throw .system(error.errno, operation: "save", path: temporary)
        }
        for suffix in companionSuffixes where unsafe unlink((target + suffix).cPath) != 0 {
            guard errno == ENOENT else {
                throw .system(errno, operation: "remove", path: target + suffix)
            }
        }
        guard unsafe cRename(temporary.cPath, to: target.cPath) == 0 else {
            throw .system(errno, operation: "replace", path: target)
        }
        try synchronizeFolder(of: location)
    }

    static func synchronizeFolder(of location: Location) throws(PrivatePlaceFailure) {
        do {
            try FileDescriptor.open(location.folder, flags: O_RDONLY | O_DIRECTORY).synchronize(
                "save")
        } catch {
            // Some file systems report that they cannot sync a folder.
            guard error.errno == EINVAL || error.errno == EROFS else {
                throw .system(
                    error.errno, operation: "make sure that the disk has (the file is made)",
                    path: location.path)
            }
        }
    }

    /// Removes a temporary file and what SQLite left beside it. A missing file is not an error.
    package static func removeTemporary(_ path: String) {
        guard !path.utf8.contains(0) else { return }
        for suffix in [""] + companionSuffixes { _ = unsafe unlink((path + suffix).cPath) }
    }

    /// Renames in one step, so the file never has two names: a process killed between two steps
    /// would leave it with two.
    package static func rename(_ temporary: String, to target: String) throws(PrivatePlaceFailure) {
        #if os(Linux)
            if unsafe csystem_rename_exclusively(AT_FDCWD, temporary.cPath, target.cPath) == 0 {
                return
            }
        #else
            #error("renameat2 is Linux's: use renamex_np(RENAME_EXCL) and test it")
        #endif
        var number = errno
        // A kernel or file system without exclusive renaming: a link never replaces a file either.
        if [EINVAL, ENOSYS, ENOTSUP].contains(number) {
            if unsafe link(temporary.cPath, target.cPath) == 0 {
                _ = unsafe unlink(temporary.cPath)
                return
            }
            number = errno
        }
        guard number == EEXIST else { throw .system(number, operation: "make", path: target) }
        throw taken(target)
    }

    private static func taken(_ target: String) -> PrivatePlaceFailure {
        PrivatePlaceFailure(
            .taken, path: target,
            reason: "there is a file of that name: choose another, or remove it first")
    }
}
