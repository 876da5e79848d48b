// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
internal import SignetCLibrary

/// A lock on an unfinished file (`flock`), which tells all processes that its writer is still
/// alive.
///
/// Free it only while this process has no SQLite connection to the file, and before the file gets
/// its final name: closing any descriptor of a file drops SQLite's locks on it.
package final class TemporaryLock: Sendable {
    /// The files that this process has locked: it must not open them once more.
    private static let lockedFiles = Locked<Set<PrivatePlace.Identity>>([])

    private let file: FileDescriptor
    private let identity: PrivatePlace.Identity
    private let process = ProcessIdentity.current

    /// - Returns: nil if a process holds the lock, if the file is gone or is no regular file, or
    ///   where files cannot be locked. It does not wait.
    package init?(ofFileAt path: String) {
        guard let status = PrivatePlace.status(ofFileAt: path), status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        let found = PrivatePlace.Identity(status)
        guard Self.lockedFiles.withLock({ $0.insert(found).inserted }) else { return nil }
        guard let file = Self.locked(path, identity: found) else {
            Self.lockedFiles.withLock { _ = $0.remove(found) }
            return nil
        }
        self.file = file
        identity = found
    }

    deinit {
        // A child of fork has the file open too: closing alone would leave the lock with it.
        if ProcessIdentity.current == process { _ = flock(file.number, LOCK_UN) }
        let identity = identity
        Self.lockedFiles.withLock { _ = $0.remove(identity) }
    }

    /// Opens and locks the file, if it still is the file that was found.
    private static func locked(
        _ path: String, identity: PrivatePlace.Identity
    ) -> FileDescriptor? {
        guard let file = try? FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status("look at an unfinished file"),
            PrivatePlace.Identity(status) == identity, file.tryLocking()
        else { return nil }
        return file
    }
}

extension FileDescriptor {
    /// Locks the file for this opening of it alone (`flock`), without waiting; false if it is
    /// locked by another opening, or cannot be locked.
    func tryLocking() -> Bool {
        let number = number
        return retrying { flock(number, LOCK_EX | LOCK_NB) } == 0
    }
}
