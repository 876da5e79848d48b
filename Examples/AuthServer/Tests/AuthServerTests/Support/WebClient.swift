// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix

/// Real HTTP to the server, over SwiftNIO, which the server uses as well: a client library would
/// bring TLS and HTTP/2, which take longer to compile than all the tests take.
///
/// It opens a connection for each request and returns every answer as it is: it follows no
/// redirect, and keeps nothing for the next request.
struct WebClient: Sendable {
    enum Body: Sendable {
        /// With its length in the head.
        case whole(String)
        /// In chunks: the head does not state the length.
        case chunks([String])
    }

    enum Failure: Error, Equatable {
        /// The answer was not there in time.
        case tookTooLong(seconds: Int64)
        /// The server closed before its answer was whole.
        case closedEarly
        /// The answer's content is longer than any that the server should give.
        case tooLong
    }

    private static let maximumByteCount = 1 << 20

    let port: Int

    func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: Body? = nil,
        seconds: Int64 = 600
    ) async throws -> WebAnswer {
        let parts = Self.parts(HTTPMethod(rawValue: method), path, HTTPHeaders(headers), body, port)
        return try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await exchange(parts, seconds) }
            tasks.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw Failure.tookTooLong(seconds: seconds)
            }
            defer { tasks.cancelAll() }
            guard let answer = try await tasks.next() else { throw Failure.closedEarly }
            return answer
        }
    }

    func get(_ path: String, token: String? = nil, headers: [(String, String)] = []) async throws
        -> WebAnswer
    {
        try await send("GET", path, headers: headers + Self.bearer(token))
    }

    func delete(_ path: String, token: String) async throws -> WebAnswer {
        try await send("DELETE", path, headers: Self.bearer(token))
    }

    func post(
        _ path: String, json: String, token: String? = nil, headers: [(String, String)] = []
    ) async throws -> WebAnswer {
        try await send(
            "POST", path,
            headers: [("Content-Type", "application/json")] + headers + Self.bearer(token),
            body: .whole(json))
    }

    private static func bearer(_ token: String?) -> [(String, String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }

    private static func parts(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, _ body: Body?, _ port: Int
    ) -> [HTTPClientRequestPart] {
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        // A test may name another host, and then only that one.
        if !headers.contains(name: "Host") {
            head.headers.add(name: "Host", value: "127.0.0.1:\(port)")
        }
        let texts: [String]
        switch body {
        case .whole(let text):
            head.headers.add(name: "Content-Length", value: String(text.utf8.count))
            texts = [text]
        case .chunks(let chunks):
            head.headers.add(name: "Transfer-Encoding", value: "chunked")
            texts = chunks
        case nil: texts = []
        }
        return [.head(head)] + texts.map { .body(.byteBuffer(ByteBuffer(string: $0))) } + [
            .end(nil)
        ]
    }

    private func exchange(_ parts: [HTTPClientRequestPart], _ seconds: Int64) async throws
        -> WebAnswer
    {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Connecting does not end with its task.
            .connectTimeout(.seconds(seconds))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            // Sent at once, since a server that refuses a body may close before it has read all of
            // it.
            try await outbound.write(contentsOf: parts)
            return try await Self.answer(inbound)
        }
    }

    private static func answer(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>
    ) async throws -> WebAnswer {
        var head: HTTPResponseHead?
        var content = ByteBuffer()
        for try await part in inbound {
            switch part {
            case .head(let first): head = first
            case .body(var more):
                guard content.readableBytes + more.readableBytes <= maximumByteCount else {
                    throw Failure.tooLong
                }
                content.writeBuffer(&more)
            case .end:
                guard let head else { throw Failure.closedEarly }
                return WebAnswer(
                    status: Int(head.status.code), fields: head.headers,
                    body: String(buffer: content))
            }
        }
        throw Failure.closedEarly
    }
}
