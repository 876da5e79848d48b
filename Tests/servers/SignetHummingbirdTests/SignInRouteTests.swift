// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import Logging
    import SignetCrypto
    import SignetHummingbird
    import SignetIdentity
    import SignetJOSE
    import SignetBase
    import SignetSignIn
    import Testing
    import TestSupport

    @Suite("Hummingbird: a browser's sign-in")
    struct SignInRouteTests {
        private static let path = "/signin/openid"
        private static let callback = "/signin/openid/callback"

        private let provider: StubProvider
        /// Who was signed in, and what their browser called itself.
        private let signedIn = Locked([String]())

        init() throws { provider = try StubProvider() }

        private func routes(
            isAllowed: Bool = true, goingTo place: String = "/inbox"
        ) throws -> some ApplicationProtocol {
            let flow = try SignIn(
                .openID(
                    issuer: StubProvider.issuer, clientIDs: [StubProvider.client],
                    algorithms: [.es256]),
                authentication: .clientSecretPost("secret"),
                redirectURI: "https://app.example\(Self.callback)",
                keeping: .cookie(
                    sealedWith: SecretKey(copying: [UInt8](repeating: 7, count: 32))),
                transport: provider, options: .still)
            let router = Router(context: GuestContext<VerifiedSession>.self)
            router.add(middleware: ErrorAnswers())
            let signedIn = signedIn
            router.addSignIn(flow, at: "signin/openid", goingTo: place) { done, request, _ in
                guard isAllowed else { throw HTTPError(.forbidden) }
                let agent = request.headers[.userAgent] ?? "-"
                signedIn.withLock { $0.append("\(done.identity.subject) \(agent)") }
                return ["__Host-session=token; Path=/", "theme=dark"]
            }
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            return Application(router: router, logger: logger)
        }

        /// Where a sign-in begins: the provider's page, and the cookie as the browser sends it back.
        private func begin(
            _ client: some TestClientProtocol
        ) async throws -> (url: String, cookie: String) {
            let begun = try await client.answer(.get, Self.path)
            #expect(begun.status == .seeOther && begun.headers[.cacheControl] == "no-store")
            let set = begun.headers[values: .setCookie]
            #expect(set.count == 1 && set.allSatisfy { $0.contains("; Secure; HttpOnly") })
            let cookie = try #require(set.first?.split(separator: ";").first)
            let url = try #require(begun.headers[.location])
            #expect(url.hasPrefix("\(StubProvider.issuer)/authorize?"))
            return (url, String(cookie))
        }

        @Test(
            "The sign-in works with answers by GET and by POST",
            arguments: [HTTPRequest.Method.get, .post])
        func wholeWay(_ method: HTTPRequest.Method) async throws {
            try await routes().test(.live) { client in
                let (url, cookie) = try await begin(client)
                let query = provider.signIn(url)
                var fields: HTTPFields = [.userAgent: "Browser/1"]
                // Some browsers and proxies send several fields.
                fields.append(HTTPField(name: .cookie, value: "a=b"))
                fields.append(HTTPField(name: .cookie, value: cookie))
                let done =
                    method == .get
                    ? try await client.answer(.get, "\(Self.callback)?\(query)", fields)
                    : try await client.answer(.post, Self.callback, fields, body: query)
                #expect(done.status == .seeOther && done.headers[.location] == "/inbox")
                #expect(done.headers[.cacheControl] == "no-store")
                let set = done.headers[values: .setCookie]
                #expect(
                    set.count == 3
                        && set.dropFirst() == [
                            "__Host-session=token; Path=/", "theme=dark",
                        ])
                let name = cookie.split(separator: "=").first.map(String.init) ?? "?"
                #expect(set.first?.hasPrefix(name + "=;") == true)
                #expect(set.first?.hasSuffix("; Max-Age=0") == true)
                #expect(signedIn.withLock { $0 } == ["ada Browser/1"])
            }
        }

        @Test("A late sign-in, or one begun in another browser, returns signed out")
        func notPending() async throws {
            try await routes().test(.live) { client in
                let (url, cookie) = try await begin(client)
                let other = try await begin(client)
                let query = provider.signIn(url)
                for fields: HTTPFields in [
                    [:], [.cookie: "a=b"], [.cookie: String(cookie.dropLast(4))],
                ] {
                    for method: HTTPRequest.Method in [.get, .post] {
                        let answer =
                            method == .get
                            ? try await client.answer(.get, "\(Self.callback)?\(query)", fields)
                            : try await client.answer(.post, Self.callback, fields, body: query)
                        #expect(answer.status == .seeOther)
                        #expect(answer.headers[.location] == "/inbox")
                        #expect(answer.headers[values: .setCookie].isEmpty)
                    }
                }
                // An attacker's own sign-in, finished in the victim's browser (login CSRF).
                let others = provider.signIn(other.url, code: "code-2")
                let forced = try await client.answer(
                    .get, "\(Self.callback)?\(others)", [.cookie: cookie])
                #expect(forced.headers[values: .setCookie].isEmpty)
                #expect(signedIn.withLock { $0 }.isEmpty)
            }
        }

        @Test("A refused sign-in is answered and keeps no session")
        func refused() async throws {
            try await routes().test(.live) { client in
                let (url, cookie) = try await begin(client)
                let query = provider.signIn(url)
                let fields: HTTPFields = [.cookie: cookie]
                let rows: [(query: String, status: Int)] = [
                    (provider.refuse(url), 403), ("", 400), ("code=a", 400), ("state=%", 400),
                    ("\(query)&\(query)", 400), (query, 303),
                    // The code was redeemed: the second time it belongs to a stranger.
                    (query, 403),
                ]
                for row in rows {
                    let answer = try await client.answer(
                        .get, "\(Self.callback)?\(row.query)", fields)
                    #expect(answer.status.code == row.status, "\(row)")
                    if row.status != 303 {
                        #expect(answer.headers[values: .setCookie].isEmpty)
                        #expect(answer.headers[.location] == nil)
                    }
                }
                let long = try await client.answer(
                    .post, Self.callback, fields, body: String(repeating: "a", count: 16_385))
                #expect(long.status == .contentTooLarge)
                #expect(signedIn.withLock { $0 }.count == 1)
            }
        }

        @Test("A person without permission and an unreachable provider are answered")
        func notAllowed() async throws {
            try await routes(isAllowed: false).test(.live) { client in
                let (url, cookie) = try await begin(client)
                let query = provider.signIn(url)
                let answer = try await client.answer(
                    .get, "\(Self.callback)?\(query)", [.cookie: cookie])
                #expect(answer.status == .forbidden)
                #expect(answer.headers[values: .setCookie].isEmpty)
                let (next, kept) = try await begin(client)
                provider.setOut(true)
                let away = try await client.answer(
                    .get, "\(Self.callback)?\(provider.signIn(next))", [.cookie: kept])
                #expect(away.status == .serviceUnavailable)
                #expect(away.headers[values: .setCookie].isEmpty)
            }
            // Its metadata has not been read yet.
            try await routes().test(.live) { client in
                let begun = try await client.answer(.get, Self.path)
                #expect(begun.status == .serviceUnavailable)
                #expect(begun.headers[.location] == nil)
            }
        }
    }
#endif
