// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("HTTP that no real client sends")
struct ConnectionTests {
    /// If an answer to HEAD had content, the client would take that for the beginning of the next
    /// answer (found by the fuzzer).
    @Test("An answer to HEAD has no content")
    func anAnswerToHeadHasNoContent() async throws {
        try await World.with { world in
            let answer = try await RawClient(port: world.client.port).exchange(
                """
                HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\nHEAD /v1/auth/me HTTP/1.1\r\nHost: a\r\n\r\n\
                GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n
                """)
            #expect(answer.components(of: "HTTP/1.1 ") == 3)
            #expect(answer.components(of: "{") == 1, "\(answer)")
            #expect(answer.hasSuffix(#"{"status":"ok"}"#))
        }
    }

    /// The other tests' client opens a connection for each request.
    @Test("One connection carries several requests")
    func aConnectionCarriesSeveralRequests() async throws {
        try await World.with { world in
            let head =
                "POST \(World.signInPath) HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            let answer = try await RawClient(port: world.client.port).exchange(
                head + "Content-Length: 2\r\n\r\n{}" + head
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
                    + "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(answer.components(of: "HTTP/1.1 ") == 4)
            #expect(answer.components(of: "HTTP/1.1 400 ") == 2, "\(answer)")
            #expect(answer.components(of: #"{"error":"Missing idToken"}"#) == 2)
            #expect(answer.components(of: "HTTP/1.1 404 ") == 1)
            #expect(answer.hasSuffix(#"{"status":"ok"}"#))
        }
    }

    @Test("Malformed HTTP is 400 or ends the connection, and the server goes on")
    func brokenHTTPEndsTheConnection() async throws {
        try await World.with { world in
            let raw = RawClient(port: world.client.port)
            for text in [
                "nonsense\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n",
                "GET /health HTTP/1.1\r\n\((0..<70).map { "X-\($0): a\r\n" }.joined())\r\n",
                "POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
                "POST /api/auth/mobile/google HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n",
                "POST /health HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
            ] {
                let answer = try await raw.exchange(text)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400 "), "\(text.prefix(60))")
            }
            #expect(try await world.client.get("/health").status == 200)
        }
    }

    /// A proxy may have taken another host than the server.
    @Test("A request with two hosts, or of HTTP/1.1 without one, is 400")
    func aRequestHasOneHost() async throws {
        try await World.with { world in
            let raw = RawClient(port: world.client.port)
            let end = "Connection: close\r\n\r\n"
            for text in ["HTTP/1.1\r\nHost: a\r\n", "HTTP/1.0\r\n", "HTTP/1.0\r\nHost: a\r\n"] {
                let answer = try await raw.exchange("GET /health \(text)\(end)")
                #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(text)")
            }
            for text in [
                "HTTP/1.1\r\n", "HTTP/1.1\r\nHost: a\r\nhost: a\r\n",
                "HTTP/1.0\r\nHost: a\r\nHost: b\r\n",
            ] {
                let answer = try await raw.exchange("GET /health \(text)\(end)")
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(text)")
            }
        }
    }

    /// Two seconds for an idle connection, one for a request to arrive whole.
    @Test("An idle connection and a slow request are closed")
    func aSlowRequestIsCutOff() async throws {
        try await World.with(World.Options(idle: .seconds(2))) { world in
            let raw = RawClient(port: world.client.port)
            for text in [
                "", "GET /health HTT",
                "POST /api/auth/mobile/google HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{",
            ] {
                let answer = try await raw.exchange(text)
                #expect(!answer.hasPrefix("HTTP/1.1 2"), "\(text.prefix(60))")
            }
        }
    }

    @Test("A chunked body over the limit is 413, or its connection is closed")
    func aBodyWithoutAnEndIsCutOff() async throws {
        try await World.with { world in
            let chunk = "8000\r\n\(String(repeating: "a", count: 0x8000))\r\n"
            let answer = try await RawClient(port: world.client.port).exchange(
                "POST /api/auth/mobile/google HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 40))
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 413 "))
        }
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
