// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetSystem
internal import SignetCLibrary

/// Inspects the place of a database with secrets before SQLite opens it.
///
/// The file itself is never opened: closing any descriptor of a file drops all locks that this
/// process has on it, including SQLite's.
package enum PrivatePlace {
    /// Checks a path, its folder, and an existing file.
    ///
    /// Rejected: a file that is not regular, has another owner than this process, may be read or
    /// written by anyone else, or has a second name; the same for the `-wal`, `-shm` and `-journal`
    /// files beside it. The folder, with all links resolved, must belong to this user or to root,
    /// and no other user may replace its contents, so what was checked stays true until SQLite
    /// opens the file. No folder above may be open to everyone, or belong to any other user.
    /// Network file systems are rejected: neither their locks nor their memory maps hold between
    /// machines.
    ///
    /// **Not** checked: access lists beyond what the permission bits show, and the contents of
    /// anything. In a folder like `/tmp` another user may put a file beside a vault first; that is
    /// rejected too.
    ///
    /// - Parameter allowsLeftovers: accepts a `-wal`, `-shm` or `-journal` file without its file,
    ///   to be set aside.
    package static func inspect(
        path: String, allowsLeftovers: Bool = false
    ) throws(PrivatePlaceFailure) -> Location {
        let (folderPath, name) = try split(path)
        let folder = try resolve(folderPath, for: path)
        let location = Location(folder: folder, name: name, identity: nil)
        try checkByteCount(of: name, subject: "its name", limit: maximumNameByteCount, path: path)
        try checkByteCount(
            of: location.path, subject: "the path, without links,", limit: maximumPathByteCount,
            path: path)
        try checkFolder(folder)
        try checkFileSystem(folder)

        let identity = try checkFile(location.path)
        for suffix in companionSuffixes {
            let companion = location.path + suffix
            // Alone, it is left over from a lost file, and SQLite would mix it into the next file
            // of that name.
            guard try checkFile(companion) == nil || identity != nil || allowsLeftovers else {
                // Another process may have made both files since the file was looked for.
                guard Self.identity(ofFileAt: location.path) == nil else {
                    return try inspect(path: path)
                }
                throw PrivatePlaceFailure(
                    .leftover, path: companion,
                    reason:
                        "it is left over from a file that is gone: put that back, or remove this with: rm "
                        + PrivatePlaceFailure.word(companion))
            }
        }
        return Location(folder: folder, name: name, identity: identity)
    }

    /// The files that SQLite keeps beside a database.
    static let companionSuffixes = ["-wal", "-shm", "-journal"]

    // SQLite adds names of up to 8 bytes, and takes paths of up to 512. Linux takes names of up to
    // 255.
    private static let maximumNameByteCount = 255 - 8
    private static let maximumPathByteCount = 512 - 8

    private static func checkByteCount(
        of text: String, subject: String, limit: Int, path: String
    ) throws(PrivatePlaceFailure) {
        guard PathText.byteCount(of: text) <= limit else {
            throw tooLong(text, subject: subject, limit: limit, path: path)
        }
    }

    private static func tooLong(
        _ text: String, subject: String, limit: Int, path: String
    ) -> PrivatePlaceFailure {
        let count = PathText.byteCount(of: text)
        return PrivatePlaceFailure(
            .invalidPath, path: path,
            reason: "\(subject) has \(count) bytes instead of at most \(limit)")
    }

    /// The folder and the name of a file, of a path that the system and SQLite could take.
    private static func split(_ path: String) throws(PrivatePlaceFailure) -> (
        folder: String, name: String
    ) {
        guard !path.isEmpty else {
            throw PrivatePlaceFailure(.invalidPath, path: path, reason: "the path is empty")
        }
        guard !path.utf8.contains(0) else {
            throw PrivatePlaceFailure(
                .invalidPath, path: path, reason: "the path holds a zero byte")
        }
        // A path below the system's limit is checked once its links are resolved.
        guard PathText.byteCount(of: path) < PATH_MAX else {
            throw tooLong(path, subject: "the path", limit: maximumPathByteCount, path: path)
        }
        let parts = PrivateFile.split(path)
        guard !["", ".", ".."].contains(parts.name) else {
            throw PrivatePlaceFailure(
                .invalidPath, path: path, reason: "it names a folder: add the name of a file")
        }
        return parts
    }

    /// The folder's path, absolute and without links; it must exist.
    static func resolve(_ folder: String, for path: String) throws(PrivatePlaceFailure)
        -> String
    {
        guard let resolved = unsafe realpath(folder.cPath, nil) else {
            let number = errno
            guard number == ENOENT else {
                throw .system(number, operation: "find the folder of", path: path)
            }
            throw PrivatePlaceFailure(
                .missingFolder, path: path,
                reason: "its folder does not exist: make it with: mkdir -p -m 700 "
                    + PrivatePlaceFailure.word(folder))
        }
        defer { unsafe free(resolved) }
        return unsafe PathText.text(ofCString: resolved)
    }

    /// The remedy where another user owns something: root can become that user.
    private static func instead(of owner: uid_t, remedy: String) -> String {
        geteuid() == 0 ? "run the command as that user: sudo -u '#\(owner)' …" : remedy
    }

    /// Refuses a folder in which another user could replace a file, and a folder below one in which
    /// others could replace folders.
    private static func checkFolder(_ folder: String) throws(PrivatePlaceFailure) {
        let status = try status(ofFolder: folder)
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw PrivatePlaceFailure(
                .insecureFolder, path: folder,
                reason:
                    "the folder belongs to user \(status.st_uid), who could replace what is in it: "
                    + instead(of: status.st_uid, remedy: "use a folder of your own"))
        }
        guard status.st_mode & 0o022 == 0 || isSticky(status) else {
            throw PrivatePlaceFailure(
                .insecureFolder, path: folder,
                reason: "others may replace what is in the folder: chmod go-w "
                    + PrivatePlaceFailure.word(folder))
        }
        var above = parent(of: folder)
        while let current = above {
            let status = try PrivatePlace.status(ofFolder: current)
            guard mayOwnFoldersAbove(status.st_uid) else {
                throw PrivatePlaceFailure(
                    .insecureFolder, path: current,
                    reason:
                        "the folder belongs to user \(status.st_uid), who could replace the folders in it: "
                        + instead(of: status.st_uid, remedy: "use a place of your own"))
            }
            guard status.st_mode & 0o002 == 0 || isSticky(status) else {
                throw PrivatePlaceFailure(
                    .insecureFolder, path: current,
                    reason: "everybody may replace the folders in it: chmod o-w "
                        + PrivatePlaceFailure.word(current))
            }
            above = parent(of: current)
        }
    }

    /// Checks a folder more strictly than a vault's: in a sticky folder, or in a folder of root,
    /// other users could create files first.
    ///
    /// - Parameter folder: an absolute path without links.
    static func checkOwnFolder(_ folder: String) throws(PrivatePlaceFailure) {
        try checkFolder(folder)
        let status = try status(ofFolder: folder)
        guard status.st_uid == geteuid() else {
            throw PrivatePlaceFailure(
                .insecureFolder, path: folder,
                reason: "the folder belongs to user \(status.st_uid), not to you: have it removed")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw PrivatePlaceFailure(
                .insecureFolder, path: folder,
                reason:
                    "others may write to the folder: chmod go-w \(PrivatePlaceFailure.word(folder))"
            )
        }
    }

    private static func isSticky(_ status: stat) -> Bool { status.st_mode & S_ISVTX != 0 }

    /// The folder above a resolved path; nil for the root.
    private static func parent(of folder: String) -> String? {
        guard folder != "/", folder.utf8.first == UInt8(ascii: "/") else { return nil }
        return PrivateFile.split(folder).folder
    }

    private static func status(ofFolder folder: String) throws(PrivatePlaceFailure) -> stat {
        var status = stat()
        guard unsafe lstat(folder.cPath, &status) == 0 else {
            throw .system(errno, operation: "look at", path: folder)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .system(ENOTDIR, operation: "look at", path: folder)
        }
        return status
    }

    private static func checkFileSystem(_ folder: String) throws(PrivatePlaceFailure) {
        #if os(Linux)
            let type = unsafe csystem_file_system_type(folder.cPath)
        #else
            #error("f_type is Linux's: ask f_flags of statfs for MNT_LOCAL and test it")
        #endif
        guard type >= 0 else {
            throw .system(errno, operation: "look at the file system of", path: folder)
        }
        guard !isNetworked(fileSystemType: type) else {
            throw PrivatePlaceFailure(
                .networkFileSystem, path: folder,
                reason:
                    "it is on a network file system, where locks do not hold: use a folder on a local disk"
            )
        }
    }

    /// Checks one file: nil when there is none.
    private static func checkFile(_ path: String) throws(PrivatePlaceFailure) -> Identity? {
        var status = stat()
        guard unsafe lstat(path.cPath, &status) == 0 else {
            guard errno == ENOENT else { throw .system(errno, operation: "look at", path: path) }
            return nil
        }
        let word = PrivatePlaceFailure.word(path)
        guard status.st_mode & S_IFMT != S_IFLNK else {
            throw PrivatePlaceFailure(
                .symbolicLink, path: path,
                reason:
                    "it is a symbolic link: give the path that it leads to (readlink -f \(word))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PrivatePlaceFailure(
                .notAFile, path: path, reason: "it is not a regular file: give another path")
        }
        guard status.st_uid == geteuid() else {
            throw PrivatePlaceFailure(
                .foreignOwner, path: path,
                reason: "it belongs to user \(status.st_uid), not to you: "
                    + instead(
                        of: status.st_uid, remedy: "if it is yours, sudo chown \(geteuid()) \(word)"
                    ))
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PrivatePlaceFailure(
                .openToOthers, path: path,
                reason:
                    "other users may read or write it: if it is the right file, chmod 600 \(word)")
        }
        guard status.st_nlink == 1 else {
            throw PrivatePlaceFailure(
                .hardLinked, path: path,
                reason:
                    "it has \(status.st_nlink) names (hard links), and its log follows only one: find the others with"
                    + " find / -xdev -samefile \(word) and remove them")
        }
        return Identity(status)
    }
}
