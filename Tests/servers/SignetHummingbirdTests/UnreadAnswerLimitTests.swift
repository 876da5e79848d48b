// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import HummingbirdTesting
    import NIOCore
    import NIOEmbedded
    import NIOHTTPTypes
    import NIOPosix
    import SignetHummingbird
    import Testing

    @Suite("Hummingbird: answers that no one reads")
    struct UnreadAnswerLimitTests {
        /// A connection whose client may take nothing for 10 s. It takes what is flushed.
        private static func connection(_ seconds: Int64 = 10) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handlers: [
                PartEncoder(), UnreadAnswerLimit(seconds: seconds),
            ])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }

        private static func write(_ part: HTTPResponsePart, on channel: EmbeddedChannel) {
            channel.write(part, promise: nil)
        }

        private static func body(_ count: Int) -> HTTPResponsePart {
            .body(ByteBuffer(repeating: 0x61, count: count))
        }

        /// When the connection closes, in half seconds; nil where it does not within 1,000 s.
        private static func end(_ channel: EmbeddedChannel) -> Int? {
            for halfSeconds in 1...2_000 {
                channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
                if !channel.isActive { return halfSeconds }
            }
            return nil
        }

        @Test("A client that reads nothing is cut off after the time limit, and before twice that")
        func unread() throws {
            for head in [true, false] {
                let channel = try Self.connection()
                if head { Self.write(.head(.init(status: .ok)), on: channel) }
                Self.write(Self.body(100), on: channel)
                let end = try #require(Self.end(channel))
                #expect((20..<40).contains(end), "\(end)")
            }
        }

        @Test("A client that has read everything is left alone; its next answer has its own time")
        func read() throws {
            let channel = try Self.connection()
            for _ in 0..<3 {
                Self.write(.head(.init(status: .ok)), on: channel)
                Self.write(Self.body(100), on: channel)
                Self.write(.end(nil), on: channel)
                channel.flush()
                #expect(Self.end(channel) == nil)
            }
            // Read at once for a while, then begun just before a check.
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(4_900))
            Self.write(Self.body(100), on: channel)
            let end = try #require(Self.end(channel))
            #expect((20..<40).contains(end), "\(end)")
        }

        @Test("A client that reads a piece now and then is never cut off, though more always waits")
        func slow() throws {
            let channel = try Self.connection()
            Self.write(.head(.init(status: .ok)), on: channel)
            for step in 0..<200 {
                // 9 s, and at each other step the pieces grow.
                Self.write(Self.body(100 + step % 2 * 50), on: channel)
                channel.embeddedEventLoop.advanceTime(by: .seconds(4))
                channel.flush()
                Self.write(Self.body(1_000), on: channel)
                channel.embeddedEventLoop.advanceTime(by: .seconds(5))
                #expect(channel.isActive)
            }
        }

        @Test("A time limit of any size causes no overflow")
        func times() throws {
            for seconds in [Int64.min, -1, 0, 1] {
                let channel = try Self.connection(seconds)
                Self.write(Self.body(1), on: channel)
                #expect(try (2..<4).contains(#require(Self.end(channel))))
            }
            let channel = try Self.connection(.max)
            Self.write(Self.body(1), on: channel)
            #expect(Self.end(channel) == nil)
            let configuration = HTTP1Channel.Configuration.bounded(idle: .seconds(Int64.max))
            #expect(configuration.additionalChannelHandlers().count == 3)
        }

        @Test("A connection that is closed, or goes on without this handler, is left alone")
        func gone() throws {
            let closed = try Self.connection()
            Self.write(Self.body(1), on: closed)
            _ = try? closed.finish()
            #expect(Self.end(closed) == 1)

            let upgraded = try Self.connection()
            Self.write(Self.body(1), on: upgraded)
            let handler = try upgraded.pipeline.syncOperations.handler(type: UnreadAnswerLimit.self)
            upgraded.pipeline.syncOperations.removeHandler(handler, promise: nil)
            upgraded.embeddedEventLoop.run()
            #expect(Self.end(upgraded) == nil)
        }

        /// On loopback. Without the limit neither the answer nor the server's end ever comes.
        @Test(
            "A server ends such a connection, and can shut down while there is one",
            .timeLimit(.minutes(20)), arguments: [true, false])
        func server(isEndedFirst: Bool) async throws {
            let (ends, ended) = AsyncStream<Int>.makeStream()
            let router = Router()
            router.get("large") { _, _ in
                Response(
                    status: .ok,
                    body: ResponseBody { writer in
                        var sent = 0
                        defer { ended.yield(sent) }
                        for _ in 0..<1_024 {
                            try await writer.write(ByteBuffer(repeating: 0x61, count: 65_536))
                            sent += 65_536
                        }
                        try await writer.finish(nil)
                    })
            }
            let application = Application(
                router: router,
                server: .http1(
                    configuration: .init(
                        additionalChannelHandlers: [UnreadAnswerLimit(seconds: 1)],
                        idleTimeout: .seconds(30))))
            let group = MultiThreadedEventLoopGroup.singleton
            let client = try await application.test(.live) { server in
                let client = try await ClientBootstrap(group: group)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: #require(server.port)).get()
                let request = ByteBuffer(string: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
                try await client.writeAndFlush(request)
                if !isEndedFirst { try await Task.sleep(for: .milliseconds(100)) }
                if isEndedFirst { #expect(await ends.first { _ in true } ?? .max < 67_108_864) }
                return client
            }
            // The server has ended.
            if !isEndedFirst { #expect(await ends.first { _ in true } ?? .max < 67_108_864) }
            client.close(promise: nil)
        }

        /// Bytes of parts, as an encoder of HTTP makes them.
        private final class PartEncoder: ChannelOutboundHandler {
            typealias OutboundIn = HTTPResponsePart
            typealias OutboundOut = ByteBuffer

            func write(
                context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
            ) {
                let bytes =
                    switch unwrapOutboundIn(data) {
                    case .head: ByteBuffer(repeating: 0x68, count: 40)
                    case .body(let buffer): buffer
                    case .end: ByteBuffer()
                    }
                context.write(wrapOutboundOut(bytes), promise: promise)
            }
        }
    }
#endif
