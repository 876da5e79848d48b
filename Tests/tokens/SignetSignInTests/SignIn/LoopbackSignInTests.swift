// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import SignetPlatform
import SignetSignIn
import TestSupport
import Testing

@Suite("Signing in through the loopback interface", .timeLimit(.minutes(20)))
struct LoopbackSignInTests {
    /// The port at which a sign-in waits.
    private static func port(_ address: String) throws -> Int {
        try LoopbackBrowser.place(address).port
    }

    /// Signs in; the browser is the test's, and has finished when this returns.
    private static func signIn(
        _ provider: StubProvider, _ browse: @escaping @Sendable (Int, String) throws -> Void
    ) async throws -> SignIn.Finished {
        try await LoopbackBrowser.run(LoopbackBrowser.signIn(provider)) { address in
            let target = try LoopbackBrowser.open(address)
            let port = try port(address)
            let redirect = "redirect_uri=http%3A%2F%2F127.0.0.1%3A\(port)%2Fcallback&"
            #expect(target.contains(redirect), "\(target)")
            try browse(port, try provider.signIn(target))
        }
    }

    @Test("One answer gets a fixed page, closes the port, and the code is exchanged")
    func whole() async throws {
        let provider = try StubProvider()
        let seen = Locked<(port: Int, page: String?)>((0, nil))
        let done = try await Self.signIn(provider) { port, query in
            let page = LocalClient.get(port, "/callback?" + query)
            seen.withLock { $0 = (port, page) }
        }
        #expect(done.identity.subject == "user" && done.tokens.accessToken == "at-secret")
        let (port, page) = seen.withLock { $0 }
        let text = try #require(page)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("</html>\n"))
        for field in [
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
            "Content-Security-Policy: default-src 'none'",
        ] {
            #expect(text.contains(field))
        }
        #expect(!text.contains("code-1") && !text.contains("<script"))
        #expect(LocalClient(port: port) == nil, "no one listens any more")
    }

