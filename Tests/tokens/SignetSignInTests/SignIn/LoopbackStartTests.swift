// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import SignetPlatform
import SignetSignIn
import TestSupport
import Testing

@Suite("The one-time address of a sign-in", .timeLimit(.minutes(20)))
struct LoopbackStartTests {
    /// Finishes a sign-in whose one-time address has led to `target`.
    private static func finish(
        _ provider: StubProvider, _ port: Int, _ target: String
    ) throws -> String? {
        LocalClient.get(port, "/callback?" + (try provider.signIn(target)))
    }

    @Test("It holds nothing of the request, differs each time, and its answer is kept nowhere")
    func worthless() async throws {
        let provider = try StubProvider()
        let addresses = Locked<[String]>([])
        for _ in 0..<2 {
            let done = try await LoopbackBrowser.run(LoopbackBrowser.signIn(provider)) { address in
                addresses.withLock { $0.append(address) }
                let (port, path) = try LoopbackBrowser.place(address)
                let answer = try #require(LocalClient.get(port, path))
                for field in [
                    "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
                    "Content-Length: 0",
                ] {
                    #expect(answer.contains("\r\n\(field)\r\n"), "\(answer)")
                }
                let target = try LoopbackBrowser.location(answer)
                _ = try Self.finish(provider, port, target)
            }
            #expect(done.identity.subject == "user")
        }
        let all = addresses.withLock { $0 }
        #expect(Set(all.map { $0.suffix(43) }).count == 2)
        for address in all {
            let path = try LoopbackBrowser.place(address).path
            // 256 bits, and nothing else.
            #expect(path.hasPrefix("/go/") && path.utf8.count == 4 + 43, "\(address)")
        }
    }

    @Test("A second call ends the sign-in with its reason")
    func openedTwice() async throws {
        let provider = try StubProvider()
        let second = Locked<String?>(nil)
        let error = await #expect(throws: SignInError.self) {
            try await LoopbackBrowser.run(LoopbackBrowser.signIn(provider)) { address in
                _ = try LoopbackBrowser.open(address)
                let (port, path) = try LoopbackBrowser.place(address)
                let answer = LocalClient.get(port, path)
                second.withLock { $0 = answer }
            }
        }
        #expect(error == .authorization(AuthorizationError(.openedTwice, "")))
        let page = try #require(second.withLock { $0 })
        #expect(page.hasPrefix("HTTP/1.1 410 Gone\r\n") && page.contains("begin again"))
        #expect(!page.contains("Location:") && provider.requests("/token") == 0)
    }

    @Test("What a browser asks beside a person's opening does not use it up")
    func preparations() async throws {
        let provider = try StubProvider()
        let done = try await LoopbackBrowser.run(LoopbackBrowser.signIn(provider)) { address in
            let (port, path) = try LoopbackBrowser.place(address)
            let host = "Host: 127.0.0.1:\(port)"
            for request in [
                "HEAD \(path) HTTP/1.1\r\n\(host)", "OPTIONS \(path) HTTP/1.1\r\n\(host)",
                "POST \(path) HTTP/1.1\r\n\(host)\r\nContent-Length: 0",
                "GET \(path) HTTP/1.1\r\n\(host)\r\nSec-Purpose: prefetch;prerender",
                "GET \(path) HTTP/1.1\r\n\(host)\r\nSec-Purpose: prefetch",
                "GET \(path) HTTP/1.1\r\nPURPOSE:Prefetch\r\n\(host)",
                "GET \(path) HTTP/1.1\r\nX-moz: prefetch\r\n\(host)",
                "GET /favicon.ico HTTP/1.1\r\n\(host)", "GET /go/ HTTP/1.1\r\n\(host)",
                "GET \(path)x HTTP/1.1\r\n\(host)", "GET \(path)? HTTP/1.1\r\n\(host)",
                "GET \(path.dropLast()) HTTP/1.1\r\n\(host)", "GET /go HTTP/1.1\r\n\(host)",
            ] {
                let answer = try #require(LocalClient.ask(port, request + "\r\n\r\n"))
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(request): \(answer)")
            }
            // A second connection that a browser opens in reserve, and a head with other fields.
            let reserve = LocalClient(port: port)
            let fields =
                "\(host)\r\nSec-Fetch-Mode: navigate\r\nPriority: u=0, i\r\nCookie: a=prefetch"
            let answer = try #require(
                LocalClient.ask(port, "GET \(path) HTTP/1.1\r\n\(fields)\r\n\r\n"))
            _ = try Self.finish(provider, port, LoopbackBrowser.location(answer))
            #expect(reserve != nil)
        }
        #expect(done.identity.subject == "user")
    }

    @Test("Where the system does not say whose a connection is, it is unknown")
    func unknown() async throws {
        for identifies in [true, false] {
            let listener = try LoopbackListener(identifiesCallers: identifies)
            let port = listener.port
            let isStarted = SystemThread.start {
                // A connection that says nothing, and one that does.
                let silent = LocalClient(port: port)
                _ = LocalClient.get(port, "/")
                _ = silent
            }
            #expect(isStarted)
            let caller = await listener.serve { _, caller in (reply: [], taken: caller) }
            #expect(caller == (identifies ? .own : .unknown))
        }
    }
}
