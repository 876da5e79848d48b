// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Standard input, output and error of a program that must not lose what it writes.
package enum StandardStreams {
    /// Where to write.
    package enum Stream: Int32, Sendable {
        case output = 1
        case errors = 2
    }

    /// Turns writing to a closed pipe (SIGPIPE), or past a file size limit (SIGXFSZ), into an error
    /// instead of the end of the process. Also occupies the numbers 0, 1 and 2 if they are closed,
    /// so no file that is opened later is taken for a standard stream.
    ///
    /// Call it once, before there is a second thread, and after ``ProcessStart/note()``, if at all.
    package static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        // A file size limit (ulimit -f) would also end the process, and leave half a plaintext
        // behind.
        _ = signal(SIGXFSZ, SIG_IGN)
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
            // Deliberately reversed: reading from a closed input, or writing to a closed output,
            // stays an error. A new descriptor gets the lowest free number, which is this one.
            _ = unsafe open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes all bytes, in as many calls as needed.
    ///
    /// - Throws: `EPIPE` if the reader has gone, `ENOSPC` on a full disk, `EBADF` if the stream was
    ///   closed.
    package static func write(_ bytes: Span<UInt8>, to stream: Stream) throws(SystemFailure) {
        let operation = "write standard \(stream == .output ? "output" : "error")"
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.extracting(written...).withUnsafeBufferPointer { rest in
                retrying {
                    unsafe cWrite(stream.rawValue, from: rest.baseAddress, count: rest.count)
                }
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                // Another program has made this end of a pipe non-blocking: wait until there is
                // room.
                var target = pollfd(fd: stream.rawValue, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&target, 1, -1)
            } else {
                let isClosed = errno == EBADF
                throw SystemFailure(
                    operation: operation, errno: errno, reason: isClosed ? "it is closed" : nil)
            }
        }
    }
}
