// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Waits on a port of 127.0.0.1 for the one HTTP request that its owner accepts.
///
/// Any user and any web page of this machine may call the port. Requests are read with limits, and
/// the owner learns which user's program sent each. If too many connections stay silent, the oldest
/// make room, but only for connections of the same kind of caller (``LoopbackCaller``).
package final class LoopbackListener: Sendable {
    /// The answer to send, and what the owner took from the request; with nil the listener keeps
    /// waiting.
    package typealias Reading<R> = (reply: [UInt8], taken: R?)

    /// The longest head, in bytes. A connection that sends more is closed without an answer.
    package static let maximumHeadByteCount = 32_768
    /// How many new connections are accepted before the open connections are read again.
    private static let maximumBatchCount = 256
    /// How long a connection may take to send its head.
    private static let timeout = Duration.seconds(10)

    /// The port that the system chose.
    package let port: Int
    private let socket: FileDescriptor
    private let identifiesCallers: Bool
    private let stopReader: FileDescriptor
    private let stopWriter: FileDescriptor

    /// Listens from now on, so no other program can take the port.
    ///
    /// - Parameters:
    ///   - port: 0 lets the system choose a free port.
    ///   - identifiesCallers: `false` leaves every caller unknown, as on a system that does not
    ///     tell.
    package init(port: UInt16 = 0, identifiesCallers: Bool = true) throws(SystemFailure) {
        self.identifiesCallers = identifiesCallers
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
        _ = unsafe cWrite(stopWriter.number, from: &octet, count: 1)
    }

    /// Reads requests in turn until the owner accepts a request; then the port is closed.
    ///
    /// - Parameter read: receives a request's head, up to the empty line, and its caller; called on
    ///   a separate thread.
    /// - Returns: what `read` took; nil after ``stop()``, and if the task was cancelled.
    package func serve<R: Sendable>(
        _ read: @escaping @Sendable (_ head: [UInt8], _ caller: LoopbackCaller) -> Reading<R>
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

    /// Reads what arrives at the port, on this thread, until the owner accepts a request.
    private func serveHere<R>(
        _ read: (_ head: [UInt8], _ caller: LoopbackCaller) -> Reading<R>
    ) -> R? {
        // From then on connections are refused.
        defer { _ = shutdown(socket.number, Int32(SHUT_RDWR)) }
        let callers = LoopbackCallers(isAsking: identifiesCallers)
        var connections: [LoopbackConnection] = []
        while true {
            guard wait(for: connections) else { return nil }
            var open: [LoopbackConnection] = []
            for connection in connections + callers.identify(accepted()) {
                switch connection.read() {
                case .partial: open.append(connection)
                case .over: break
                case .head(let head):
                    // Unknown may also be a caller that hung up while it was looked for.
                    guard connection.caller != .unknown || connection.isOpen else { break }
                    let (reply, taken) = read(head, connection.caller)
                    connection.answer(reply)
                    if let taken { return taken }
                }
            }
            connections = Self.newest(of: open)
        }
    }

    /// Waits until there is something to do; false after ``stop()``.
    private func wait(for connections: [LoopbackConnection]) -> Bool {
        var sources = [stopReader.number, socket.number].map(Self.input)
        sources += connections.map { Self.input($0.number) }
        let leastRemaining = connections.map(\.remaining).min()
        let forever: Int32 = -1
        let milliseconds =
            leastRemaining.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) } ?? forever
        let ready = unsafe poll(&sources, nfds_t(sources.count), milliseconds)
        // The first source is the pipe that `stop` writes to.
        return ready <= 0 || sources[0].revents == 0
    }

    /// New connections, oldest first. Bounded: endless ones must not prevent reading.
    private func accepted() -> [LoopbackConnection] {
        var new: [LoopbackConnection] = []
        while new.count < Self.maximumBatchCount,
            let next = LoopbackConnection(acceptedBy: socket, timeout: Self.timeout)
        {
            new.append(next)
        }
        return new
    }

    /// The connections that stay open, oldest first: of each kind of caller the newest.
    private static func newest(of connections: [LoopbackConnection]) -> [LoopbackConnection] {
        var kept: [LoopbackConnection] = []
        for connection in connections.reversed() {
            let caller = connection.caller
            let alike = kept.count { $0.caller.shares(with: caller) }
            if alike < caller.maximumConnectionCount { kept.append(connection) }
        }
        return kept.reversed()
    }

    private static func input(_ number: Int32) -> pollfd {
        pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    }
}
