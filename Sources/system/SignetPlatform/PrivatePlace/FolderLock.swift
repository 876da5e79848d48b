// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A lock on a folder itself (`flock`), which needs no file, and so no room on the disk.
///
/// A holder that shares the lock has reserved room in the log of a vault in the folder. A holder
/// that shortens a log, or gives a vault another name, has the lock alone. The system frees it when
/// its holder ends, unless a child of `fork` still has the folder open.
package final class FolderLock: Sendable {
    /// How a lock is held.
    package enum Kind: Sendable {
        case shared, alone

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

    deinit {
        // A child of fork has the folder open too: closing alone would leave the lock with it.
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
