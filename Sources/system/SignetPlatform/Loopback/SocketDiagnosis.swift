// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Asks the kernel for the owner of a TCP socket (sock_diag(7)): a look-up in its hash table, which
/// costs the same however many sockets there are. ``SocketTable`` reads every socket.
package final class SocketDiagnosis {
    // Swift's module has none of linux/netlink.h, linux/sock_diag.h and linux/inet_diag.h.
    private static let family: Int32 = 4  // NETLINK_SOCK_DIAG
    private static let byFamily: UInt16 = 20  // SOCK_DIAG_BY_FAMILY
    private static let request: UInt16 = 1  // NLM_F_REQUEST
    private static let listening: UInt8 = 10  // TCP_LISTEN
    /// The index of `lo`, in every network namespace. With a different index, a socket that its
    /// owner has bound to this device (SO_BINDTODEVICE) is not found.
    private static let loopbackDevice: UInt32 = 1
    /// The sizes of a `nlmsghdr`, of a question (`inet_diag_req_v2`) and of an answer
    /// (`inet_diag_msg`) with its head.
    private static let headByteCount = 16
    private static let questionByteCount = headByteCount + 56
    private static let answerByteCount = headByteCount + 72

    private let descriptor: FileDescriptor
    private var sequence: UInt32 = 0

    /// Opens a diagnosis socket. Where the system has none, no call finds anything.
    package init() {
        let kind = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = .owning(socket(AF_NETLINK, Int32(kind), Self.family))
    }

    /// The user of the caller's socket.
    ///
    /// - Returns: nil if there is no socket with these ends, or no process has it any more. The
    ///   kernel reports 0 as the user of a socket that no process has.
    package func user(of ends: SocketEnds) -> UInt32? {
        sequence &+= 1
        let question = question(ends)
        let sent = unsafe question.withUnsafeBytes { bytes in
            unsafe send(descriptor.number, bytes.baseAddress, bytes.count, 0)
        }
        guard sent == question.count else { return nil }
        // The kernel answers within the call above.
        var answer = [UInt8](repeating: 0, count: 512)
        let count = unsafe answer.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor.number, bytes.baseAddress, bytes.count, 0)
        }
        return count >= Self.answerByteCount ? user(in: answer, of: ends) : nil
    }

    /// A `nlmsghdr` and an `inet_diag_req_v2`.
    private func question(_ ends: SocketEnds) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: some FixedWidthInteger) {
            unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
        }
        append(UInt32(Self.questionByteCount))
        append(Self.byFamily)
        append(Self.request)
        append(sequence)
        append(UInt32(0))
        append(UInt8(AF_INET))
        append(UInt8(IPPROTO_TCP))
        append(UInt16(0))
        append(UInt32.max)  // in any state
        append(ends.callerPort.bigEndian)
        append(ends.port.bigEndian)
        for address in [ends.callerAddress, ends.address] {
            append(address)
            for _ in 0..<3 { append(UInt32(0)) }
        }
        append(Self.loopbackDevice)
        append(UInt64.max)  // INET_DIAG_NOCOOKIE
        return bytes
    }

    /// Reads a `nlmsghdr` and an `inet_diag_msg`.
    private func user(in answer: [UInt8], of ends: SocketEnds) -> UInt32? {
        func read<Value: FixedWidthInteger>(_ offset: Int, as _: Value.Type = Value.self) -> Value {
            unsafe answer.withUnsafeBytes { bytes in
                unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Value.self)
            }
        }
        // offset  size  field (linux/netlink.h, linux/inet_diag.h; in the machine's byte order)
        //      4     2  nlmsg_type, SOCK_DIAG_BY_FAMILY
        //      8     4  nlmsg_seq, the question's
        //     17     1  idiag_state
        //     20     2  idiag_sport, big-endian
        //     22     2  idiag_dport, big-endian
        //     80     4  idiag_uid
        //     84     4  idiag_inode
        guard read(4) == Self.byFamily, read(8) == sequence else { return nil }
        guard read(20) == ends.callerPort.bigEndian, read(22) == ends.port.bigEndian else {
            return nil
        }
        guard read(17) != Self.listening else { return nil }
        // A socket that no process has any more has no inode.
        guard read(84, as: UInt32.self) != 0 else { return nil }
        return read(80, as: UInt32.self)
    }
}
