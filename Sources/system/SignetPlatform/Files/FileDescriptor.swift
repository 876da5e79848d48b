// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The owner of one open file descriptor: closed once, when the owner goes.
struct FileDescriptor: ~Copyable {
    let number: Int32

    private init(owning number: Int32) {
        self.number = number
    }

    deinit {
        // Not retried after EINTR: on Linux the descriptor is already gone, and its number may be
        // reused.
        _ = close(number)
    }

    /// Opens a file. `O_CLOEXEC` is always added: no child process inherits a key file.
    static func open(_ path: String, flags: Int32) throws(SystemFailure) -> FileDescriptor {
        let operation = "open \(SystemFailure.quoted(path))"
        try checkPath(path, operation: operation)
        let number = retrying { unsafe cOpen(path.cPath, flags: flags | O_CLOEXEC | O_NOCTTY) }
        guard number >= 0 else { throw .last(operation) }
        return FileDescriptor(owning: number)
    }

    /// Creates a file in a folder; fails if the name is taken, even by a dangling link.
    static func create(
        _ name: String, in folder: borrowing FileDescriptor, mode: UInt32
    ) throws(SystemFailure) -> FileDescriptor {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = retrying { unsafe openat(folder.number, name.cPath, flags, mode_t(mode)) }
        guard number >= 0 else { throw .last("make a file in the target's folder") }
        return FileDescriptor(owning: number)
    }

    /// Creates a file without a name in a folder; nil where there are no such files.
    static func createUnnamed(
        in folder: borrowing FileDescriptor, mode: UInt32
    ) -> FileDescriptor? {
        let flags = O_WRONLY | unnamed | O_CLOEXEC
        let number = retrying { unsafe openat(folder.number, ".", flags, mode_t(mode)) }
        return number >= 0 ? FileDescriptor(owning: number) : nil
    }

    /// A second descriptor for the same open file, so that the caller's own stays open.
    static func duplicate(_ number: Int32) throws(SystemFailure) -> FileDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw SystemFailure(
                operation: "read descriptor \(number)", errno: errno,
                reason: errno == EBADF ? "it is not open" : nil)
        }
        return FileDescriptor(owning: copy)
    }

    /// Takes ownership of a descriptor that a C call has just returned.
    static func owning(_ number: Int32) -> FileDescriptor {
        FileDescriptor(owning: number)
    }

    func status(_ operation: String) throws(SystemFailure) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last(operation) }
        return status
    }

    /// The name of the open file for this process's own calls.
    var ownPath: String { "/proc/self/fd/\(number)" }

    /// The read position, which need not be the beginning for a descriptor that was passed in.
    var position: Int { max(0, Int(clamping: lseek(number, 0, SEEK_CUR))) }

    /// Reads once into the free part of the buffer; 0 at the end of the file.
    func read(into buffer: inout CleansedBuffer, operation: String) throws(SystemFailure) -> Int {
        try unsafe buffer.append { (free, room) throws(SystemFailure) in
            let count = retrying { unsafe cRead(number, into: free, count: room) }
            guard count >= 0 else { throw .last(operation) }
            return count
        }
    }

    /// Writes all bytes, in as many calls as needed.
    func write(_ bytes: Span<UInt8>, operation: String) throws(SystemFailure) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.extracting(written...).withUnsafeBufferPointer { rest in
                retrying { unsafe cWrite(number, from: rest.baseAddress, count: rest.count) }
            }
            guard count >= 0 else { throw .last(operation) }
            written += count
        }
    }

    /// Waits until the bytes are on the disk.
    func synchronize(_ operation: String) throws(SystemFailure) {
        #if os(Linux)
            guard retrying({ fsync(number) }) == 0 else { throw .last(operation) }
        #else
            #error("fsync leaves bytes in the drive here: use fcntl(F_FULLFSYNC) and test it")
        #endif
    }

    /// Rejects a path with a zero byte, at which C would end it.
    static func checkPath(_ path: String, operation: String) throws(SystemFailure) {
        guard !path.isEmpty else {
            throw SystemFailure(operation: operation, errno: ENOENT, reason: "the path is empty")
        }
        guard !path.utf8.contains(0) else {
            throw SystemFailure(
                operation: operation, errno: EINVAL, reason: "the path holds a zero byte")
        }
    }
}

/// The value of O_TMPFILE, a macro that cannot be imported.
private let unnamed = 0o20_000_000 | O_DIRECTORY
