// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import Logging
    import SignetHummingbird
    import SignetIdentity
    import SignetJOSE
    import Testing
    import TestSupport

    @Suite("Hummingbird: sessions and cookies")
    struct SessionRouteTests {
        @Test("A cookie changes state only for pages of the named origins")
        func crossSite() async throws {
            let server = try TestServer()
            let issued = try server.sessions.issue(subject: "ada")
            let cookie: HTTPFields = [
                .cookie: "theme=dark; __Host-session=\(issued.token)"
            ]
            let rows: [(method: HTTPRequest.Method, origins: [String], status: Int)] = [
                (.get, [], 200), (.get, ["https://evil.example"], 200),
                (.post, [TestServer.site], 200), (.post, [], 403), (.post, ["null"], 403),
                (.post, ["https://evil.example"], 403),
                (.post, ["https://app.example.evil.example"], 403),
                (.post, ["http://app.example"], 403), (.post, ["https://app.example:444"], 403),
                (.post, ["https://APP.example"], 403), (.post, ["https://app.example/"], 403),
                (.post, [TestServer.site, TestServer.site], 403),
                (.post, [TestServer.site, "https://evil.example"], 403),
            ]
            try await server.sessionRoutes().test(.live) { client in
                for row in rows {
                    var fields = cookie
                    for origin in row.origins {
                        fields.append(HTTPField(name: .origin, value: origin))
                    }
                    let answer = try await client.answer(row.method, "/note", fields)
                    #expect(answer.status.code == row.status, "\(row.method) \(row.origins)")
                }
                // A page cannot make a browser send this field.
                let bearer = try await client.answer(.post, "/note", .bearer(issued.token))
                #expect(bearer.status == .ok)
                var both = cookie
                both[.authorization] = "Bearer \(issued.token)"
                #expect(try await client.answer(.post, "/note", both).status == .ok)
                let second = try server.sessions.issue(subject: "grace").token
                both[.authorization] = "Bearer \(second)"
                let conflict = try await client.answer(.get, "/note", both)
                #expect(conflict.status == .badRequest)
                #expect(String(buffer: conflict.body) == #"{"status":400}"#)
                let none = try await client.answer(.post, "/note", [.origin: TestServer.site])
                #expect(none.status == .unauthorized)
            }
        }

        @Test("A cookie opens a WebSocket only for pages of the named origins")
        func webSockets() async throws {
            let server = try TestServer()
            let issued = try server.sessions.issue(subject: "ada")
            let upgrade: HTTPFields = [
                .cookie: "__Host-session=\(issued.token)", .upgrade: "websocket",
            ]
            let rows: [(origins: [String], status: Int)] = [
                ([TestServer.site], 200), ([], 403), (["null"], 403),
                (["https://evil.example"], 403), ([TestServer.site, TestServer.site], 403),
            ]
            try await server.sessionRoutes().test(.router) { client in
                for row in rows {
                    var fields = upgrade
                    for origin in row.origins {
                        fields.append(HTTPField(name: .origin, value: origin))
                    }
                    let answer = try await client.answer(.get, "/note", fields)
                    #expect(answer.status.code == row.status, "\(row.origins)")
                }
                var bearer: HTTPFields = .bearer(issued.token)
                bearer[.upgrade] = "websocket"
                #expect(try await client.answer(.get, "/note", bearer).status == .ok)
            }
        }

        @Test("The documents for other services are served: keys and metadata")
        func documents() async throws {
            let server = try TestServer()
            let token = try server.sessions.issue(subject: "ada").token
            try await server.sessionRoutes().test(.live) { client in
                let first = try await client.answer(.get, "/.well-known/jwks.json")
                #expect(first.headers[.cacheControl] == "public, max-age=300")
                let keys = try KeySet(jwks: Array(buffer: first.body))
                let verifier = try TokenVerifier(
                    keys: keys,
                    policy: TokenPolicy(
                        issuer: "https://api.example", audience: ["session"], clock: .still))
                #expect(try verifier.verify(token).keyID != nil)
                let next = try server.sessions.issuer.keys.rotated(
                    to: .generate(.es256), earlierUntil: nil)
                try server.sessions.use(next)
                let second = try await client.answer(.get, "/.well-known/jwks.json")
                #expect(try KeySet(jwks: Array(buffer: second.body)).keys.count == 2)
                let old = try await client.answer(.get, "/note", .bearer(token))
                #expect(old.status == .ok)
                let metadata = try await client.answer(
                    .get, "/.well-known/oauth-protected-resource")
                #expect(
                    String(buffer: metadata.body).contains(#""resource":"https://api.example""#))
            }
        }

        @Test("Unreadable keys change nothing, and readable ones replace the current ones")
        func reading() async throws {
            let server = try TestServer()
            let before = server.sessions.issuer.keys.currentKeyID
            let log = server.log
            let logger = Logger(label: "keys") { _ in log }
            let broken = KeyReading(
                into: server.sessions, every: .milliseconds(1), logger: logger
            ) { throw IdentityConfigurationError(.invalidKeys, "unreadable") }
            let failing = Task { try await broken.run() }
            while log.lines.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            failing.cancel()
            try await failing.value
            #expect(server.sessions.issuer.keys.currentKeyID == before)
            #expect(log.lines.first?.contains("code=invalidKeys") == true)

            let next = try server.sessions.issuer.keys.rotated(
                to: .generate(.es256), earlierUntil: nil)
            let good = KeyReading(into: server.sessions, every: .milliseconds(1), logger: logger) {
                next
            }
            let taking = Task { try await good.run() }
            while server.sessions.issuer.keys.currentKeyID == before {
                try await Task.sleep(for: .milliseconds(1))
            }
            taking.cancel()
            try await taking.value
            #expect(server.sessions.issuer.keys.currentKeyID == next.currentKeyID)
        }
    }
#endif
