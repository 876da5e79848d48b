// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The addresses and ports of a TCP connection over IPv4, seen from the caller's socket.
package struct SocketEnds: Sendable, Hashable {
    /// Four octets in the order of the network, in memory as the kernel has them.
    package let callerAddress: UInt32
    package let callerPort: UInt16
    package let address: UInt32
    package let port: UInt16

    package init(callerAddress: UInt32, callerPort: UInt16, address: UInt32, port: UInt16) {
        self.callerAddress = callerAddress
        self.callerPort = callerPort
        self.address = address
        self.port = port
    }

    /// - Parameter number: an accepted connection.
    /// - Returns: nil if the system does not tell both ends.
    init?(acceptedAs number: Int32, from caller: sockaddr_in) {
        var own = sockaddr_in()
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = unsafe withUnsafeMutableBytes(of: &own) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                unsafe getsockname(number, pointer.baseAddress, &count)
            }
        }
        guard found == 0 else { return nil }
        self.init(
            callerAddress: caller.sin_addr.s_addr, callerPort: UInt16(bigEndian: caller.sin_port),
            address: own.sin_addr.s_addr, port: UInt16(bigEndian: own.sin_port))
    }
}
