// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Reads and writes files with secrets: written completely or not at all, for their owner alone;
/// read with a limit.
package enum PrivateFile {
    /// Writes a file so that at every moment, even after a power loss, the path holds the old
    /// content or the new.
    ///
    /// The bytes go to a new file in the same folder (`O_EXCL`, so no existing file or link is
    /// followed), reach the disk, and take the name in one step; then the folder reaches the disk.
    /// After any error the new file is removed.
    ///
    /// - Parameters:
    ///   - mode: The exact permissions: the process's umask does not change them.
    ///   - overwrite: `false` rejects, with `EEXIST`, a name that is taken. `true` replaces only a
    ///     regular file: a link, a device or a pipe is rejected, so `/dev/null` or `/dev/stdout`
    ///     stays as it is.
    package static func write(
        _ bytes: Span<UInt8>, to path: String, mode: UInt32 = 0o600, overwrite: Bool
    ) throws(SystemFailure) {
        let operation = "write \(SystemFailure.quoted(path))"
        try FileDescriptor.checkPath(path, operation: operation)
        let (folderPath, name) = split(path)
        guard !["", ".", ".."].contains(name) else {
            throw SystemFailure(
                operation: operation, errno: EISDIR, reason: "it names a folder, not a file")
        }

        let folder = try FileDescriptor.open(folderPath, flags: O_RDONLY | O_DIRECTORY)
        try checkTarget(name, in: folder, overwrite: overwrite, operation: operation)

        let temporary = temporaryName()
        do throws(SystemFailure) {
            let file = try FileDescriptor.create(temporary, in: folder, mode: mode)
            // Locked, so that no process takes it for a leftover of a process that was killed.
            _ = file.tryLocking()
            guard fchmod(file.number, mode_t(mode)) == 0 else { throw .last(operation) }
            try file.write(bytes, operation: operation)
            try file.synchronize(operation)
            try publish(temporary, as: name, in: folder, overwrite: overwrite, operation: operation)
        } catch {
            // If it was never created, or was already renamed, there is nothing to remove or
            // report.
            _ = unsafe unlinkat(folder.number, temporary, 0)
            throw error
        }
        try synchronize(folder, path: folderPath)
    }

    /// Writes content that is not secret, or that the caller already holds as an array.
    package static func write(
        _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, overwrite: Bool
    ) throws(SystemFailure) {
        try write(bytes.span, to: path, mode: mode, overwrite: overwrite)
    }

    /// Removes a regular file, also from the disk. A name that is free is left as it is; a folder, a
    /// link, a device or a pipe is rejected.
    package static func remove(_ path: String) throws(SystemFailure) {
        let operation = "remove \(SystemFailure.quoted(path))"
        try FileDescriptor.checkPath(path, operation: operation)
        let (folderPath, name) = split(path)
        let folder = try FileDescriptor.open(folderPath, flags: O_RDONLY | O_DIRECTORY)
        try checkTarget(name, in: folder, overwrite: true, operation: operation)
        guard unsafe unlinkat(folder.number, name.cPath, 0) == 0 || errno == ENOENT else {
            throw .last(operation)
        }
        try synchronize(folder, path: folderPath)
    }

    /// The folder of a path, `.` for a name alone, and the name in it.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// 64 random bits: no one can take the name first, and two writers do not collide.
    private static func temporaryName() -> String {
        let bits = UInt64.random(in: .min ... .max)
        return ".signet-\(String(bits, radix: 16)).tmp"
    }

    /// Rejects early, before anything is written, with a clear message. The rename below decides.
    private static func checkTarget(
        _ name: String, in folder: borrowing FileDescriptor, overwrite: Bool, operation: String
    ) throws(SystemFailure) {
        var status = stat()
        guard unsafe fstatat(folder.number, name.cPath, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw .last(operation) }
            return
        }
        guard overwrite else { throw SystemFailure(operation: operation, errno: EEXIST) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemFailure(
                operation: operation, errno: EINVAL,
                reason: "only a regular file is replaced, not a folder, a link, a device or a pipe")
        }
    }

    /// Gives the finished file its name. Without `overwrite` that is a hard link, because a link
    /// never replaces. If the file system has no links, an empty file made with `O_EXCL` holds the
    /// name until the rename.
    private static func publish(
        _ temporary: String, as name: String, in folder: borrowing FileDescriptor, overwrite: Bool,
        operation: String
    ) throws(SystemFailure) {
        let number = folder.number
        if !overwrite {
            if unsafe linkat(number, temporary, number, name.cPath, 0) == 0 {
                _ = unsafe unlinkat(number, temporary, 0)
                return
            }
            guard [EPERM, EOPNOTSUPP, EMLINK].contains(errno) else { throw .last(operation) }
            _ = try FileDescriptor.create(name, in: folder, mode: 0)
        }
        guard unsafe renameat(number, temporary, number, name.cPath) == 0 else {
            throw .last(operation)
        }
    }

    private static func synchronize(_ folder: borrowing FileDescriptor, path: String)
        throws(SystemFailure)
    {
        let operation =
            "make sure that \(SystemFailure.quoted(path)) is on the disk (the file itself is written)"
        do {
            try folder.synchronize(operation)
        } catch {
            // Some file systems report that they cannot sync a folder; nothing more can be done
            // there.
            guard error.errno == EINVAL || error.errno == EROFS else { throw error }
        }
    }
}
