// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import SignetHummingbird
    import SignetIdentity
    import SignetJOSE
    import SignetBase
    import TestSupport
    import Testing

    @Suite("Hummingbird: access tokens")
    struct AccessTokenRouteTests {
        private struct Answered: Equatable, CustomStringConvertible {
            var status: Int
            var challenge: String?
            var body: String
            var description: String { "\(status) \(challenge ?? "-") \(body)" }

            init(_ status: Int, _ challenge: String? = nil, _ body: String) {
                (self.status, self.challenge, self.body) = (status, challenge, body)
            }

            init(_ response: TestResponse) {
                self.init(
                    response.status.code, response.headers[.wwwAuthenticate],
                    String(buffer: response.body))
            }
        }

        private static let invalid = Answered(
            401, "Bearer error=\"invalid_token\"", #"{"error":"Not authenticated"}"#)
        private static let unauthenticated = Answered(
            401, "Bearer", #"{"error":"Not authenticated"}"#)

        @Test("Each route admits only permitted callers", arguments: [TestingSetup.router, .live])
        func access(_ setup: TestingSetup) async throws {
            let server = try TestServer()
            let good = try server.accessToken()
            let writer = try server.accessToken(scope: "write read")
            let other = try server.accessToken(for: "https://other.example")
            let forbidden = Answered(403, nil, #"{"error":"Forbidden"}"#)
            let rows: [(path: String, token: String?, answer: Answered)] = [
                ("/me", good, Answered(200, nil, "user ada")), ("/me", nil, Self.unauthenticated),
                ("/me", other, Self.invalid), ("/me", "x", Self.invalid),
                ("/me", String(good.dropLast(2)), Self.invalid),
                ("/greeting", good, Answered(200, nil, "Hello, user ada")),
                ("/greeting", nil, Answered(200, nil, "Hello, guest")),
                ("/greeting", other, Self.invalid),
                ("/write", writer, Answered(200, nil, "written")),
                (
                    "/write", good,
                    Answered(
                        403, "Bearer error=\"insufficient_scope\", scope=\"read write\"",
                        #"{"error":"Forbidden"}"#)
                ),
                ("/admin", good, forbidden), ("/own", good, forbidden),
                ("/open", good, Self.unauthenticated), ("/open", nil, Self.unauthenticated),
                ("/nowhere", good, Answered(404, nil, #"{"error":"Not found"}"#)),
                ("/broken", good, Answered(500, nil, #"{"error":"Internal server error"}"#)),
                ("/teapot", nil, Answered(418, nil, #"{"error":"Request not accepted"}"#)),
            ]
            try await server.accessRoutes().test(setup) { client in
                for row in rows {
                    let fields: HTTPFields = row.token.map { .bearer($0) } ?? [:]
                    let answer = Answered(try await client.answer(.get, row.path, fields))
                    #expect(answer == row.answer, "\(row.path) \(row.token ?? "-")")
                }
            }
        }

        @Test(
            "A token that is bound to its sender is 401, from Authorization and from a cookie",
            arguments: ConfirmationShape.all)
        func bound(_ shape: ConfirmationShape) async throws {
            let server = try TestServer()
            let token = try TokenSigner(key: server.key, type: "at+jwt", clock: .still).sign(
                shape.added(to: [
                    "iss": "https://idp.example", "aud": "https://api.example", "sub": "ada",
                    "jti": "1", "client_id": "c",
                ]), lifetime: .seconds(60))
            try await server.accessRoutes().test(.router) { client in
                for (path, good) in [("/me", "user ada"), ("/greeting", "Hello, user ada")] {
                    let answer = Answered(try await client.answer(.get, path, .bearer(token)))
                    #expect(answer == (shape.isBound ? Self.invalid : Answered(200, nil, good)))
                }
            }
            let session = try server.sessions.issuer.issue(
                subject: "ada", claims: shape.added(to: [:]))
            try await server.sessionRoutes().test(.router) { client in
                let fields: HTTPFields = [.cookie: "__Host-session=\(session.token)"]
                let answer = try await client.answer(.get, "/note", fields)
                #expect(answer.status.code == (shape.isBound ? 401 : 200))
            }
        }

        @Test("A token whose key may just have been replaced is 503 with Retry-After")
        func replacedKey() async throws {
            // The issuer's first and second, and a stranger's.
            let keys = try (0..<3).map { _ in try SigningKey.generate(.es256, keyID: "one") }
            let (old, new) = (keys[0], keys[1])
            let transport = FakeTransport(body: try KeySet([old.verificationKey]).jwksJSON())
            let clock = ManualClock()
            var options = KeySetOptions()
            options.algorithms = [.es256]
            options.clock = clock.source
            let published = try RemoteKeySet(
                issuer: "https://idp.example",
                location: .keySet(EndpointURL("https://idp.example/keys")), transport: transport,
                options: options)
            let server = try TestServer(keys: .shared(published))
            let fields = try keys.map { HTTPFields.bearer(try server.accessToken(of: $0)) }
            try await server.accessRoutes().test(.router) { client in
                #expect(try await client.answer(.get, "/me", fields[0]).status == .ok)
                #expect(try await client.answer(.get, "/me", fields[2]).status == .unauthorized)
                transport.set(.body(try KeySet([new.verificationKey]).jwksJSON()))
                for field in [fields[1], fields[2]] {
                    let answer = try await client.answer(.get, "/me", field)
                    #expect(answer.status == .serviceUnavailable)
                    #expect(answer.headers[.retryAfter] == "30")
                }
                clock.advance(by: .seconds(30))
                #expect(try await client.answer(.get, "/me", fields[1]).status == .ok)
            }
        }

        @Test("A malformed Authorization field is 400, an overlong body 413")
        func forms() async throws {
            let server = try TestServer()
            let good = try server.accessToken()
            try await server.accessRoutes().test(.live) { client in
                var twice = HTTPFields.bearer(good)
                twice.append(.init(name: .authorization, value: "Bearer \(good)"))
                for fields in [twice, [.authorization: "Bearer \t\(good)"]] {
                    let answer = try await client.answer(.get, "/me", fields)
                    #expect(answer.status == .badRequest)
                    #expect(
                        answer.headers[.wwwAuthenticate] == "Bearer error=\"invalid_request\"")
                }
                // RFC 9110, section 11.4: one or more spaces.
                let blanks = try await client.answer(
                    .get, "/me", [.authorization: "Bearer   \(good)"])
                #expect(blanks.status == .ok)
                let basic = try await client.answer(
                    .get, "/greeting", [.authorization: "Basic eA=="])
                #expect(basic.status == .unauthorized)
                let long = try await client.answer(.post, "/small", body: "12345")
                #expect(long.status == .contentTooLarge)
            }
        }

        @Test("A client is refused on routes that do not say otherwise, also one named like a user")
        func clients() async throws {
            let server = try TestServer()
            let user = try server.accessToken()
            let forbidden = Answered(403, nil, #"{"error":"Forbidden"}"#)
            try await server.accessRoutes().test(.router) { client in
                for token in [
                    try server.clientToken("ada"), try server.clientToken("ada", inSubject: true),
                ] {
                    for path in ["people", "people-asked", "people-guests"] {
                        let answer = Answered(try await client.answer(.get, path, .bearer(token)))
                        #expect(answer == forbidden, "\(path)")
                    }
                    for path in ["sync", "sync-asked"] {
                        let answer = Answered(try await client.answer(.get, path, .bearer(token)))
                        #expect(answer == Answered(200, nil, "client ada"), "\(path)")
                    }
                }
                for path in ["people", "people-asked", "people-guests", "sync", "sync-asked"] {
                    let answer = Answered(try await client.answer(.get, path, .bearer(user)))
                    #expect(answer == Answered(200, nil, "user ada"), "\(path)")
                }
                // Without the switch of the profile, a token without `sub` is no token.
                let without = Answered(
                    try await client.answer(
                        .get, "/me", .bearer(try server.clientToken("ada"))))
                #expect(without == Self.invalid)
                let named = Answered(
                    try await client.answer(
                        .get, "/me", .bearer(try server.clientToken("ada", inSubject: true))))
                #expect(named == forbidden)
            }
            #expect(server.log.lines.contains { $0.contains("code=ClientNotAllowed") })
        }

        @Test("The log has the reason, and nothing from the request")
        func log() async throws {
            let server = try TestServer()
            let token = try server.accessToken(for: "https://other.example")
            try await server.accessRoutes().test(.live) { client in
                for path in ["/me", "/broken", "/teapot", "/nowhere/s3cret"] {
                    _ = try await client.answer(.get, path, .bearer(token))
                }
            }
            let lines = server.log.lines.filter { $0.utf8.count > 0 && $0.contains("refused") }
            #expect(
                lines == [
                    #"info request refused ["claim=aud", "code=audienceMissing", "#
                        + #""route=/me", "status=401"]"#,
                    #"error request refused ["code=Unexpected", "route=/broken", "status=500"]"#,
                    #"info request refused ["code=status418", "route=/teapot", "status=418"]"#,
                    #"info request refused ["code=notFound", "route=NotFound", "status=404"]"#,
                ])
            for line in server.log.lines {
                #expect(!line.contains("s3cret") && !line.contains(token))
            }
        }
    }
#endif
