// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

extension PrivateFile {
    /// Reads a whole file, a pipe or a terminal, up to a limit.
    ///
    /// `/dev/stdin`, `/dev/fd/N` and `/proc/self/fd/N` are read through the descriptor itself, from
    /// its position. That also works for sockets, and for a file that could not be opened again.
    /// The limit holds whatever the file claims, even for an endless device. Folders are rejected.
    ///
    /// - Parameters:
    ///   - maximumByteCount: Longer content fails with `EFBIG`, and no more than this is held in
    ///     memory.
    package static func read(
        path: String, maximumByteCount: Int
    ) throws(SystemFailure) -> Contents {
        try readSecret(path: path, maximumByteCount: maximumByteCount).copied
    }

    /// Reads a whole regular file, up to a limit.
    ///
    /// - Returns: `nil` if a folder, a pipe, a device or a socket has this name. Nothing is read
    ///   from it, and no pipe's writer is waited for.
    /// - Throws: `ELOOP` for a symbolic link, and the errors of ``read(path:maximumByteCount:)``.
    package static func readRegular(
        path: String, maximumByteCount: Int
    ) throws(SystemFailure) -> Contents? {
        let operation = "read \(SystemFailure.quoted(path))"
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            // A socket is not opened.
            if error.number.rawValue == ENXIO { return nil }
            throw error
        }
        guard try file.status(operation).st_mode & S_IFMT == S_IFREG else { return nil }
        return try read(file, operation: operation, maximumByteCount: maximumByteCount).copied
    }

    /// Like ``read(path:maximumByteCount:)``, with the bytes in memory that is wiped.
    package static func readSecret(
        path: String, maximumByteCount: Int
    ) throws(SystemFailure) -> SecretContents {
        if let number = descriptorNumber(in: path) {
            return try read(
                FileDescriptor.duplicate(number), operation: "read descriptor \(number)",
                maximumByteCount: maximumByteCount)
        }
        let file = try FileDescriptor.open(path, flags: O_RDONLY)
        return try read(
            file, operation: "read \(SystemFailure.quoted(path))",
            maximumByteCount: maximumByteCount)
    }

    /// Reads to the end, and fails as soon as more than the limit has come.
    private static func read(
        _ file: borrowing FileDescriptor, operation: String, maximumByteCount: Int
    ) throws(SystemFailure) -> SecretContents {
        let limit = min(max(maximumByteCount, 0), Int(Int32.max))
        let tooLarge = SystemFailure(
            operation: operation, errno: EFBIG,
            reason: "it is larger than the \(limit) bytes allowed here")

        let status = try file.status(operation)
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw SystemFailure(operation: operation, errno: EISDIR)
        }

        // A regular file that reports a larger size is not read at all.
        guard !isRegular || Int(clamping: status.st_size) - file.position <= limit else {
            throw tooLarge
        }

        // Reads one byte more than the limit to detect a larger file. A regular file's size is only
        // a hint: files under /proc report 0, and a file may grow while it is read.
        let hint = isRegular ? Int(clamping: status.st_size) : firstRoom
        var buffer = CleansedBuffer(capacity: min(max(hint, firstRoom), limit) + 1)
        while try file.read(into: &buffer, operation: operation) > 0 {
            guard buffer.count <= limit else { throw tooLarge }
            if buffer.room == 0 { buffer.grow(toCapacity: min(buffer.count * 2, limit + 1)) }
        }
        return SecretContents(
            bytes: buffer, permissions: isRegular ? UInt32(status.st_mode) & 0o7777 : nil)
    }

    /// The first size of the buffer, for content whose length is not known.
    private static let firstRoom = 4096

    /// The number of a descriptor of this process that a path names; nil for any other path.
    static func descriptorNumber(in path: String) -> Int32? {
        if path == "/dev/stdin" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            let digits = path.dropFirst(folder.count)
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int32(digits)
        }
        return nil
    }
}
