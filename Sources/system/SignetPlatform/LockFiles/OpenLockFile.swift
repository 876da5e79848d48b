// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// An open lock file. It is closed when its last owner goes, which frees its lock.
final class OpenLockFile: Sendable {
    private let path: String
    private let file: FileDescriptor

    /// Opens the file, or makes it with the mode 0600. On a file system that is mounted read-only,
    /// an existing file is opened for reading, which is enough to lock it.
    init(_ path: String) throws(PrivatePlaceFailure) {
        self.path = path
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
        var number = retrying { unsafe open(path.cPath, flags | O_RDWR | O_CREAT, mode_t(0o600)) }
        if number < 0, errno == EROFS {
            // Other processes may see the file system writable, and lock the same file.
            number = retrying { unsafe open(path.cPath, flags | O_RDONLY, mode_t(0)) }
            if number < 0, errno == ENOENT { errno = EROFS }
        }
        guard number >= 0 else {
            guard errno != ELOOP else {
                throw PrivatePlaceFailure(
                    .symbolicLink, path: path, reason: "it is a symbolic link: remove it")
            }
            throw .system(errno, operation: "open the lock file", path: path)
        }
        file = .owning(number)
        try check(try status())
    }

    private func check(_ status: stat) throws(PrivatePlaceFailure) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PrivatePlaceFailure(
                .notAFile, path: path, reason: "it is not a regular file: remove it")
        }
        guard status.st_uid == geteuid() else {
            throw PrivatePlaceFailure(
                .foreignOwner, path: path,
                reason: "it belongs to user \(status.st_uid), not to you: have it removed")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PrivatePlaceFailure(
                .openToOthers, path: path,
                reason: "other users may lock it: chmod 600 \(PrivatePlaceFailure.word(path))")
        }
    }

    /// Locks the file without waiting; false when another holder has the lock.
    func tryLocking() throws(PrivatePlaceFailure) -> Bool {
        guard retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) != 0 else { return true }
        guard errno == EWOULDBLOCK else { throw .system(errno, operation: "lock", path: path) }
        return false
    }

    /// Frees the lock for all who share this opening, including children of `fork`.
    func unlock() { _ = flock(file.number, LOCK_UN) }

    /// Whether the path still leads to this file.
    var isNamed: Bool {
        get throws(PrivatePlaceFailure) {
            PrivatePlace.identity(ofFileAt: path) == PrivatePlace.Identity(try status())
        }
    }

    private func status() throws(PrivatePlaceFailure) -> stat {
        do {
            return try file.status("look at the lock file")
        } catch {
            throw .system(error.errno, operation: "look at the lock file", path: path)
        }
    }
}
