// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// One connection to a ``LoopbackListener``: it reads a head and writes one answer.
final class LoopbackConnection {
    /// The progress of reading.
    enum Progress {
        /// The head is not complete.
        case partial
        /// The caller has gone, is too slow, or sent too much.
        case over
        /// The head with its empty line; what follows is not read.
        case head([UInt8])
    }

    /// The addresses and ports; nil if the system does not tell them.
    let ends: SocketEnds?
    /// The user whose program called; unknown until ``LoopbackCallers`` has found out.
    var caller = LoopbackCaller.unknown
    private let descriptor: FileDescriptor
    private let deadline: UInt64
    private var received: [UInt8] = []

    /// The next connection that waits; nil when there is none.
    init?(acceptedBy socket: borrowing FileDescriptor, timeout: Duration) {
        var address = sockaddr_in()
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                retrying { unsafe accept(socket.number, pointer.baseAddress, &count) }
            }
        }
        guard number >= 0 else {
            // Without free descriptors the connection keeps waiting: avoid a tight loop.
            if errno == EMFILE || errno == ENFILE { SystemClock.pause(nanoseconds: 50_000_000) }
            return nil
        }
        descriptor = .owning(number)
        ends = SocketEnds(acceptedAs: number, from: address)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        deadline = SystemClock.elapsedNanoseconds() &+ UInt64(max(0, timeout / .nanoseconds(1)))
    }

    var number: Int32 { descriptor.number }

    /// How long the caller may still take to send its head.
    var remaining: Duration {
        let now = SystemClock.elapsedNanoseconds()
        return .nanoseconds(deadline > now ? Int64(clamping: deadline - now) : 0)
    }

    /// Whether the caller has closed nothing yet. The system forgets the owner of a closed socket.
    var isOpen: Bool {
        var state: UInt8 = 0
        var count = socklen_t(1)
        // The first octet of `tcp_info` is the state.
        let found = unsafe getsockopt(
            number, Int32(IPPROTO_TCP), Int32(TCP_INFO), &state, &count)
        return found == 0 && state == Self.established
    }

    private static let established: UInt8 = 1

    /// Reads what has arrived, without waiting.
    func read() -> Progress {
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { buffer in
                retrying { unsafe cRead(number, into: buffer.baseAddress, count: buffer.count) }
            }
            if count < 0, errno == EAGAIN { return remaining > .zero ? .partial : .over }
            guard count > 0 else { return .over }
            // The end may lie across two parts.
            let start = max(0, received.count - 3)
            received += part.prefix(count)
            if let end = Self.end(of: received[start...]) { return .head(Array(received[..<end])) }
            guard received.count <= LoopbackListener.maximumHeadByteCount else { return .over }
        }
    }

    /// Writes a short answer, as much as fits without waiting, and closes the sending side.
    func answer(_ reply: [UInt8]) {
        _ = unsafe reply.withUnsafeBytes { bytes in
            unsafe send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        _ = shutdown(number, Int32(SHUT_WR))
    }

    /// The index after the empty line; nil if there is none.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        let mark: [UInt8] = [0x0d, 0x0a, 0x0d, 0x0a]
        guard bytes.count >= mark.count else { return nil }
        return bytes.indices.dropLast(mark.count - 1).first {
            bytes[$0..<($0 + mark.count)].elementsEqual(mark)
        }.map { $0 + mark.count }
    }
}
