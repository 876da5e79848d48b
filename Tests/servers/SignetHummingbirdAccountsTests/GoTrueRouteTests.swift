// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import Logging
    import NIOCore
    import ServiceLifecycle
    import SignetAccounts
    import SignetBase
    import SignetCrypto
    import SignetGoTrue
    import SignetHummingbird
    import SignetHummingbirdAccounts
    import SignetHummingbirdGoTrue
    import SignetIdentity
    import SignetJOSE
    import SignetSignIn
    import TestSupport
    import Testing

    @Suite("Hummingbird: a service with GoTrue's interface")
    struct GoTrueRouteTests {
        private typealias Guest = GuestContext<VerifiedSession>

        @Test("A person signs up, is refreshed and signs out through the router")
        func life() async throws {
            try await Self.application().test(.router) { client in
                let guest = try await client.call("POST", "/auth/v1/signup", "{}")
                #expect(guest.status == .ok && guest.headers[.cacheControl] == "no-store")
                let first = try guest.json(as: Tokens.self)
                let second = try await client.call(
                    "POST", "/auth/v1/token?grant_type=refresh_token",
                    #"{"refresh_token":"\#(first.refreshToken)"}"#
                ).json(as: Tokens.self)
                let user = try await client.call(
                    "PUT", "/auth/v1/user", #"{"data":{"theme":"dark"}}"#,
                    token: second.accessToken)
                #expect(user.status == .ok && user.text.contains("dark"))
                let out = try await client.call(
                    "POST", "/auth/v1/logout?scope=local", token: second.accessToken)
                #expect(out.status == .noContent)
                let gone = try await client.call(
                    "DELETE", "/auth/v1/user", token: second.accessToken)
                #expect(gone.status == .forbidden && gone.text.contains("session_not_found"))
                #expect(try await client.call("GET", "/auth/v1/health").status == .ok)
                let keys = try await client.call("GET", "/auth/v1/.well-known/jwks.json")
                #expect(keys.text.contains(#""keys""#))
            }
        }

        @Test(
            "A path in another spelling is none of the service's",
            arguments: [
                "/auth/v1//health", "/auth//v1/health", "/auth/v1/health/", "/auth/v1/%68ealth",
                "/auth/v1/../v1/health", "/auth/v1/HEALTH", "/auth/v1/",
            ])
        func spellings(path: String) async throws {
            try await Self.application().test(.router) { client in
                let answer = try await client.call("GET", path)
                #expect(answer.status == .notFound)
            }
        }

        @Test("What is too long, or has another method, is the service's to refuse")
        func refusals() async throws {
            try await Self.application().test(.router) { client in
                let long = String(repeating: " ", count: 70_000)
                let answer = try await client.call("POST", "/auth/v1/otp", long)
                #expect((400...413).contains(answer.status.code) && answer.text.contains("msg"))
                let method = try await client.call("GET", "/auth/v1/otp")
                #expect(method.status == .methodNotAllowed && method.text.contains("msg"))
                let key = try await client.executeRequest(
                    uri: "/auth/v1/signup", method: .post, headers: [:],
                    body: ByteBuffer(string: "{}"))
                #expect(key.status == .unauthorized)
            }
        }

        @Test("Pages of any origin may call it and read errors, without cookies")
        func crossOrigin() async throws {
            try await Self.application().test(.router) { client in
                let origin = HTTPField(name: .origin, value: "https://app.example")
                let preflight = try await client.executeRequest(
                    uri: "/auth/v1/token?grant_type=password", method: .options,
                    headers: HTTPFields([origin]), body: nil)
                #expect(preflight.status == .noContent)
                #expect(preflight.headers[.accessControlAllowOrigin] == "*")
                let names = preflight.headers[.accessControlAllowHeaders]?.split(separator: ", ")
                for name in [
                    "apikey", "authorization", "content-type", "x-client-info",
                    "x-supabase-api-version",
                ] { #expect(names?.contains(Substring(name)) == true, "\(name)") }
                let methods = preflight.headers[.accessControlAllowMethods]
                #expect(methods == "GET, POST, PUT, DELETE")
                #expect(preflight.headers[.accessControlAllowCredentials] == nil)
                let refused = try await client.call(
                    "GET", "/auth/v1/user", fields: HTTPFields([origin]))
                #expect(refused.status == .unauthorized)
                #expect(refused.headers[.accessControlAllowOrigin] == "*")
                let exposed = refused.headers[.accessControlExposeHeaders]
                #expect(exposed == "X-Supabase-Api-Version, Retry-After")
                let same = try await client.call("GET", "/auth/v1/settings")
                #expect(same.headers[.accessControlAllowOrigin] == nil)
                let silent = try await client.call("OPTIONS", "/auth/v1/settings")
                #expect(silent.status == .methodNotAllowed)
            }
        }

        @Test("The address behind a proxy counts if the proxy is named", arguments: [true, false])
        func addresses(isNamed: Bool) async throws {
            let proxies = try isNamed ? TrustedProxies(["127.0.0.1", "::1"]) : .none
            let application = try await Self.application(behind: proxies) {
                $0.limits.signUps = try RateLimit(burst: 1, interval: .seconds(3600))
            }
            try await application.test(.live) { client in
                var statuses: [Int] = []
                for address in ["198.51.100.1", "198.51.100.1", "198.51.100.2"] {
                    var fields = HTTPFields()
                    if let name = HTTPField.Name("X-Forwarded-For") { fields[name] = address }
                    let answer = try await client.call(
                        "POST", "/auth/v1/signup", "{}", fields: fields)
                    statuses.append(answer.status.code)
                }
                #expect(statuses == [200, 429, isNamed ? 200 : 429])
            }
        }

        @Test("A path that the router has already is an error, and no trap")
        func twice() async throws {
            let service = try await Self.service()
            let router = Router(context: Guest.self)
            try router.addGoTrue(service)
            let error = #expect(throws: IdentityConfigurationError.self) { () throws -> Void in
                try router.addGoTrue(service)
            }
            #expect(error?.code == .contradiction)
            try router.addGoTrue(service, at: "/other/auth")
            try await Application(router: router).test(.router) { client in
                let answer = try await client.call("GET", "/other/auth/health")
                #expect(answer.status == .ok)
            }
        }

        @Test("It may be mounted at the root", arguments: ["", "/"])
        func root(path: String) async throws {
            let router = Router(context: Guest.self)
            try router.addGoTrue(await Self.service(), at: RouterPath(path))
            try await Application(router: router).test(.router) { client in
                let answer = try await client.call("GET", "/health")
                #expect(answer.status == .ok)
                let wrong = try await client.call("GET", "/auth/v1/health")
                #expect(wrong.status == .notFound)
            }
        }

        @Test("The upkeep of the service sends its codes")
        func upkeep() async throws {
            let database = try await SQLiteAccounts.inMemory()
            let service = try await Self.service(over: database)
            let (messages, sender) = WaitingSender.make()
            let upkeep = AccountUpkeep(
                of: service,
                outbox: try Outbox(database, secret: Self.secret(), sender: sender),
                logger: Logger(label: "test"))
            let router = Router(context: Guest.self)
            try router.addGoTrue(service)
            let application = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                services: [upkeep])
            try await application.test(.live) { client in
                let asked = try await client.call(
                    "POST", "/auth/v1/otp", #"{"phone":"+14155551234"}"#)
                #expect(asked.status == .ok)
                var arrived = messages.makeAsyncIterator()
                let code = try #require(await arrived.next())
                let grant = try await client.call(
                    "POST", "/auth/v1/verify",
                    #"{"type":"sms","phone":"+14155551234","token":"\#(code)"}"#)
                #expect(grant.status == .ok)
            }
        }

        private static func secret() throws -> AccountSecret {
            try AccountSecret(SecretKey(copying: [UInt8](repeating: 7, count: 32)))
        }

        private static func service(
            over database: SQLiteAccounts? = nil,
            change: (inout GoTrueOptions) throws -> Void = { _ in }
        ) async throws -> GoTrueService {
            var options = try GoTrueOptions()
            options.publishableKeys = ["sb_publishable_3kf9aJd0"]
            options.allowsGuests = true
            try change(&options)
            let issuer = try SessionTokenIssuer(
                issuer: "https://project.example/auth/v1", audience: GoTrueService.audience,
                keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600),
                clock: .still)
            let own = if let database { database } else { try await SQLiteAccounts.inMemory() }
            return try await GoTrueService.open(
                own, secret: secret(), issuer: issuer, options: options)
        }

        private static func application(
            behind proxies: TrustedProxies = .none,
            change: (inout GoTrueOptions) throws -> Void = { _ in }
        ) async throws -> some ApplicationProtocol {
            let router = Router(context: Guest.self)
            router.add(middleware: ErrorAnswers())
            try router.addGoTrue(await service(change: change), behind: proxies)
            return Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        }
    }

    /// Hands over the codes that it is to send.
    private struct WaitingSender: MessageSender {
        let codes: AsyncStream<String>.Continuation

        static func make() -> (AsyncStream<String>, WaitingSender) {
            let (stream, codes) = AsyncStream.makeStream(of: String.self)
            return (stream, WaitingSender(codes: codes))
        }

        func send(_ message: CodeMessage) async throws(AccountError) {
            codes.yield(message.code.exposedText)
        }

        func send(_ notice: NoticeMessage) async throws(AccountError) {}
    }

    extension TestClientProtocol {
        fileprivate func call(
            _ method: String, _ target: String, _ body: String? = nil, token: String? = nil,
            fields: HTTPFields = [:]
        ) async throws -> TestResponse {
            var fields = fields
            if let name = HTTPField.Name("apikey") { fields[name] = "sb_publishable_3kf9aJd0" }
            fields[.authorization] = token.map { "Bearer \($0)" }
            if body != nil { fields[.contentType] = "application/json" }
            return try await executeRequest(
                uri: target, method: HTTPRequest.Method(method) ?? .get, headers: fields,
                body: body.map { ByteBuffer(string: $0) })
        }
    }
#endif
