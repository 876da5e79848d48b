// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    package import NIOCore
    internal import NIOHTTP1

    /// Refuses a request of HTTP/1.1 without a `Host` field, and any request with two (RFC 9112,
    /// section 3.2): a proxy may have taken another field than the server. Hummingbird answers 400
    /// and closes the connection, as for broken framing. **Not** checked: the field's value.
    ///
    /// The handlers of `additionalChannelHandlers` get requests without their version, so this
    /// handler puts the check before them, where the parser's requests are.
    package final class HostFieldRule: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = Never

        private let check = Check()

        package init() {}

        package func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            typealias Parser = ByteToMessageHandler<HTTPRequestDecoder>
            guard let parser = try? pipeline.handler(type: Parser.self) else { return }
            try? pipeline.addHandler(check, position: .after(parser))
        }

        /// After an upgrade the connection has no requests.
        package func handlerRemoved(context: ChannelHandlerContext) {
            context.pipeline.syncOperations.removeHandler(check, promise: nil)
        }

        private final class Check: ChannelInboundHandler, RemovableChannelHandler {
            typealias InboundIn = HTTPServerRequestPart
            typealias InboundOut = HTTPServerRequestPart

            private var hasRefused = false

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                guard !hasRefused else { return }
                if case .head(let head) = unwrapInboundIn(data) {
                    let count = head.headers["host"].count
                    let version = head.version
                    let needsHost = (version.major, version.minor) >= (1, 1)
                    hasRefused = count > 1 || count == 0 && needsHost
                }
                guard !hasRefused else {
                    return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
                }
                context.fireChannelRead(data)
            }
        }
    }
#endif
