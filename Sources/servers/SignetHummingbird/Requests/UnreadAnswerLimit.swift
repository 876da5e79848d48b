// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    package import NIOCore
    package import NIOHTTPTypes

    /// Closes a connection whose client takes nothing of an answer for a while.
    ///
    /// Hummingbird waits without an end for such a client, also when the server shuts down. Any
    /// byte that the client takes counts: a slow client that reads on is never cut off, however
    /// long its answer takes. For a connection of HTTP/1.1, which has a socket of its own.
    package final class UnreadAnswerLimit: ChannelDuplexHandler, RemovableChannelHandler {
        package typealias InboundIn = HTTPRequestPart
        package typealias InboundOut = HTTPRequestPart
        package typealias OutboundIn = HTTPResponsePart
        package typealias OutboundOut = HTTPResponsePart

        private let halfPeriod: TimeAmount
        private var check: Scheduled<Void>?
        /// The bytes that would wait in the connection if the client had taken nothing since the
        /// last check. Heads and the frames of chunks are not counted, so that what counts as taken
        /// was taken.
        private var byteCount = 0
        /// How many checks in a row have found that the client took nothing.
        private var idleCheckCount = 0

        /// - Parameter seconds: for which a client may take nothing. It is closed after that, and
        ///   before twice that.
        package init(seconds: Int64) {
            // Half of each second is 500 ms. A day, 86,400 s, is the longest period.
            halfPeriod = .milliseconds(min(max(seconds, 1), 86_400) * 500)
        }

        package func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            // No overflow: it begins again at each check, and Hummingbird awaits what is not
            // written.
            if case .body(let buffer) = unwrapOutboundIn(data) { byteCount += buffer.readableBytes }
            if check == nil { scheduleCheck(context) }
            context.write(data, promise: promise)
        }

        package func channelInactive(context: ChannelHandlerContext) {
            stopChecking()
            context.fireChannelInactive()
        }

        package func handlerRemoved(context: ChannelHandlerContext) { stopChecking() }

        private func scheduleCheck(_ context: ChannelHandlerContext) {
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            check = context.eventLoop.scheduleTask(in: halfPeriod) {
                let (handler, context) = bound.value
                handler.checkProgress(context)
            }
        }

        /// Closes the connection, or goes on while bytes of the answer wait for the client.
        private func checkProgress(_ context: ChannelHandlerContext) {
            // An error means that the channel is closed or does not count: nothing is left to check.
            let option = ChannelOptions.bufferedWritableBytes
            guard let waiting = try? context.channel.syncOptions?.getOption(option), waiting > 0
            else { return stopChecking() }
            idleCheckCount = waiting < byteCount ? 0 : idleCheckCount + 1
            byteCount = waiting
            // The client took nothing in three checks, half a period apart: for a whole period at
            // least, because the first check may have come just after the answer had begun.
            guard idleCheckCount <= 2 else { return context.close(promise: nil) }
            scheduleCheck(context)
        }

        private func stopChecking() {
            check?.cancel()
            check = nil
            byteCount = 0
            idleCheckCount = 0
        }
    }
#endif
