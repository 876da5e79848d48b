// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A lock on a folder itself (`flock`), which all vaults in the folder share. It needs no file, and
/// so no room on the disk.
///
/// The lock keeps the logs of the folder's vaults as long as they are. A process that counts on the
/// length of a log (it has reserved room there) shares the lock. A process that shortens a log, or
/// gives a vault another name, has the lock alone.
///
/// The lock is held from `init` until ``unlock()``, or until the object goes. The system frees it
/// when the process ends, unless a child of `fork` still has the folder open.
package final class FolderLock: Sendable {
    /// How a lock is held.
    package enum Kind: Sendable {
        /// Beside other holders that share it.
        case shared
        /// By one holder.
        case alone

        fileprivate var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    private let file: FileDescriptor
    private let path: String
    private let process = ProcessIdentity.current

    /// - Parameters:
    ///   - path: the path of a file in the folder.
    ///   - kind: how the lock is held.
    /// - Throws: a failure with `isLockedByOther` if another holder is in the way. It does not
    ///   wait.
    package init(ofFileAt path: String, held kind: Kind) throws(PrivatePlaceFailure) {
        self.path = path
        file = try Self.open(path)
        try change(to: kind)
    }

    deinit { unlock() }

    /// Frees the lock. Freeing twice does nothing.
    package func unlock() {
        // A child of fork has the folder open too: closing alone would leave the lock with it. The
        // child itself must not free its parent's lock.
        if ProcessIdentity.current == process { _ = flock(file.number, LOCK_UN) }
    }

    /// Changes how the lock is held, without waiting. Between the two kinds the folder may be
    /// unlocked.
    ///
    /// - Throws: a failure with `isLockedByOther` if another holder is in the way; the lock may
    ///   then be lost.
    package func change(to kind: Kind) throws(PrivatePlaceFailure) {
        let number = file.number
        guard retrying({ flock(number, kind.operation | LOCK_NB) }) == 0 else {
            throw .system(errno, operation: "lock the folder of", path: path)
        }
    }

    private static func open(_ path: String) throws(PrivatePlaceFailure) -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                PrivateFile.split(path).folder, flags: O_RDONLY | O_DIRECTORY)
        } catch {
            throw .system(error.errno, operation: "open the folder of", path: path)
        }
    }
}
