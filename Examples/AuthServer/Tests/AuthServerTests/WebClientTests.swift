// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Testing

/// The tests' own client, tried against servers that misbehave: what it fails to notice, no test
/// notices.
@Suite("The HTTP client of these tests")
struct WebClientTests {
    @Test("A missing, short or late answer is an error")
    func aMissingAnswerIsAnError() async throws {
        try await withAnswers("", closing: true) { client in
            await #expect(throws: WebClient.Failure.closedEarly) { try await client.get("/") }
        }
        try await withAnswers("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", closing: true) {
            client in
            await #expect(throws: (any Error).self) { try await client.get("/") }
        }
        try await withAnswers("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab") { client in
            await #expect(throws: WebClient.Failure.tookTooLong(seconds: 1)) {
                try await client.send("GET", "/", seconds: 1)
            }
        }
    }

    @Test("An answer over 1 MiB is an error")
    func anOverlongAnswerIsAnError() async throws {
        let length = (1 << 20) + 1
        let content = String(repeating: "a", count: length)
        try await withAnswers("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(content)") {
            client in
            await #expect(throws: WebClient.Failure.tooLong) { try await client.get("/") }
        }
    }

    @Test("A redirect is an answer, and is not followed")
    func aRedirectIsAnAnswer() async throws {
        let text =
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"
        try await withAnswers(text) { client in
            let answer = try await client.get("/")
            #expect(answer.status == 302 && answer.header("location") == "/elsewhere")
        }
    }

    /// Runs the body while a server gives this text for whatever it gets.
    private func withAnswers(
        _ text: String, closing: Bool = false, _ body: (WebClient) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        FixedAnswer(text: text, closes: closing))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await body(WebClient(port: try #require(server.localAddress?.port))))
        } catch {
            outcome = .failure(error)
        }
        try await server.close()
        try outcome.get()
    }
}

private final class FixedAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String
    private let closes: Bool

    init(text: String, closes: Bool) {
        self.text = text
        self.closes = closes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        if closes { context.close(promise: nil) }
    }
}
