// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import HummingbirdCore
    public import NIOCore
    public import NIOHTTPTypes
    internal import SignetBase

    /// Closes a connection whose request does not arrive whole in time, or whose body never ends.
    ///
    /// Hummingbird's idle timeout is for connections on which nothing happens; this limit is for
    /// connections that drip. Each connection has its own: make it in `additionalChannelHandlers`.
    public final class SlowRequestLimit: ChannelInboundHandler, RemovableChannelHandler {
        /// Parts of requests.
        public typealias InboundIn = HTTPRequestPart
        /// The same, passed on.
        public typealias InboundOut = HTTPRequestPart

        private let seconds: Int64
        private let maximumByteCount: Int
        private var deadline: Scheduled<Void>?
        private var byteCount = 0

        /// Makes the limit of one connection.
        ///
        /// - Parameters:
        ///   - seconds: for a request to arrive, from its head to its last byte.
        ///   - maximumByteCount: of a body: more than the routes read, which answer 413 below it.
        public init(seconds: Int64, maximumByteCount: Int) {
            self.seconds = seconds
            self.maximumByteCount = maximumByteCount
        }

        /// Takes a part of a request.
        public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head:
                byteCount = 0
                startDeadline(context)
            case .body(let buffer):
                // No overflow: a buffer is at most 4 GiB long and the sum is looked at each time.
                byteCount += buffer.readableBytes
                guard byteCount <= maximumByteCount else {
                    context.close(promise: nil)
                    return
                }
            case .end: cancelDeadline()
            }
            context.fireChannelRead(data)
        }

        /// Ends the wait.
        public func channelInactive(context: ChannelHandlerContext) {
            cancelDeadline()
            context.fireChannelInactive()
        }

        /// Ends the wait.
        public func handlerRemoved(context: ChannelHandlerContext) { cancelDeadline() }

        private func startDeadline(_ context: ChannelHandlerContext) {
            cancelDeadline()
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: .seconds(seconds)) {
                channel.close(promise: nil)
            }
        }

        private func cancelDeadline() {
            deadline?.cancel()
            deadline = nil
        }
    }

    extension HTTP1Channel.Configuration {
        /// Bounds for a server that small requests come to: `idle` for a connection on which
        /// nothing happens, half of it for a request to arrive whole, 400 KB for a body that no
        /// route reads. A token of 16 KiB fits in a header field of 20 KiB; all fields have 32 KiB
        /// together. A request of HTTP/1.1 without a `Host` field, and any request with two, is
        /// 400.
        ///
        /// A client that takes nothing of its answer is cut off after twice to four times `idle`,
        /// also while the server shuts down. A client that takes a byte now and then is not.
        public static func bounded(idle: Duration = .seconds(30)) -> HTTP1Channel.Configuration {
            let seconds = max(2, Int64(clamping: idle.attoseconds / 1_000_000_000_000_000_000))
            return HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    HostFieldRule(),
                    SlowRequestLimit(seconds: seconds / 2, maximumByteCount: 400_000),
                    // Twice: Linux tells of a full buffer's progress by the third of a buffer, and
                    // a phone that has just lost a fast network takes its time for that. A day at
                    // most, as the handler itself.
                    UnreadAnswerLimit(seconds: 2 * min(seconds, 43_200)),
                ], idleTimeout: .seconds(seconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 20 * 1024, maxHeaderListSize: 32 * 1024,
                    maxHeaderFieldCount: 64))
        }
    }
#endif
