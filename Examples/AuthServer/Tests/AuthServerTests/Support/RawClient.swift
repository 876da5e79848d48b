// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Sends bytes to the server and reads its answer, for what no HTTP client would send.
struct RawClient: Sendable {
    let port: Int

    /// Sends the text and reads until the server closes.
    func exchange(_ text: String) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var answer = ""
            do {
                for try await buffer in inbound { answer += String(buffer: buffer) }
            } catch is IOError {
                // A connection that is reset is closed, too.
            }
            return answer
        }
    }
}
