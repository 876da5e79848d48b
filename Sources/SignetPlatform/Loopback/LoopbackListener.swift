// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Waits on a port of 127.0.0.1 for the one HTTP request that its owner accepts.
///
/// Any user and any web page of this machine may call the port. Their requests are read with
/// limits, get the owner's answer, and end nothing. Of open connections the oldest make room.
package final class LoopbackListener: Sendable {
    /// The answer to send, and what the owner took from the request; with nil it keeps waiting.
    package typealias Reading<R> = (reply: [UInt8], taken: R?)

    /// The longest head, in bytes; a longer one is dropped unanswered.
    package static let maximumHeadByteCount = 32_768
    private static let maximumConnectionCount = 32
    /// How long a connection may take to send its head.
    private static let patience = Duration.seconds(10)

    /// The port that the system chose.
    package let port: Int
    private let socket: FileDescriptor
    private let stopReader: FileDescriptor
    private let stopWriter: FileDescriptor

    /// Listens from now on, so no other program can take the port.
    ///
    /// - Parameter port: 0 lets the system choose a free one.
    package init(port: UInt16 = 0) throws(SystemFailure) {
        socket = try LoopbackSocket.listening(port)
        self.port = try LoopbackSocket.port(of: socket)
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .last("make a pipe") }
        stopReader = .owning(ends[0])
        stopWriter = .owning(ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Stops waiting, now or when it begins.
    package func stop() {
        var octet: UInt8 = 0
        _ = unsafe cWrite(stopWriter.number, &octet, 1)
    }

    /// Reads requests one after the other until the owner accepts one; then the port is closed.
    ///
    /// - Parameter read: receives a request's head, up to the empty line; called on a separate
    ///   thread.
    /// - Returns: what was taken; nil after ``stop()``, and if the task was cancelled.
    package func serve<R: Sendable>(
        _ read: @escaping @Sendable (_ head: [UInt8]) -> Reading<R>
    ) async -> R? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRunning = SystemThread.start {
                    continuation.resume(returning: self.serveHere(read))
                }
                if !isRunning { continuation.resume(returning: nil) }
            }
        } onCancel: {
            stop()
        }
    }

    private func serveHere<R>(_ read: (_ head: [UInt8]) -> Reading<R>) -> R? {
        // From then on connections are refused.
        defer { _ = shutdown(socket.number, Int32(SHUT_RDWR)) }
        var connections: [LoopbackConnection] = []
        while true {
            guard wait(for: connections) else { return nil }
            accept(into: &connections)
            var open: [LoopbackConnection] = []
            for connection in connections {
                switch connection.read() {
                case .partial: open.append(connection)
                case .over: break
                case .head(let head):
                    let (reply, taken) = read(head)
                    connection.answer(reply)
                    if let taken { return taken }
                }
            }
            connections = open
        }
    }

    /// Waits until there is something to do; false after ``stop()``.
    private func wait(for connections: [LoopbackConnection]) -> Bool {
        var sources = [stopReader.number, socket.number].map { Self.input($0) }
        sources += connections.map { Self.input($0.number) }
        let rest = connections.map(\.remaining).min()
        let milliseconds = rest.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) } ?? -1
        let ready = unsafe poll(&sources, nfds_t(sources.count), milliseconds)
        return ready <= 0 || sources[0].revents == 0
    }

    private func accept(into connections: inout [LoopbackConnection]) {
        // Bounded: endless connections must not prevent reading.
        for _ in 0..<Self.maximumConnectionCount {
            guard let new = LoopbackConnection(acceptedBy: socket, patience: Self.patience) else {
                return
            }
            connections.append(new)
            if connections.count > Self.maximumConnectionCount { connections.removeFirst() }
        }
    }

    private static func input(_ number: Int32) -> pollfd {
        pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    }
}
