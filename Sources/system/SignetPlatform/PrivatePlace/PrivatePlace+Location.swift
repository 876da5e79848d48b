// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension PrivatePlace {
    /// Identifies a file regardless of its name: no two files of a machine share it at the same
    /// time. After a file is gone, a new file may get its number.
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
            companionSuffixes.contains { PrivatePlace.identity(ofFileAt: path + $0) != nil }
        }
    }

    /// The file at a path right now; nil if none can be seen. Nothing is checked.
    package static func identity(ofFileAt path: String) -> Identity? {
        status(ofFileAt: path).map(Identity.init)
    }

    /// The file that a path leads to right now, through links; nil if none can be seen.
    package static func identity(ofFileBehind path: String) -> Identity? {
        status(ofFileBehind: path).map(Identity.init)
    }

    /// The pipe or the socket that a path leads to right now, through links; nil for anything else.
    package static func identity(ofPipeBehind path: String) -> Identity? {
        status(ofFileBehind: path).flatMap { status in
            [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) ? Identity(status) : nil
        }
    }

    /// Whether a path leads to a folder, through links.
    package static func isFolder(at path: String) -> Bool {
        status(ofFileBehind: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// The permissions of what a path leads to, through links; nil if none can be seen.
    package static func permissions(ofFileBehind path: String) -> UInt32? {
        status(ofFileBehind: path).map { UInt32($0.st_mode) & 0o7777 }
    }

    /// Whether two paths lead to the same file, which need not exist yet.
    package static func isSame(_ one: String, _ other: String) -> Bool {
        if let first = identity(ofFileBehind: one), let second = identity(ofFileBehind: other) {
            return first == second
        }
        let a = PrivateFile.split(one)
        let b = PrivateFile.split(other)
        guard a.name.utf8.elementsEqual(b.name.utf8) else { return false }
        if let first = identity(ofFileBehind: a.folder) {
            return first == identity(ofFileBehind: b.folder)
        }
        return a.folder.utf8.elementsEqual(b.folder.utf8)
    }

    /// Whether there is, or may be, a file at a path: a folder that cannot be searched does not
    /// tell.
    package static func mayBeFile(at path: String) -> Bool {
        var status = stat()
        guard unsafe lstat(path.cPath, &status) != 0 else { return true }
        return errno != ENOENT && errno != ENOTDIR
    }

    private static func status(ofFileBehind path: String) -> stat? {
        var status = stat()
        return unsafe !path.utf8.contains(0) && fstatat(AT_FDCWD, path.cPath, &status, 0) == 0
            ? status : nil
    }

    /// What the system says of a file that can be seen.
    static func status(ofFileAt path: String) -> stat? {
        var status = stat()
        return unsafe !path.utf8.contains(0) && lstat(path.cPath, &status) == 0 ? status : nil
    }
}
