// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// A connection to a port of 127.0.0.1, over which a test sends anything.
final class LocalClient {
    private let number: Int32

    /// Nil when the connection is refused.
    init?(port: Int) {
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) { pointer in
                unsafe connect(number, pointer.baseAddress, socklen_t(bytes.count))
            }
        }
        guard result == 0 else {
            close(number)
            return nil
        }
    }

    deinit { close(number) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Everything until the other side closes; nothing if it resets the connection.
    func answer() -> String {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe part.withUnsafeMutableBytes { buffer in
                unsafe recv(number, buffer.baseAddress, buffer.count, 0)
            }
            guard count > 0 else { break }
            all += part.prefix(count)
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// One request on its own connection; nil if that is refused.
    static func ask(_ port: Int, _ text: String) -> String? {
        guard let client = LocalClient(port: port) else { return nil }
        client.send(text)
        return client.answer()
    }

    static func get(_ port: Int, _ target: String) -> String? {
        ask(port, "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
    }
}
