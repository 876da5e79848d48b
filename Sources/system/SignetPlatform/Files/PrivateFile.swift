// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Reads and writes files with secrets: written completely or not at all, for their owner alone;
/// read with a limit. ``PrivateFileWriter`` and ``FileReader`` do so in pieces.
package enum PrivateFile {
    /// Writes a file so that at every moment, even after a power loss, the path holds the old
    /// content or the new (``PrivateFileWriter``). After any error there is no new file.
    ///
    /// - Parameters:
    ///   - mode: The exact permissions: the process's umask does not change them.
    ///   - overwrite: `false` rejects, with `EEXIST`, a name that is taken. `true` replaces only a
    ///     regular file: a link, a device or a pipe is rejected, so `/dev/null` or `/dev/stdout`
    ///     stays as it is.
    package static func write(
        _ bytes: Span<UInt8>, to path: String, mode: UInt32 = 0o600, overwrite: Bool
    ) throws(SystemFailure) {
        let writer = try PrivateFileWriter(path: path, mode: mode, overwrite: overwrite)
        try writer.write(bytes)
        try writer.finish()
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
        try PrivateFileWriter.checkTarget(
            name, in: folder, overwrite: true, operation: operation)
        guard unsafe unlinkat(folder.number, name.cPath, 0) == 0 || errno == ENOENT else {
            throw .last(operation)
        }
        try PrivateFileWriter.synchronize(folder, path: folderPath)
    }

    /// The folder of a path, `.` for a name alone, and the name in it.
    package static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }
}
