// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension VaultPlace {
    /// Identifies a file regardless of its name: no two files of a machine share it at the same
    /// time. After a file is gone, another may get its number.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64

        init(_ status: stat) {
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// A place that was inspected.
    package struct Location: Hashable, Sendable {
        /// The folder's path, absolute, without links.
        package let folder: String
        /// The file's name in it.
        package let name: String
        /// The existing file; nil if there is none.
        package let identity: Identity?

        /// The path to give to SQLite.
        package var path: String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }

        /// Whether a `-wal`, `-shm` or `-journal` file is beside it right now.
        package var hasCompanions: Bool {
            companionSuffixes.contains { VaultPlace.identity(ofFileAt: path + $0) != nil }
        }
    }

    /// The file at a path right now; nil if none can be seen. Nothing is checked.
    package static func identity(ofFileAt path: String) -> Identity? {
        status(ofFileAt: path).map { Identity($0) }
    }

    /// Whether there is a file at a path, or may be one: in a folder that cannot be searched nobody
    /// knows.
    package static func mayBeFile(at path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { return true }
        return errno != ENOENT && errno != ENOTDIR
    }

    /// What the system says of a file that can be seen.
    static func status(ofFileAt path: String) -> stat? {
        var status = stat()
        return unsafe !path.utf8.contains(0) && lstat(path, &status) == 0 ? status : nil
    }
}
