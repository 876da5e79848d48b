// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import SignetHummingbird
    import SignetIdentity
    import SignetJOSE
    import Testing
    import TestSupport

    @Suite("Hummingbird: the cookie of a website with Auth.js beside bearer tokens")
    struct WebsiteRouteTests {
        private static let now: Int64 = 1_800_000_000

        private let server: TestServer
        private let website: AuthJSSessions

        init() throws {
            server = try TestServer()
            website = try AuthJSSessions(
                .v5, secrets: ["c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE="],
                clock: .fixed(secondsSince1970: Double(Self.now)))
        }

        /// What the website's callback writes, and the route finds the user by.
        private struct WebsiteClaims: Codable {
            var sub = "0d5d2d4c-6c4c-4f5b-9d53-2a3b1f0c7d11"
            var account = "google|117584285732048297471"
            var exp = WebsiteRouteTests.now + 3600
        }

        private func routes() throws -> some ApplicationProtocol {
            let sessions = server.sessions
            let website = website
            let router = Router(context: GuestContext<String>.self)
            router.add(middleware: ErrorAnswers())
            let origins = try SiteOrigins([TestServer.site])
            let members = router.group("note").add(
                middleware: Authentication(
                    orWebsite: website, fromPagesOf: origins,
                    bearer: { try sessions.verify($0).subject },
                    session: { try $0.claims(as: WebsiteClaims.self).account }))
            members.get { _, context in context.signedIn ?? "" }
            members.post { _, context in context.signedIn ?? "" }
            router.group("greeting").add(
                middleware: Authentication(
                    orWebsite: website, fromPagesOf: origins, guestsAreAllowed: true,
                    bearer: { try sessions.verify($0).subject },
                    session: { try $0.claims(as: WebsiteClaims.self).account })
            ).get { _, context in context.signedIn ?? "guest" }
            return Application(router: router)
        }

        private func cookie(_ token: String) -> HTTPFields {
            [.cookie: "theme=dark; \(website.cookieName)=\(token)"]
        }

        @Test("Each token is accepted from its own source, and from no other")
        func sources() async throws {
            let web = try website.makeToken(WebsiteClaims())
            let signed = try server.sessions.issue(subject: "ada").token
            try await routes().test(.router) { client in
                let visitor = try await client.answer(.get, "/note", cookie(web))
                #expect(visitor.status == .ok)
                #expect(String(buffer: visitor.body) == "google|117584285732048297471")
                let program = try await client.answer(.post, "/note", .bearer(signed))
                #expect(program.status == .ok && String(buffer: program.body) == "ada")
                let encrypted = try await client.answer(.get, "/note", .bearer(web))
                #expect(encrypted.status == .badRequest)
                let inCookie = try await client.answer(.get, "/note", cookie(signed))
                #expect(inCookie.status == .unauthorized)
                var both = cookie(web)
                both[.authorization] = "Bearer \(signed)"
                #expect(try await client.answer(.get, "/note", both).status == .badRequest)
                both[.authorization] = "Basic dTpw"
                #expect(try await client.answer(.get, "/note", both).status == .unauthorized)
            }
        }

        @Test("The cookie changes state only for pages of the named origins")
        func crossSite() async throws {
            let web = try website.makeToken(WebsiteClaims())
            let rows: [(origins: [String], status: Int)] = [
                ([TestServer.site], 200), ([], 403), (["null"], 403),
                (["https://evil.example"], 403), ([TestServer.site, TestServer.site], 403),
            ]
            try await routes().test(.router) { client in
                for row in rows {
                    var fields = cookie(web)
                    for origin in row.origins {
                        fields.append(HTTPField(name: .origin, value: origin))
                    }
                    let answer = try await client.answer(.post, "/note", fields)
                    #expect(answer.status.code == row.status, "\(row.origins)")
                }
            }
        }

        @Test("Only a request without a token is a guest's")
        func guests() async throws {
            let web = try website.makeToken(WebsiteClaims())
            let expired = try website.makeToken(WebsiteClaims(exp: Self.now - 15))
            try await routes().test(.router) { client in
                #expect(try await client.answer(.get, "/note").status == .unauthorized)
                let guest = try await client.answer(.get, "/greeting")
                #expect(String(buffer: guest.body) == "guest")
                let late = try await client.answer(.get, "/greeting", cookie(expired))
                #expect(late.status == .unauthorized)
                let planted: HTTPFields = [
                    .cookie: "\(website.cookieName)=\(web); \(website.cookieName)=\(web)"
                ]
                let twice = try await client.answer(.get, "/greeting", planted)
                #expect(twice.status == .badRequest)
            }
        }
    }
#endif
