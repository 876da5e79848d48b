// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Sockets of 127.0.0.1 that listen.
enum LoopbackSocket {
    /// A socket that listens at a port; 0 lets the system choose the port.
    static func listening(_ port: UInt16) throws(SystemFailure) -> FileDescriptor {
        let operation = "listen on 127.0.0.1"
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let number = socket(AF_INET, Int32(kind), 0)
        guard number >= 0 else { throw .last(operation) }
        let descriptor = FileDescriptor.owning(number)
        if port != 0 {
            // An earlier sign-in's TIME_WAIT must not prevent listening; another listener must.
            var yes: Int32 = 1
            let size = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let bound = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                unsafe bind(number, pointer.baseAddress, socklen_t(bytes.count))
            }
        }
        guard bound == 0, listen(number, 256) == 0 else { throw .last(operation) }
        return descriptor
    }

    /// The port at which a socket listens.
    static func port(of socket: borrowing FileDescriptor) throws(SystemFailure) -> Int {
        var address = sockaddr_in()
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                unsafe getsockname(socket.number, pointer.baseAddress, &count)
            }
        }
        guard found == 0 else { throw .last("listen on 127.0.0.1") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
