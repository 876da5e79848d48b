// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
internal import SignetCLibrary

extension VaultPlace {
    /// Makes an empty file for this user alone, in the folder that was looked at: the new vault,
    /// until it is finished.
    ///
    /// - Returns: Its path. Give it back with `publish` or with `removeTemporary`.
    package static func createTemporary(for location: Location) throws(VaultPlaceFailure) -> String
    {
        // 64 random bits: nobody can take the name beforehand, and two makers do not meet.
        let bits = String(UInt64.random(in: .min ... .max), radix: 16)
        let path = Location(folder: location.folder, name: ".signet-\(bits).new", identity: nil)
            .path
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = retrying { unsafe open(path, flags, mode_t(0o600)) }
        guard number >= 0 else {
            throw .system(errno, "make a file in the folder of", location.path)
        }
        let file = FileDescriptor.owning(number)
        // Exactly this mode: a umask may have taken bits of the owner's away.
        guard fchmod(file.number, mode_t(0o600)) == 0 else {
            let number = errno
            _ = unsafe unlink(path)
            throw .system(number, "make a file in the folder of", location.path)
        }
        return path
    }

    /// Gives a finished file its name, if that is free, in one step, and waits until all of it is
    /// on the disk.
    ///
    /// The database must be closed, and nothing of it be left in a `-wal` file.
    ///
    /// - Throws: `taken` when there is such a file: it stays as it is, and the temporary one too,
    ///   for `removeTemporary`. `leftover` when the name's `-wal`, `-shm` or `-journal` is there:
    ///   SQLite would take it for the new file's.
    package static func publish(temporary: String, as location: Location) throws(VaultPlaceFailure)
    {
        let target = location.path
        for suffix in companionSuffixes {
            guard identity(ofFileAt: temporary + suffix) == nil else {
                throw .system(EBUSY, "finish", temporary + suffix)
            }
            guard identity(ofFileAt: target + suffix) == nil else {
                // Another maker was faster, and its vault is in use: what is beside it is not a
                // leftover.
                guard identity(ofFileAt: target) == nil else { throw taken(target) }
                throw VaultPlaceFailure(
                    .leftover, target + suffix,
                    "it belongs to another file of that name: remove it with: rm "
                        + VaultPlaceFailure.word(target + suffix))
            }
        }
        do throws(SystemFailure) {
            // No lock is lost by opening and closing it: it has no name that others know, and
            // SQLite has closed it.
            try FileDescriptor.open(temporary, O_RDONLY | O_NOFOLLOW).synchronize("save")
        } catch {
            throw .system(error.errno, "save", temporary)
        }
        try rename(temporary, target)
        try synchronizeFolder(of: location)
    }

    /// Puts a finished file in place of the one that is there, whose log goes first: SQLite would
    /// take it for the new file's.
    ///
    /// The caller has locked the file that is there, so that no log of it is made meanwhile, and
    /// has brought what was in its log into the file: a process that is killed in here leaves it
    /// whole.
    package static func replace(with temporary: String, at location: Location)
        throws(VaultPlaceFailure)
    {
        let target = location.path
        do throws(SystemFailure) {
            try FileDescriptor.open(temporary, O_RDONLY | O_NOFOLLOW).synchronize("save")
        } catch {
            throw .system(error.errno, "save", temporary)
        }
        for suffix in companionSuffixes where unsafe unlink(target + suffix) != 0 {
            guard errno == ENOENT else { throw .system(errno, "remove", target + suffix) }
        }
        guard unsafe cRename(temporary, target) == 0 else {
            throw .system(errno, "replace", target)
        }
        try synchronizeFolder(of: location)
    }

    private static func synchronizeFolder(of location: Location) throws(VaultPlaceFailure) {
        do throws(SystemFailure) {
            try FileDescriptor.open(location.folder, O_RDONLY | O_DIRECTORY).synchronize("save")
        } catch {
            // Some file systems cannot synchronise a folder, and say so.
            guard error.errno == EINVAL || error.errno == EROFS else {
                throw .system(
                    error.errno, "make sure that the disk has (the file is made)", location.path)
            }
        }
    }

    /// Removes a temporary file and what SQLite left beside it. A missing file is not an error.
    package static func removeTemporary(_ path: String) {
        guard !path.utf8.contains(0) else { return }
        for suffix in [""] + companionSuffixes { _ = unsafe unlink(path + suffix) }
    }

    /// One step, so that the file never has two names: a process that is killed between two steps
    /// would leave them.
    private static func rename(_ temporary: String, _ target: String) throws(VaultPlaceFailure) {
        #if os(Linux)
            if unsafe csystem_rename_exclusively(temporary, target) == 0 { return }
        #else
            #error("renameat2 is Linux's: use renamex_np(RENAME_EXCL) and test it")
        #endif
        var number = errno
        // A kernel or a file system without it: a link never replaces either.
        if [EINVAL, ENOSYS, ENOTSUP].contains(number) {
            if unsafe link(temporary, target) == 0 {
                _ = unsafe unlink(temporary)
                return
            }
            number = errno
        }
        guard number == EEXIST else { throw .system(number, "make", target) }
        throw taken(target)
    }

    private static func taken(_ target: String) -> VaultPlaceFailure {
        VaultPlaceFailure(
            .taken, target, "there is a file of that name: choose another, or remove it first")
    }
}
