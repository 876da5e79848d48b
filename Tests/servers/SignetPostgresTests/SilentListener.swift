// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetPlatform

/// A loopback port that accepts connections and sends only what it is told to.
final class SilentListener: Sendable {
    struct Failure: Error {}

    let port: UInt16
    private let host: UInt32
    private let socket: Int32
    private let callers = Locked<[Int32]>([])

    /// - Parameters:
    ///   - host: the address.
    ///   - backlog: how many connections wait to be taken.
    init(at host: UInt32 = 0x7f00_0001, backlog: Int32 = 16) throws {
        self.host = host
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        for caller in callers.withLock({ $0 }) { close(caller) }
        close(socket)
    }

    /// Lets so many connections wait that further ones are not established.
    func fill() {
        for _ in 0..<8 {
            let caller = Glibc.socket(
                AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = host.bigEndian
            _ = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe connect(caller, address, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            callers.withLock { $0.append(caller) }
        }
    }

    /// Accepts connections until one sends a request, and answers it before it closes. The pool's
    /// threads are for the task that connects.
    func answer(_ octets: [UInt8]) async {
        await withCheckedContinuation { continuation in
            let isRunning = SystemThread.start { [self] in
                answerHere(octets)
                continuation.resume()
            }
            if !isRunning { continuation.resume() }
        }
    }

    private func answerHere(_ octets: [UInt8]) {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { return }
            defer { close(connection) }
            var asked = [UInt8](repeating: 0, count: 1024)
            guard unsafe recv(connection, &asked, asked.count, 0) > 0 else { continue }
            var rest = octets
            _ = unsafe send(connection, &rest, rest.count, Int32(MSG_NOSIGNAL))
            return
        }
    }
}
