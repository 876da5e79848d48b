// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetIdentity
import TestSupport
import Testing

/// The rules of `IdentityTransport`, over libcurl and against a real server: each once and without
/// retries.
@Suite("Transports", .needsPython, .timeLimit(.minutes(20)))
struct TransportTests {
    private let wire = Wire.curl

    @Test("Hostile answers have their errors", .tags(.hostileServers))
    func hostileAnswers() async throws {
        let server = try await KeyServer()
        for (index, answer) in HostileAnswer.all.enumerated() {
            let path = "/\(index)"
            try await server.set(path, answer.behaviour)
            let what = Comment(rawValue: answer.testDescription)
            do {
                let response = try await wire.get(server.url(path))
                switch answer.outcome {
                case .answer(let status, let body):
                    #expect(response.status == status, what)
                    if let body {
                        #expect(String(decoding: response.body, as: UTF8.self) == body, what)
                    }
                case .failure(let code): Issue.record("\(what) was answered, not \(code.rawValue)")
                case .either: break
                }
            } catch let error as TransportFailure {
                switch answer.outcome {
                case .answer: Issue.record("\(what): \(error)")
                case .failure(let code): #expect(error.code == code, what)
                case .either: #expect([.invalidResponse, .unreachable].contains(error.code), what)
                }
                #expect(!error.description.contains("127.0.0.1"), what)
            }
        }
        // A client that followed a redirect asked here.
        #expect(try await server.facts("/elsewhere").count == 0)
        print("transport: \(HostileAnswer.all.count) hostile answers")
    }

    @Test("A request has no cookies, no compression and only the necessary fields")
    func request() async throws {
        let server = try await KeyServer()
        try await server.set(
            "/keys",
            Behaviour("{}") {
                $0.fields = [
                    ["Set-Cookie", "a=b; Path=/"], ["Cache-Control", "max-age=3600"],
                    ["ETag", "\"1\""],
                ]
            })
        for _ in 0..<2 {
            _ = try await wire.get(server.url("/keys?a=b%20c"), authorization: "Bearer secret")
        }
        let facts = try await server.facts("/keys")
        // The second one came from no cache, and has no cache validators.
        #expect(facts.count == 2)
        let last = try #require(facts.last)
        #expect(last.target == "/keys?a=b%20c" && last.method == "GET")
        #expect(last.values(of: "cookie").isEmpty)
        #expect(last.values(of: "if-none-match").isEmpty)
        #expect(last.values(of: "accept") == ["application/json"])
        #expect(last.values(of: "accept-encoding") == ["identity"])
        #expect(last.values(of: "authorization") == ["Bearer secret"])
        #expect(last.values(of: "user-agent") == ["signet"])
    }

    @Test("A POST arrives unchanged")
    func post() async throws {
        let server = try await KeyServer()
        try await server.set("/token", Behaviour("{}") { $0.status = 400 })
        let response = try await wire.transport.exchange(
            TransportRequest(
                url: EndpointURL(server.url("/token")), method: .post,
                body: TransportRequest.Body(
                    Array("code=a%2Bb&x=".utf8), contentType: "application/x-www-form-urlencoded"),
                timeout: wire.longTimeout))
        #expect(response.status == 400)
        let last = try #require(try await server.facts("/token").last)
        #expect(last.method == "POST" && last.body == "code=a%2Bb&x=")
        #expect(last.values(of: "content-type") == ["application/x-www-form-urlencoded"])
        #expect(last.values(of: "expect").isEmpty)
    }

