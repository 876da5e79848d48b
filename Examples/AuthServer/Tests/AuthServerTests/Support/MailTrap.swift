// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A mail server on this machine that accepts every message and delivers none.
final class MailTrap: Sendable {
    struct Message: Sendable {
        let head: String
        let text: String
    }

    private typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    let port: Int
    private let kept = Mutex<[Message]>([])

    var messages: [Message] { kept.withLock { $0 } }

    private init(port: Int) { self.port = port }

    static func with(_ body: @Sendable @escaping (MailTrap) async throws -> Void) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Client(wrappingChannelSynchronously: channel)
                }
            }
        let trap = MailTrap(port: server.channel.localAddress?.port ?? 0)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                try await server.executeThenClose { clients in
                    for try await client in clients { try? await trap.serve(client) }
                }
            }
            defer { tasks.cancelAll() }
            try await body(trap)
        }
    }

    /// As much of RFC 5321 as a message takes.
    private func serve(_ client: Client) async throws {
        try await client.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "220 trap\r\n"))
            var rest: [UInt8] = []
            var message: [String]?
            for try await buffer in inbound {
                rest += buffer.readableBytesView
                while let end = rest.firstIndex(of: 0x0a) {
                    let line = String(decoding: rest[..<end].filter { $0 != 0x0d }, as: UTF8.self)
                    rest.removeFirst(end + 1)
                    guard let answer = take(line, &message) else { continue }
                    try await outbound.write(ByteBuffer(string: answer + "\r\n"))
                }
            }
        }
    }

    private func take(_ line: String, _ message: inout [String]?) -> String? {
        if let lines = message {
            guard line == "." else {
                message = lines + [line]
                return nil
            }
            message = nil
            let head = lines.prefix { !$0.isEmpty }
            let text = Data(base64Encoded: lines.dropFirst(head.count + 1).joined())
            kept.withLock {
                $0.append(
                    Message(
                        head: head.joined(separator: "\n"),
                        text: String(decoding: text ?? Data(), as: UTF8.self)))
            }
            return "250 taken"
        }
        guard line.hasPrefix("DATA") else { return line.hasPrefix("QUIT") ? "221 bye" : "250 trap" }
        message = []
        return "354 go on"
    }
}
