// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import Hummingbird
    import HummingbirdCore
    import HummingbirdTesting
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import NIOPosix
    import SignetHummingbird
    import Testing

    @Suite("Hummingbird: the Host field of a request", .timeLimit(.minutes(20)))
    struct HostFieldRuleTests {
        private func answer(_ request: String, at port: Int) async throws -> String {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel)
                    }
                }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                var answer = ""
                do {
                    for try await buffer in inbound { answer += String(buffer: buffer) }
                } catch is IOError {
                    // A connection that is reset is closed, too.
                }
                return answer
            }
        }

        @Test("A request of HTTP/1.1 has one Host field, and no request has two, or it is 400")
        func requests() async throws {
            let router = Router()
            router.get("a") { _, _ in "fine" }
            router.post("a") { _, _ in "fine" }
            let application = Application(
                router: router, server: .http1(configuration: .bounded()))
            try await application.test(.live) { client in
                let port = try #require(client.port)
                let end = "Connection: close\r\n\r\n"
                for request in [
                    "GET /a HTTP/1.1\r\nHost: a\r\n", "GET /a HTTP/1.1\r\nHost:\r\n",
                    "GET /a HTTP/1.1\r\nhOST: a:8080\r\n", "GET /a HTTP/1.0\r\nHost: a\r\n",
                    "GET /a HTTP/1.0\r\n",
                    "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /a HTTP/1.1\r\nHost: b\r\n",
                ] {
                    let answer = try await answer(request + end, at: port)
                    #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(request)")
                    #expect(answer.hasSuffix("fine"), "\(request)")
                }
                for request in [
                    "GET /a HTTP/1.1\r\n", "GET /a HTTP/1.1\r\nHost: a\r\nHost: a\r\n",
                    "GET /a HTTP/1.1\r\nHost: a\r\nX: b\r\nHOST: b\r\n",
                    "GET /a HTTP/1.0\r\nHost: a\r\nHost: b\r\n",
                    "GET http://a/a HTTP/1.1\r\n", "GET /none HTTP/1.1\r\n",
                    "POST /a HTTP/1.1\r\nContent-Length: 1\r\n",
                ] {
                    // What comes after it is not answered.
                    let more = "GET /a HTTP/1.1\r\nHost: a\r\n"
                    let answer = try await answer(request + "\r\n" + more + end, at: port)
                    #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(request)")
                    #expect(!answer.contains("fine"), "\(request)")
                }
                let second = try await answer(
                    "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /a HTTP/1.1\r\n" + end, at: port)
                #expect(second.hasPrefix("HTTP/1.1 200 "))
                #expect(second.contains("fineHTTP/1.1 400 "), "\(second)")
            }
        }

        @Test("A connection that goes on without requests is left alone")
        func upgraded() throws {
            let channel = EmbeddedChannel()
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
            let rule = HostFieldRule()
            try pipeline.addHandler(rule)
            pipeline.removeHandler(rule, promise: nil)
            channel.embeddedEventLoop.run()
            try channel.writeInbound(ByteBuffer(string: "GET /a HTTP/1.1\r\n\r\n"))
            #expect(try channel.readInbound(as: HTTPServerRequestPart.self) != nil)
            _ = try? channel.finish()
        }
    }
#endif