    @Test("Other requests to the port end nothing")
    func others() async throws {
        let provider = try StubProvider()
        let done = try await Self.signIn(provider) { port, query in
            let good = "GET /callback?\(query) HTTP/1.1\r\n\r\n"
            // Each says only that there is nothing here.
            let state = try #require(query.components(separatedBy: "state=").last)
            let wrong = String(state.reversed())
            for target in [
                "/favicon.ico", "/", "/callback", "/callback?", "/callback/?\(query)",
                "/Callback?\(query)", "/callback?code=x", "/callback?code=x&state=",
                "/callback?code=x&state=\(wrong)", "/callback?code=x&state=\(state)x",
                "/callback?\(query)&state=\(state)", "/callback?error=access_denied",
                "/callback?code=%zz&state=\(state)", "/callback?code=x&state=\(state)#f",
                "http://127.0.0.1/callback?\(query)", "/callback?<script>alert(1)</script>",
            ] {
                let answer = try #require(LocalClient.get(port, target))
                #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(target): \(answer)")
                #expect(!answer.contains(state) && !answer.contains("alert"), "nothing is echoed")
            }
            for request in [
                "POST /callback?\(query) HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
                "HEAD /callback?\(query) HTTP/1.1\r\n\r\n", "\r\n\r\n", "GET\r\n\r\n",
                "GET  /callback?\(query) HTTP/1.1\r\n\r\n", "GET /callback?\(query)\r\n\r\n",
                "GET /callback?\(query) HTTP/2\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
            ] {
                #expect(
                    LocalClient.ask(port, request)?.hasPrefix("HTTP/1.1 404 ") == true, "\(request)"
                )
            }
            // An endless head, and silent connections: the oldest make room.
            let endless = try #require(LocalClient(port: port))
            for _ in 0..<40 { endless.send(String(repeating: "x", count: 1024)) }
            #expect(endless.answer().isEmpty)
            let silent = (0..<200).compactMap { _ in LocalClient(port: port) }
            #expect(silent.count == 200)
            // A browser whose head arrives in many parts.
            let slow = try #require(LocalClient(port: port))
            for character in good { slow.send(String(character)) }
            #expect(slow.answer().hasPrefix("HTTP/1.1 200 OK"))
        }
        #expect(done.identity.subject == "user")
        #expect(provider.requests("/token") == 1)
    }

    @Test("The provider's refusal ends the sign-in, and the page repeats nothing of it")
    func refused() async throws {
        let provider = try StubProvider()
        let page = Locked<String?>(nil)
        let error = await #expect(throws: SignInError.self) {
            try await Self.signIn(provider) { port, query in
                let state = try #require(query.components(separatedBy: "state=").last)
                let target =
                    "/callback?error=access_denied&error_description=%3Cb%3E&state=\(state)"
                let answer = LocalClient.get(port, target)
                page.withLock { $0 = answer }
            }
        }
        guard case .authorization(let cause)? = error?.cause else { return #expect(Bool(false)) }
        #expect(cause.code == .refused && cause.refusal?.registeredError == "access_denied")
        let text = try #require(page.withLock { $0 })
        #expect(text.contains("Sign in failed. Please try again.") && !text.contains("<b>"))
        #expect(provider.requests("/token") == 0)
    }

    @Test("It ends with its time limit, by the given clock, and with its task")
    func ends() async throws {
        let provider = try StubProvider()
        let clock = ManualClock()
        let signIn = try LoopbackBrowser.signIn(provider, clock: clock.source)
        let port = Locked(0)
        let waiting = Task {
            try await signIn.run { address in
                let found = (try? Self.port(address)) ?? 0
                port.withLock { $0 = found }
            }
        }
        while clock.sleeperCount == 0 || port.withLock({ $0 }) == 0 { await Task.yield() }
        clock.advance(by: .seconds(299))
        #expect(LocalClient(port: port.withLock { $0 }) != nil)
        clock.advance(by: .seconds(1))
        await #expect(throws: SignInError.authorization(AuthorizationError(.expired, ""))) {
            try await waiting.value
        }
        #expect(LocalClient(port: port.withLock { $0 }) == nil)

        port.withLock { $0 = 0 }
        let cancelled = Task {
            try await signIn.run { address in
                let found = (try? Self.port(address)) ?? 0
                port.withLock { $0 = found }
            }
        }
        while port.withLock({ $0 }) == 0 { await Task.yield() }
        cancelled.cancel()
        await #expect(throws: SignInError.authorization(AuthorizationError(.cancelled, ""))) {
            try await cancelled.value
        }
        #expect(LocalClient(port: port.withLock { $0 }) == nil)
    }

    @Test("A fixed port in use is refused, and one's own is free at once again")
    func fixedPort() async throws {
        let provider = try StubProvider()
        let other = try LoopbackListener()
        let taken = try LoopbackBrowser.signIn(provider, port: UInt16(other.port))
        await #expect(throws: SignInError.authorization(AuthorizationError(.unavailable, ""))) {
            try await taken.run { _ in Issue.record("no one is sent anywhere") }
        }
        let port: Int
        do { port = try LoopbackListener().port }
        for code in ["code-1", "code-2"] {
            let signIn = try LoopbackBrowser.signIn(provider, port: UInt16(port))
            let done = try await LoopbackBrowser.run(signIn) { address in
                let target = try LoopbackBrowser.open(address)
                let query = try provider.signIn(target, code: code)
                _ = LocalClient.get(port, "/callback?" + query)
            }
            #expect(done.identity.subject == "user")
        }
    }

    @Test("Only https and local http open, with a display and without SSH")
    func browser() {
        for address in [
            "file:///etc/passwd", "javascript:alert(1)", "http://example.com/", "--help", "",
            "https://idp.example/ x", "https://idp.example/\u{7}", "HTTPS://idp.example/",
            "https://user@idp.example/", "https://idp.example/$(id)",
            "https://idp.example/a;id", "https://idp.example/'a",
            "https://idp.example/?" + String(repeating: "x", count: 9000),
        ] {
            #expect(throws: AuthorizationError(.malformed, "")) { try SystemBrowser.open(address) }
        }
        let here = ["DISPLAY": ":0"]
        #expect(SystemBrowser.isAvailable { here[$0] })
        #expect(SystemBrowser.isAvailable { $0 == "WAYLAND_DISPLAY" ? "wayland-0" : nil })
        #expect(!SystemBrowser.isAvailable { _ in nil })
        #expect(!SystemBrowser.isAvailable { $0 == "DISPLAY" ? "" : nil })
        #expect(!SystemBrowser.isAvailable { ["DISPLAY": ":10", "SSH_CONNECTION": "1"][$0] })
    }

    @Test("Invalid settings are refused before anything listens")
    func settings() throws {
        let provider = try StubProvider()
        let openID = try IdentityProvider.openID(issuer: StubProvider.issuer, clientIDs: ["c"])
        for timeout in [0, 601] {
            #expect(throws: IdentityConfigurationError(.outOfRange, "")) {
                try LoopbackSignIn(
                    openID, timeout: .seconds(timeout), transport: provider, options: .still)
            }
        }
        #expect(throws: IdentityConfigurationError(.invalidURL, "")) {
            try LoopbackSignIn(openID, path: "/a#b", transport: provider, options: .still)
        }
    }
}
