// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CurlBridge
import Foundation
import SignetBase
import SignetCurl
import SignetIdentity
import TestSupport
import Testing

/// What only the transport over libcurl promises.
@Suite("libcurl", .tags(.hostileServers), .needsPython, .timeLimit(.minutes(20)))
struct CurlTests {
    private static func wire(_ change: (inout CurlSettings) -> Void = { _ in }) -> Wire {
        var settings = CurlSettings()
        change(&settings)
        return Wire(CurlTransport(CurlClient(settings)))
    }

    /// Descriptors and libcurl's threads of this process.
    private static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            .filter {
                (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))
                    == "signet-curl\n"
            }
            .count
    }

    @Test("Memory never exceeds the limit, even briefly")
    func peak() async throws {
        let server = try await KeyServer()
        try await server.set(
            "/endless", Behaviour(String(repeating: "0", count: 65_536)) { $0.endless = true })
        try await server.set(
            "/head",
            Behaviour {
                $0.raw = Data("HTTP/1.1 200 OK\r\n".utf8)
                $0.flood = Data("X: aaaaaaaaaaaaaaaaaaaaaaaa\r\n".utf8)
            })
        let wire = Self.wire()
        for (path, code) in [
            ("/endless", TransportFailure.Code.bodyTooLarge), ("/head", .invalidResponse),
        ] {
            for _ in 0..<5 { _ = try await wire.failure(server.url(path)) }
            try ResidentMemory.resetPeak()
            let before = try ResidentMemory.kilobytes()
            for _ in 0..<50 { #expect(try await wire.failure(server.url(path)) == code) }
            let grown = try ResidentMemory.peakKilobytes() - before
            print("transport curl: \(path): at most \(grown) KB more in 50 exchanges")
            #expect(grown < 8_000, "\(path)")
        }
    }

    /// libcurl reads a chunk's extension until its line ends, without asking.
    @Test("An endless chunk extension ends with the time limit")
    func extensionWithoutEnd() async throws {
        let server = try await KeyServer()
        try await server.set(
            "/keys",
            Behaviour {
                $0.raw = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;".utf8)
                $0.flood = Data("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".utf8)
            })
        let wire = Self.wire()
        try ResidentMemory.resetPeak()
        let before = try ResidentMemory.kilobytes()
        #expect(try await wire.failure(server.url("/keys"), timeout: .seconds(1)) == .timedOut)
        // Other tests of this process count too. Kept extensions would be hundreds of megabytes.
        #expect(try ResidentMemory.peakKilobytes() - before < 64_000)
    }

    /// OpenSSL skips empty HelloRequest messages as long as they arrive, and libcurl keeps no time
    /// meanwhile. An exchange that waited for one of these handshakes would hit the test's own
    /// limit.
    @Test("An endless handshake ends with its time limit, and delays no one else longer")
    func handshakeWithoutEnd() async throws {
        let flood = try RawTLSServer(RawTLSServer.helloRequests)
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        let wire = Self.wire()
        let url = "https://127.0.0.1:\(flood.port)/"
        for _ in 0..<3 {
            #expect(try await wire.failure(url, timeout: .milliseconds(500)) == .timedOut)
            #expect(try await wire.get(server.url("/keys")).status == 200)
            let task = Task { try await wire.failure(url) }
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            #expect(try await task.value == .cancelled)
            #expect(try await wire.get(server.url("/keys")).status == 200)
        }
        // One whose turn comes while the thread is held: its time limit holds all the same.
        let held = Task { try await wire.failure(url) }
        try await Task.sleep(for: .milliseconds(200))
        _ = try await wire.failure(server.url("/keys"), timeout: .milliseconds(300))
        held.cancel()
        #expect(try await held.value == .cancelled)
    }

    /// Unless it is kept out, `exit` frees what OpenSSL uses while the thread is in it.
    @Test("The process can exit in the middle of an exchange", .needsOpenSSL)
    func processEnd() async throws {
        let made = try SelfSigned()
        let server = try await KeyServer(certificate: made.certificate, key: made.key)
        try await server.set("/keys", Behaviour("{}"))
        try await server.set(
            "/drip", Behaviour(String(repeating: "0", count: 100_000)) { $0.dripping = 0.0001 })
        let (keys, drip) = (server.secureURL("/keys"), server.secureURL("/drip"))
        let authorities = made.certificate.path
        for index in 0..<40 {
            // From setting libcurl up to exchanges under way.
            let delay = 250 + index % 20 * (index < 20 ? 250 : 1_000)
            await #expect(processExitsWith: .success) {
                [
                    keys = keys as String, drip = drip as String,
                    authorities = authorities as String,
                    delay = delay as Int
                ] in
                var settings = CurlSettings()
                settings.authorities = authorities
                let transport = CurlTransport(CurlClient(settings))
                let wire = Wire(transport)
                for url in [keys, drip, keys, keys, drip, keys] {
                    Task.detached { while true { _ = try await wire.failure(url) } }
                }
                usleep(UInt32(delay))
                exit(0)
            }
        }
    }

    /// Where the handler of the test below asks.
    private static let lateURL = Locked("")

    /// What an application may have registered for its end.
    private static func askLate() {
        let (url, told) = (lateURL.withLock { $0 }, DispatchSemaphore(value: 0))
        Task.detached {
            guard try await wire().failure(url) == .unreachable else { _exit(3) }
            told.signal()
        }
        if told.wait(timeout: .now() + 600) == .timedOut { _exit(4) }
    }

    @Test("An exchange that starts while the process exits fails at once")
    func afterTheEnd() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        let url = server.url("/keys")
        await #expect(processExitsWith: .success) { [url = url as String] in
            Self.lateURL.withLock { $0 = url }
            // Registered before the transport's own, and so called after it.
            guard atexit({ Self.askLate() }) == 0, try await Self.wire().get(url).status == 200
            else {
                _exit(2)
            }
            exit(0)
        }
    }

    /// Without close_notify, which libcurl does not require, anyone on the path can cut it.
    @Test("Over https a closed connection does not end a body", .needsOpenSSL)
    func cut() async throws {
        let made = try SelfSigned()
        let server = try await KeyServer(certificate: made.certificate, key: made.key)
        let answers: [(String, String, TransportFailure.Code?)] = [
            ("/open", "HTTP/1.1 200 OK\r\n\r\n{}", .invalidResponse),
            ("/old", "HTTP/1.0 200 OK\r\n\r\n{}", .invalidResponse),
            ("/empty", "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", .invalidResponse),
            ("/none", "HTTP/1.1 204 None\r\n\r\n", nil),
            ("/same", "HTTP/1.1 304 Same\r\n\r\n", nil),
            ("/reset", "HTTP/1.1 205 Reset\r\n\r\n", nil),
            // Its end would be the connection's.
            ("/more", "HTTP/1.1 205 Reset\r\n\r\n{}", .invalidResponse),
            ("/length", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", nil),
            ("/chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", nil),
            ("/short", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", .unreachable),
        ]
        let wire = Self.wire { $0.authorities = made.certificate.path }
        for (path, text, code) in answers {
            try await server.set(path, .raw(text))
            #expect(try await wire.failure(server.secureURL(path)) == code, "\(path)")
        }
        // On this machine nothing is on the path.
        #expect(try await wire.get(server.url("/open")).body == Array("{}".utf8))
    }

    /// The inbox holds both: the last word, and an exchange that ends before it begins.
    @Test("A released transport's thread stops waiting")
    func lastWord() async throws {
        let before = try Self.threads()
        for _ in 0..<200 {
            let wire = Self.wire { $0.idleTime = .seconds(1_000) }
            let task = Task { try await wire.failure("http://127.0.0.1:1/") }
            await Task.yield()
            task.cancel()
            _ = try await task.value
        }
        // The test's own time limit ends this.
        while try Self.threads() > before { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test("A server that is slow on all its connections delays no other")
    func fairness() async throws {
        let (slow, good) = (try await KeyServer(), try await KeyServer())
        try await slow.set("/held", Behaviour("x") { $0.hold = "never" })
        try await good.set("/keys", Behaviour("{}"))
        let wire = Self.wire()
        let held = (0..<50).map { _ in
            Task { try await wire.failure(slow.url("/held")) }
        }
        // Six connections and no more, however many callers wait.
        try await slow.wait("/held") { $0.count == 6 }
        for _ in 0..<10 {
            #expect(try await wire.get(good.url("/keys")).status == 200)
        }
        #expect(try await slow.facts("/held").count == 6)
        for task in held { task.cancel() }
        for task in held { #expect(try await task.value == .cancelled) }
    }

    @Test("No connection is reused")
    func connections() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        let wire = Self.wire()
        for _ in 0..<5 { #expect(try await wire.get(server.url("/keys")).status == 200) }
        let facts = try await server.facts("/keys")
        #expect(facts.connections == 5 && facts.last?.values(of: "connection") == ["close"])
    }

    /// If a kept connection has died, libcurl sends the request again.
    @Test("An unanswered POST is sent once")
    func postOnce() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        try await server.set("/token", Behaviour { $0.hangUp = true })
        let wire = Self.wire()
        for _ in 0..<10 {
            _ = try await wire.get(server.url("/keys"))
            do {
                _ = try await wire.transport.exchange(
                    TransportRequest(
                        url: EndpointURL(server.url("/token")), method: .post,
                        body: TransportRequest.Body(
                            Array("code=x".utf8), contentType: "text/plain"),
                        timeout: wire.longTimeout))
                Issue.record("answered")
            } catch let error as TransportFailure {
                #expect(error.code == .unreachable)
            }
        }
        #expect(try await server.facts("/token").count == 10)
    }

    /// On a kept connection libcurl 7.88 takes it for that.
    @Test("Bytes after an answer are not the next answer")
    func excess() async throws {
        let server = try await KeyServer()
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        try await server.set("/two", Behaviour("hi" + forged) { $0.declared = 2 })
        try await server.set(
            "/late",
            Behaviour("hi" + forged) {
                $0.declared = 2
                $0.dripping = 0.0001
            })
        try await server.set("/keys", Behaviour("{}"))
        let wire = Self.wire()
        for path in ["/two", "/late", "/two", "/late"] {
            #expect(try await wire.get(server.url(path)).body == Array("hi".utf8))
            if path == "/late" { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try await wire.get(server.url("/keys")).body == Array("{}".utf8))
        }
    }

    @Test("A request that would forge a field is not sent")
    func injection() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        let wire = Self.wire()
        for value in ["a\r\nX: b", "a\nX: b", "a\rb", "a\u{0}b", "a\u{7f}"] {
            do {
                _ = try await wire.get(server.url("/keys"), authorization: value)
                Issue.record("sent")
            } catch let error as TransportFailure {
                #expect(error.code == .invalidRequest && !error.description.contains("X: b"))
            }
            for request in [
                TransportRequest(url: try EndpointURL(server.url("/keys")), accept: value),
                TransportRequest(
                    url: try EndpointURL(server.url("/keys")), method: .post,
                    body: TransportRequest.Body([], contentType: value)),
            ] {
                await #expect(throws: TransportFailure(.invalidRequest, "")) {
                    try await wire.transport.exchange(request)
                }
            }
        }
        #expect(try await server.facts("/keys").count == 0)
    }

    @Test("An empty POST, a long one and empty fields are sent")
    func bodies() async throws {
        let server = try await KeyServer()
        try await server.set("/token", Behaviour("{}"))
        let wire = Self.wire()
        for count in [0, 1, 100_000, 1_100_000] {
            let body = [UInt8](repeating: 0x61, count: count)
            let response = try await wire.transport.exchange(
                TransportRequest(
                    url: EndpointURL(server.url("/token")), method: .post,
                    body: TransportRequest.Body(body, contentType: "text/plain"),
                    accept: "", timeout: wire.longTimeout))
            #expect(response.status == 200)
            let last = try #require(try await server.facts("/token").last)
            #expect(last.method == "POST" && last.body.utf8.count == count)
            #expect(last.values(of: "content-length") == ["\(count)"])
            #expect(last.values(of: "expect").isEmpty && last.values(of: "accept").isEmpty)
        }
    }

    @Test("Fields keep their order and repetitions, without trailers")
    func fields() async throws {
        let server = try await KeyServer()
        try await server.set(
            "/keys",
            .raw(
                "HTTP/1.1 103 Hints\r\nLink: no\r\n\r\nHTTP/1.1 200 \r\nB: 1\r\na:\t2 \r\nB: 3\r\nC:\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nD: 4\r\n\r\n"
            ))
        let response = try await Self.wire().get(server.url("/keys"))
        let fields = response.fields.map { "\($0.name)=\($0.value)" }
        #expect(fields == ["B=1", "a=2", "B=3", "C=", "Transfer-Encoding=chunked"])
        #expect(response.values(of: "b") == ["1", "3"])
    }

    @Test("A certificate must match the name and a trusted authority", .needsOpenSSL)
    func trusted() async throws {
        let made = try SelfSigned()
        let server = try await KeyServer(certificate: made.certificate, key: made.key)
        try await server.set("/keys", Behaviour("{}"))
        let wire = Self.wire {
            $0.authorities = made.certificate.path
            $0.addresses = ["other.example:\(server.securePort):127.0.0.1"]
        }
        for host in ["localhost", "127.0.0.1"] {
            #expect(try await wire.get(server.secureURL("/keys", host: host)).status == 200)
        }
        #expect(
            try await wire.failure(server.secureURL("/keys", host: "other.example")) == .notTrusted)
        // HTTP to a TLS server.
        let code = try await wire.failure("http://127.0.0.1:\(server.securePort)/keys")
        #expect(code == .unreachable || code == .invalidResponse)
        #expect(try await server.facts("/keys").count == 2)
    }

    /// A hosts file or a name server may say so.
    @Test("http never leaves this machine, by any name")
    func loopback() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        let others = [
            "192.0.2.1", "[2001:db8::1]", "0.0.0.0", "[::]", "[::ffff:192.0.2.1]", "10.0.0.1",
        ]
        for other in others {
            let wire = Self.wire { $0.addresses = ["localhost:\(server.port):\(other)"] }
            // Shorter than the kernel's own connection timeout, after which a refusal would look
            // the same.
            #expect(
                try await wire.failure(
                    "http://localhost:\(server.port)/keys", timeout: .seconds(60)) == .unreachable,
                "\(other)")
        }
        #expect(try await server.facts("/keys").count == 0)
        let wire = Self.wire { $0.addresses = ["localhost:\(server.port):127.0.0.1"] }
        #expect(try await wire.get("http://localhost:\(server.port)/keys").status == 200)
    }

    @Test(
        "Ten thousand exchanges, cancelled at random against a failing server, leave nothing"
    )
    func stress() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        try await server.set("/gone", Behaviour { $0.hangUp = true })
        try await server.set("/held", Behaviour("{}") { $0.hold = "never" })
        try await server.set("/long", Behaviour("0000000000000000") { $0.copies = 65_536 })
        try await server.set("/cut", Behaviour("hello") { ($0.declared, $0.closeAfter) = (100, 3) })
        try await server.set("/drip", Behaviour("0123456789") { $0.dripping = 0.001 })
        let paths = ["/keys", "/gone", "/held", "/long", "/cut", "/drip", "/keys", "/keys"]
        let before = (descriptors: try Self.descriptors(), threads: try Self.threads())
        let counts = Locked<[String: Int]>([:])
        do {
            let wire = Self.wire { $0.idleTime = .milliseconds(50) }
            _ = try await wire.get(server.url("/keys"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<50 {
                    group.addTask {
                        var random = SystemRandomNumberGenerator()
                        for index in 0..<200 {
                            let path = paths[(worker + index) % paths.count]
                            let limit = Int.random(in: 0...400, using: &random)
                            let task = Task {
                                try await wire.failure(
                                    server.url(path),
                                    timeout: .milliseconds(limit))
                            }
                            switch Int.random(in: 0..<4, using: &random) {
                            case 0: task.cancel()
                            case 1:
                                for _ in 0..<Int.random(in: 0..<100, using: &random) {
                                    await Task.yield()
                                }
                                task.cancel()
                            case 2:
                                try await Task.sleep(
                                    for: .microseconds(Int.random(in: 0..<3_000, using: &random)))
                                task.cancel()
                            default: break
                            }
                            let code = try await task.value?.rawValue ?? "answered"
                            counts.withLock { $0[code, default: 0] += 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let all = counts.withLock { $0 }
        print("transport curl: 10000 exchanges under stress: \(all)")
        #expect(all.values.reduce(0, +) == 10_000)
        #expect(
            Set(all.keys).isSubset(of: [
                "answered", "cancelled", "timedOut", "unreachable", "bodyTooLarge",
            ]))
        // The test's own time limit ends this.
        while try Self.threads() > before.threads || Self.descriptors() > before.descriptors {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test(
        "Transports come and go mid-exchange, and free their threads and descriptors"
    )
    func transportsOfTheirOwn() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        try await server.set("/held", Behaviour("{}") { $0.hold = "gate" })
        let before = (descriptors: try Self.descriptors(), threads: try Self.threads())
        let held = (0..<20).map { _ in
            Task { try await Self.wire().get(server.url("/held")).status }
        }
        for _ in 0..<200 {
            let wire = Self.wire()
            #expect(try await wire.get(server.url("/keys")).status == 200)
            #expect(
                try await wire.failure(server.url("/held"), timeout: .milliseconds(1)) == .timedOut)
        }
        try await server.wait("/held") { $0.count >= 20 }
        try await server.release("gate")
        for task in held { #expect(try await task.value == 200) }
        while try Self.threads() > before.threads || Self.descriptors() > before.descriptors {
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test("An idle thread ends, and starts again when needed")
    func idle() async throws {
        let server = try await KeyServer()
        try await server.set("/keys", Behaviour("{}"))
        let before = try Self.threads()
        let wire = Self.wire { $0.idleTime = .milliseconds(1) }
        for _ in 0..<20 {
            #expect(try await wire.get(server.url("/keys")).status == 200)
            while try Self.threads() > before { await Task.yield() }
        }
        // Also at the moment of its end.
        for _ in 0..<2_000 {
            #expect(try await wire.get(server.url("/keys")).status == 200)
            try await Task.sleep(for: .microseconds(Int.random(in: 900..<1_300)))
        }
    }
}