    @Test("Each method works with and without a body")
    func methods() async throws {
        let server = try await KeyServer()
        try await server.set("/thing", Behaviour("{}"))
        for method in TransportRequest.Method.all {
            for bytes in [nil, [], [UInt8](0...255)] as [[UInt8]?]
            where method != .get || bytes == nil {
                let body = bytes.map { TransportRequest.Body($0, contentType: "image/x-none") }
                let response = try await wire.transport.exchange(
                    TransportRequest(
                        url: EndpointURL(server.url("/thing")), method: method, body: body,
                        authorization: "Bearer a", timeout: wire.longTimeout))
                #expect(response.status == 200)
                let last = try #require(try await server.facts("/thing").last)
                let what = Comment(rawValue: "\(method) \(bytes?.count ?? -1)")
                #expect(last.method.utf8.elementsEqual(method.rawValue.utf8), what)
                #expect(
                    last.body.unicodeScalars.map(\.value) == (bytes ?? []).map(UInt32.init), what)
                #expect(
                    last.values(of: "content-type") == (body == nil ? [] : ["image/x-none"]), what)
                #expect(last.values(of: "transfer-encoding").isEmpty, what)
                #expect(last.values(of: "authorization") == ["Bearer a"], what)
                // RFC 9110, section 8.6.
                let length = last.values(of: "content-length")
                switch (method, bytes) {
                case (.get, _), (.delete, nil): #expect(length.isEmpty, what)
                // No body and an empty one are equal there.
                case (.delete, []): #expect(length.isEmpty || length == ["0"], what)
                case (_, let bytes): #expect(length == ["\(bytes?.count ?? 0)"], what)
                }
            }
        }
    }

    @Test("The caller's fields arrive once each, in order, and one replaces the transport's own")
    func ownFields() async throws {
        let server = try await KeyServer()
        try await server.set("/thing", Behaviour("{}"))
        let long = String(repeating: "v", count: 8_192)
        let response = try await wire.transport.exchange(
            TransportRequest(
                url: EndpointURL(server.url("/thing")), method: .patch,
                body: TransportRequest.Body([1], contentType: ""), accept: "",
                fields: [
                    .init(name: "apikey", value: "k:1, 2;3"),
                    .init(name: "X-Client-Info", value: "a  b"),
                    .init(name: "user-AGENT", value: "own/1"), .init(name: "X-Twice", value: "1"),
                    .init(name: "x-twice", value: "2"),
                    .init(name: "X-Long", value: long),
                ], timeout: wire.longTimeout))
        #expect(response.status == 200)
        let last = try #require(try await server.facts("/thing").last)
        #expect(last.values(of: "apikey") == ["k:1, 2;3"])
        #expect(last.values(of: "x-client-info") == ["a  b"])
        #expect(last.values(of: "user-agent") == ["own/1"])
        #expect(last.values(of: "x-twice") == ["1", "2"])
        #expect(last.values(of: "x-long") == [long])
        #expect(last.values(of: "accept").isEmpty && last.values(of: "content-type").isEmpty)
        #expect(last.values(of: "host") == ["127.0.0.1:\(server.port)"])
    }

    @Test("An answer without a body is accepted")
    func bodiless() async throws {
        let server = try await KeyServer()
        for (status, more) in [
            (204, ""), (205, ""), (205, "Content-Length: 0\r\n"), (304, ""),
            (304, "Content-Length: 7\r\n"),
        ] {
            try await server.set(
                "/gone",
                .raw("HTTP/1.1 \(status) Done\r\n\(more)ETag: \"1\"\r\nConnection: close\r\n\r\n"))
            let response = try await wire.transport.exchange(
                TransportRequest(
                    url: EndpointURL(server.url("/gone")), method: .delete,
                    timeout: wire.longTimeout))
            #expect(response.status == status && response.body.isEmpty, "\(status) \(more)")
            #expect(response.values(of: "etag") == ["\"1\""])
        }
    }

    @Test("A request that cannot be sent unchanged is not sent")
    func invalidRequests() async throws {
        let server = try await KeyServer()
        try await server.set("/thing", Behaviour("{}"))
        let url = try EndpointURL(server.url("/thing"))
        for request in [
            TransportRequest(url: url, body: TransportRequest.Body([1], contentType: "a/b")),
            TransportRequest(url: url, accept: "a\r\nb: c"),
            TransportRequest(url: url, authorization: "a\nb: c"),
            TransportRequest(
                url: url, method: .put, body: TransportRequest.Body([1], contentType: "a\u{0}b")),
        ] {
            await #expect(throws: TransportFailure(.invalidRequest, "")) {
                try await wire.transport.exchange(request)
            }
        }
        #expect(try await server.facts("/thing").count == 0)
    }

    @Test("The limit is exactly the body's length", arguments: [false, true])
    func limit(chunked: Bool) async throws {
        let server = try await KeyServer()
        try await server.set("/ten", Behaviour("0123456789") { $0.chunked = chunked })
        #expect(try await wire.get(server.url("/ten"), maximumBodyByteCount: 10).body.count == 10)
        for limit in [9, 0, -1, .min] {
            #expect(
                try await wire.failure(server.url("/ten"), maximumBodyByteCount: limit)
                    == .bodyTooLarge)
        }
    }

    @Test("A missing, silent or slow server fails in time", .tags(.hostileServers))
    func time() async throws {
        let server = try await KeyServer()
        try await server.set("/head", Behaviour("x") { $0.hold = "never" })
        try await server.set("/body", Behaviour("x") { $0.holdBody = "never" })
        try await server.set(
            "/drip", Behaviour(String(repeating: "x", count: 10_000)) { $0.dripping = 0.01 })
        for path in ["/head", "/body", "/drip"] {
            #expect(
                try await wire.failure(server.url(path), timeout: .milliseconds(300)) == .timedOut,
                "\(path)")
        }
        #expect(try await wire.failure(server.url("/head"), timeout: .zero) == .timedOut)
        #expect(try await wire.failure(server.url("/head"), timeout: .seconds(-1)) == .timedOut)
        server.stop()
        #expect(try await wire.failure(server.url("/")) == .unreachable)
        #expect(try await wire.failure("https://nobody.invalid/") == .unreachable)
    }

    @Test("Any time limit is accepted, however long", .tags(.hostileServers))
    func endlessTime() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        // A sleep of that length crashed the process.
        for timeout in [Duration.seconds(Int64.max), .seconds(1e19)] {
            #expect(try await wire.get(server.url("/keys"), timeout: timeout).status == 200)
        }
    }

    @Test("A cancelled caller returns, and its connection closes")
    func cancellation() async throws {
        let server = try await KeyServer()
        try await server.set(
            "/drip", Behaviour(String(repeating: "0", count: 100_000)) { $0.dripping = 0.01 })
        try await server.set("/held", Behaviour("x") { $0.hold = "never" })
        for path in ["/drip", "/held"] {
            let task = Task { try await wire.failure(server.url(path)) }
            try await server.wait(path) { $0.count == 1 }
            task.cancel()
            #expect(try await task.value == .cancelled, "\(path)")
        }
        try await server.wait("/drip") { $0.abandoned == 1 }
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await wire.failure(server.url("/never"))
        }
        late.cancel()
        #expect(try await late.value == .cancelled)
        #expect(try await server.facts("/never").count == 0)
    }

    @Test("A thousand exchanges at once work, with half of them cancelled", .tags(.hostileServers))
    func thousand() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{\"keys\":[]}"))
        let answered = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 {
                group.addTask { try await wire.get(server.url("/keys")).status == 200 }
            }
            for index in 0..<1_000 {
                group.addTask {
                    let task = Task { try await wire.failure(server.url("/keys")) }
                    for _ in 0..<(index % 50) { await Task.yield() }
                    task.cancel()
                    let code = try await task.value
                    #expect(code == nil || code == .cancelled)
                    return false
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answered == 1_000)
        print("transport: 1000 of 1000 answered, 1000 more given up at some moment")
    }

    @Test("A long body is not buffered: memory does not grow", .tags(.hostileServers))
    func memory() async throws {
        let server = try await KeyServer()
        try await server.set("/long", Behaviour("0000000000000000") { $0.copies = 327_680 })
        try await server.set(
            "/endless", Behaviour(String(repeating: "0", count: 65_536)) { $0.endless = true })
        try await server.set(
            "/bomb",
            Behaviour("0000000000000000") {
                $0.copies = 4_194_304
                $0.gzip = true
            })
        var grown: [String: Int] = [:]
        for path in ["/long", "/endless", "/bomb"] {
            for _ in 0..<3 { _ = try await wire.failure(server.url(path)) }
            let before = try ResidentMemory.kilobytes()
            let code: TransportFailure.Code =
                path == "/bomb" ? .invalidResponse : .bodyTooLarge
            for _ in 0..<20 { #expect(try await wire.failure(server.url(path)) == code) }
            grown[path] = try ResidentMemory.kilobytes() - before
        }
        print("transport: resident memory grew in 20 exchanges (KB): \(grown)")
        // The refused bodies had 100 MB, no end, and 1.3 GB. Other tests of this process run
        // meanwhile.
        for (path, kilobytes) in grown { #expect(kilobytes < 80_000, "\(path)") }
    }

    @Test("An untrusted certificate is refused", .needsOpenSSL)
    func selfSigned() async throws {
        let made = try SelfSigned()
        let server = try await KeyServer(certificate: made.certificate, key: made.key)
        try await server.set("/keys", Behaviour("{}"))
        for host in ["localhost", "127.0.0.1"] {
            #expect(
                try await wire.failure(server.secureURL("/keys", host: host)) == .notTrusted,
                "\(host)")
        }
        // Nothing was requested.
        #expect(try await server.facts("/keys").count == 0)
    }
}
