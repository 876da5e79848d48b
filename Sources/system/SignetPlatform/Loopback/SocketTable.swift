// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The owners of TCP sockets as `/proc/net/tcp` and `/proc/net/tcp6` list them, where the kernel
/// has no ``SocketDiagnosis``. Reading takes time for each socket of the machine.
package struct SocketTable {
    /// The most bytes that are read of a table: some 400,000 sockets.
    private static let maximumByteCount = 64 << 20
    /// In the second table an IPv4 address is written as `::ffff:` and the address.
    private static let mapped = [0, 0, UInt32(0xffff).bigEndian]

    private var users: [SocketEnds: UInt32] = [:]

    /// Reads the callers of a port. A table that cannot be read is empty.
    package init(port: UInt16) {
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            let limit = Self.maximumByteCount
            guard let table = try? PrivateFile.read(path: path, maximumByteCount: limit) else {
                continue
            }
            for line in table.bytes.split(separator: 0x0a) { add(line, port: port) }
        }
    }

    /// The user of the caller's socket; nil as for ``SocketDiagnosis/user(of:)``.
    package func user(of ends: SocketEnds) -> UInt32? { users[ends] }

    /// `sl: address:port address:port state queues timer retries user timeout inode …`
    private mutating func add(_ line: ArraySlice<UInt8>, port: UInt16) {
        let words = line.split(separator: 0x20, maxSplits: 10)
        guard words.count > 9, let (address, called) = Self.end(words[2]), called == port,
            let (callerAddress, callerPort) = Self.end(words[1]),
            // A socket that no process has any more has no inode, and 0 as its user.
            !words[9].elementsEqual("0".utf8),
            let user = UInt32(String(decoding: words[7], as: UTF8.self))
        else { return }
        let ends = SocketEnds(
            callerAddress: callerAddress, callerPort: callerPort, address: address, port: port)
        users[ends] = user
    }

    /// An IPv4 address and a port; nil for any other text.
    private static func end(_ word: ArraySlice<UInt8>) -> (address: UInt32, port: UInt16)? {
        let parts = word.split(separator: UInt8(ascii: ":"))
        guard parts.count == 2, [8, 32].contains(parts[0].count) else { return nil }
        var numbers: [UInt32] = []
        var rest = parts[0]
        while !rest.isEmpty {
            guard let number = UInt32(String(decoding: rest.prefix(8), as: UTF8.self), radix: 16)
            else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(8)
        }
        guard let address = numbers.popLast(), numbers.isEmpty || numbers == mapped,
            let port = UInt16(String(decoding: parts[1], as: UTF8.self), radix: 16)
        else { return nil }
        return (address, port)
    }
}
