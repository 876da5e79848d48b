// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose request does not arrive whole in time, or whose body never ends.
///
/// Hummingbird's idle timeout is for connections on which nothing happens; this is for those that drip.
final class RequestTimeLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let seconds: Int64
    private let maximumByteCount: Int
    private var deadline: Scheduled<Void>?
    private var byteCount = 0

    init(seconds: Int64, maximumByteCount: Int) {
        self.seconds = seconds
        self.maximumByteCount = maximumByteCount
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            byteCount = 0
            start(context)
        case .body(let buffer):
            // No overflow: a buffer is at most 4 GiB long and the sum is looked at each time.
            byteCount += buffer.readableBytes
            guard byteCount <= maximumByteCount else {
                context.close(promise: nil)
                return
            }
        case .end: stop()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func start(_ context: ChannelHandlerContext) {
        stop()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: .seconds(seconds)) {
            channel.close(promise: nil)
        }
    }

    private func stop() {
        deadline?.cancel()
        deadline = nil
    }
}
