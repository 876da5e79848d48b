// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Reads a file, a pipe or a terminal in pieces, without a limit.
///
/// `/dev/stdin`, `/dev/fd/N` and `/proc/self/fd/N` are read through the descriptor itself, from its
/// position. Folders are rejected before anything is read.
package struct FileReader: ~Copyable {
    let file: FileDescriptor
    /// What an error says that was attempted.
    let operation: String

    /// How many bytes a regular file says that it still has; nil for a pipe, a terminal or a
    /// device. The file may grow or shrink while it is read.
    package let reportedByteCount: Int?

    package init(path: String) throws(SystemFailure) {
        let number = PrivateFile.descriptorNumber(in: path)
        let operation =
            number.map { "read descriptor \($0)" } ?? "read \(SystemFailure.quoted(path))"
        let file =
            if let number {
                try FileDescriptor.duplicate(number)
            } else {
                try FileDescriptor.open(path, flags: O_RDONLY)
            }
        let status = try file.status(operation)
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw SystemFailure(operation: operation, errno: EISDIR)
        }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        reportedByteCount =
            isRegular ? max(0, Int(clamping: status.st_size) - file.position) : nil
        self.file = file
        self.operation = operation
    }

    /// Reads once, into a part of the buffer.
    ///
    /// - Returns: how many bytes were read: a pipe gives what it has. 0 at the end of the file, and
    ///   for an empty range.
    package func read(
        into buffer: inout [UInt8], at range: Range<Int>
    ) throws(SystemFailure) -> Int {
        // Never past the buffer, whatever the caller asks for.
        let range = range.clamped(to: 0..<buffer.count)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
                return retrying {
                    unsafe cRead(file.number, into: part.baseAddress, count: part.count)
                }
            }
            if count >= 0 { return count }
            guard errno == EAGAIN else { throw .last(operation) }
            // Another program has made this end of a pipe non-blocking: wait for input.
            var source = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&source, 1, -1)
        }
    }
}
