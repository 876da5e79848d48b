// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Writes a file with secrets in pieces, so that at every moment, even after a power loss, the path
/// holds the old content or the whole new content.
///
/// The bytes go to a file without a name (`O_TMPFILE`) in the target's folder, which is gone with
/// this value, or with the process, until ``finish()`` gives it its name. Where there are no such
/// files, or none can be given a name (without `/proc`), they go to a new file under a random name
/// (`O_EXCL`, so no existing file or link is followed), which is removed with this value.
package struct PrivateFileWriter: ~Copyable {
    private let unfinished: UnfinishedFile
    private let folderPath: String
    private let name: String
    private let overwrite: Bool
    private let operation: String

    /// Makes the unfinished file.
    ///
    /// - Parameters:
    ///   - mode: The exact permissions: the process's umask does not change them.
    ///   - overwrite: `false` rejects, with `EEXIST`, a name that is taken. `true` replaces only a
    ///     regular file: a link, a device or a pipe is rejected, so `/dev/null` or `/dev/stdout`
    ///     stays as it is.
    ///   - removesOnSignal: whether signals that would end the process (``SignalRemoval``) remove an
    ///     unfinished file that has a name first. For programs: it sets handlers.
    ///   - mayBeUnnamed: false only to test the other way.
    package init(
        path: String, mode: UInt32 = 0o600, overwrite: Bool, removesOnSignal: Bool = false,
        mayBeUnnamed: Bool = true
    ) throws(SystemFailure) {
        let operation = "write \(SystemFailure.quoted(path))"
        try FileDescriptor.checkPath(path, operation: operation)
        let (folderPath, name) = PrivateFile.split(path)
        guard !["", ".", ".."].contains(name) else {
            throw SystemFailure(
                operation: operation, errno: EISDIR, reason: "it names a folder, not a file")
        }
        let folder = try FileDescriptor.open(folderPath, flags: O_RDONLY | O_DIRECTORY)
        try Self.checkTarget(name, in: folder, overwrite: overwrite, operation: operation)
        let unfinished = try Self.unfinished(
            in: folder, mode: mode, removesOnSignal: removesOnSignal, mayBeUnnamed: mayBeUnnamed)
        try unfinished.setMode(mode, operation: operation)
        self.unfinished = unfinished
        self.folderPath = folderPath
        self.name = name
        self.overwrite = overwrite
        self.operation = operation
    }

    /// Appends all bytes.
    package func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
        try unfinished.file.write(bytes, operation: operation)
    }

    /// Makes sure that the bytes are on the disk, then gives the file its name in one step; then
    /// the folder reaches the disk.
    package consuming func finish() throws(SystemFailure) {
        try unfinished.file.synchronize(operation)
        // A signal ends the process before or after it, never with a second name left behind.
        try SignalMask.withoutSignals { () throws(SystemFailure) in
            try unfinished.publish(as: name, overwrite: overwrite, operation: operation)
        }
        try Self.synchronize(unfinished.folder, path: folderPath)
    }

    private static func unfinished(
        in folder: consuming FileDescriptor, mode: UInt32, removesOnSignal: Bool,
        mayBeUnnamed: Bool
    ) throws(SystemFailure) -> UnfinishedFile {
        if mayBeUnnamed, UnfinishedFile.canBeUnnamed(in: folder),
            let file = FileDescriptor.createUnnamed(in: folder, mode: mode)
        {
            return UnfinishedFile(unnamed: file, in: folder)
        }
        return try UnfinishedFile(
            namedIn: folder, mode: mode, removesOnSignal: removesOnSignal)
    }

    /// Rejects early, before anything is written, with a clear message. ``finish()`` decides.
    static func checkTarget(
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

    /// Makes sure that what was done in the folder is on the disk.
    static func synchronize(
        _ folder: borrowing FileDescriptor, path: String
    ) throws(SystemFailure) {
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
