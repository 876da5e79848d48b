// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import HummingbirdCore
    import NIOCore
    import NIOEmbedded
    import NIOHTTPTypes
    import SignetHummingbird
    import Testing

    /// By a clock that the tests set.
    @Suite("Hummingbird: requests that arrive slowly")
    struct SlowRequestLimitTests {
        private static let head = HTTPRequestPart.head(
            HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/"))

        private static func body(_ count: Int) -> HTTPRequestPart {
            .body(ByteBuffer(repeating: 0x61, count: count))
        }

        /// A connection with 10 s for a request, and 100 bytes for a body.
        private static func connection() throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(
                handler: SlowRequestLimit(seconds: 10, maximumByteCount: 100))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }

        private static func pass(_ seconds: Int64, on channel: EmbeddedChannel) -> Bool {
            channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
            return channel.isActive
        }

        private static func parts(_ channel: EmbeddedChannel) throws -> Int {
            var count = 0
            while try channel.readInbound(as: HTTPRequestPart.self) != nil { count += 1 }
            return count
        }

        @Test("A request that is complete in time is passed on, and its connection lives")
        func whole() throws {
            let channel = try Self.connection()
            // Nothing has begun: that is for the idle timeout.
            #expect(Self.pass(1_000, on: channel))
            for _ in 0..<3 {
                try channel.writeInbound(Self.head)
                #expect(Self.pass(9, on: channel))
                try channel.writeInbound(Self.body(100))
                try channel.writeInbound(HTTPRequestPart.end(nil))
                #expect(Self.pass(1_000, on: channel))
                #expect(try Self.parts(channel) == 3)
            }
            _ = try channel.finish()
        }

        @Test("A slow request is cut off at its time limit, and not before")
        func drips() throws {
            let channel = try Self.connection()
            try channel.writeInbound(Self.head)
            for _ in 0..<9 {
                #expect(Self.pass(1, on: channel))
                try channel.writeInbound(Self.body(1))
            }
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(!channel.isActive)
        }

        @Test("Each request of a connection has its own limits of time and length")
        func again() throws {
            let channel = try Self.connection()
            for _ in 0..<5 {
                try channel.writeInbound(Self.head)
                try channel.writeInbound(Self.body(60))
                #expect(Self.pass(6, on: channel))
                try channel.writeInbound(HTTPRequestPart.end(nil))
            }
            try channel.writeInbound(Self.head)
            #expect(!Self.pass(10, on: channel))
        }

        @Test("An overlong body is cut off, and its last part not passed on")
        func long() throws {
            let channel = try Self.connection()
            try channel.writeInbound(Self.head)
            try channel.writeInbound(Self.body(99))
            try channel.writeInbound(Self.body(1))
            #expect(channel.isActive)
            try channel.writeInbound(Self.body(1))
            #expect(!channel.isActive)
            #expect(try Self.parts(channel) == 3)
        }

        @Test("A closed or upgraded connection is left alone")
        func gone() throws {
            let closed = try Self.connection()
            try closed.writeInbound(Self.head)
            _ = try closed.finish()
            #expect(!Self.pass(20, on: closed))

            let upgraded = try Self.connection()
            try upgraded.writeInbound(Self.head)
            let handler = try upgraded.pipeline.syncOperations.handler(type: SlowRequestLimit.self)
            upgraded.pipeline.syncOperations.removeHandler(handler, promise: nil)
            upgraded.embeddedEventLoop.run()
            #expect(Self.pass(1_000, on: upgraded))
            _ = try upgraded.finish()
        }

        @Test("A server gives a request half of the idle time, and at least 2 s")
        func bounded() throws {
            for (idle, seconds) in [
                (Duration.seconds(30), Int64(30)), (.seconds(2), 2), (.zero, 2), (.seconds(-5), 2),
                (.milliseconds(2_999), 2),
            ] {
                let configuration = HTTP1Channel.Configuration.bounded(idle: idle)
                #expect(configuration.idleTimeout == .seconds(seconds))
                let handlers = configuration.additionalChannelHandlers()
                #expect(handlers.count == 3)
                let channel = EmbeddedChannel(handlers: handlers)
                try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
                try channel.writeInbound(Self.head)
                channel.embeddedEventLoop.advanceTime(
                    by: .seconds(seconds / 2) - .milliseconds(1))
                #expect(channel.isActive)
                channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
                #expect(!channel.isActive)
            }
        }
    }
#endif
