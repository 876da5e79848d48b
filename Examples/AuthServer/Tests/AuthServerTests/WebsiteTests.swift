// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import SignetJOSE
import Testing

/// The website's callback has asked this server for the user at the sign-in, as `World.tokens` does.
@Suite("Visitors of a website with Auth.js")
struct WebsiteTests {
    private let origin = ("Origin", World.website)

    @Test("A route answers the website's cookie and the app's token alike, for the same user")
    func sameUser() async throws {
        try await World.withWebsite { world in
            let app = try await world.tokens()
            let user = try #require(app.user?.id)
            let cookie = World.cookie(try world.websiteToken(.string(user)))

            let byToken = try await world.client.get("/v1/auth/me", token: app.access)
            let byCookie = try await world.client.get("/v1/auth/me", headers: [cookie])
            #expect(byToken.status == 200 && byCookie.status == 200)
            #expect(byToken.body == byCookie.body && byCookie.body.contains(user))

            let visit = try await world.client.post(
                "/api/visits", json: #"{"place":"London"}"#, headers: [cookie, origin])
            #expect(visit.status == 201)
            let visits = try await world.client.get("/api/visits", token: app.access)
            #expect(visits.body.contains("London"))
            #expect(try await world.users() == 1)
        }
    }

    @Test("Only the claim that the website's server writes says who it is")
    func claims() async throws {
        try await World.withWebsite { world in
            let ada = try await world.tokens()
            let user = try #require(ada.user?.id)
            let secret = "bmV3ZXItb2YtdGhlLWZpZ3VyZXMtdGhpcnR5LTIhISE="
            let refused = [
                // Ada's address, and nothing else of hers.
                try world.websiteToken(nil), try world.websiteToken(.null),
                try world.websiteToken(["id": .string(user)]),
                try world.websiteToken(.string(user + "0")),
                try world.websiteToken("ada@company.example"), try world.websiteToken(""),
                try world.websiteToken(.string(user), secret: secret),
                try world.websiteToken(.string(user), seconds: -60),
            ]
            for (number, token) in refused.enumerated() {
                let answer = try await world.client.get(
                    "/v1/auth/me", headers: [World.cookie(token)])
                #expect(answer.status == 401, "\(number)")
                #expect(answer.body == #"{"error":"Not authenticated"}"#)
            }
            // A deleted user's sessions at the website stay dead.
            let cookie = World.cookie(try world.websiteToken(.string(user)))
            let app = try await world.tokens()
            #expect(try await world.client.delete("/v1/auth/me", token: app.access).status == 204)
            for path in ["/v1/auth/me", "/api/visits"] {
                #expect(try await world.client.get(path, headers: [cookie]).status == 401)
            }
        }
    }

    @Test("Each token is read where it belongs, and a request has one")
    func sources() async throws {
        try await World.withWebsite { world in
            let app = try await world.tokens()
            let user = try #require(app.user?.id)
            let token = try world.websiteToken(.string(user))
            let rows: [(headers: [(String, String)], status: Int)] = [
                ([], 401), ([("Authorization", "Bearer \(token)")], 400),
                ([World.cookie(app.access)], 401),
                // Where browsers sign in at the website, this server has no cookie of its own.
                ([("Cookie", "__Host-session=\(app.access)")], 401),
                ([World.cookie(token), ("Authorization", "Bearer \(app.access)")], 400),
                ([World.cookie(token), World.cookie(token)], 400),
            ]
            for row in rows {
                let answer = try await world.client.get("/v1/auth/me", headers: row.headers)
                #expect(answer.status == row.status, "\(row.headers.map(\.0))")
            }
            #expect(try await world.client.get("/signin/openid").status == 404)
            #expect(try await world.client.get("/").status == 404)
        }
        try await World.with { world in
            let ada = try await world.tokens()
            let user = try #require(ada.user?.id)
            let cookie = World.cookie(try world.websiteToken(.string(user)))
            #expect(try await world.client.get("/v1/auth/me", headers: [cookie]).status == 401)
        }
    }

    @Test("The cookie changes something for the website's pages only, and ends no session here")
    func limits() async throws {
        try await World.withWebsite { world in
            let app = try await world.tokens()
            let user = try #require(app.user?.id)
            let cookie = World.cookie(try world.websiteToken(.string(user)))
            for origins in [[], [("Origin", "https://evil.example")], [("Origin", "null")]] {
                let answer = try await world.client.post(
                    "/api/visits", json: #"{"place":"London"}"#, headers: [cookie] + origins)
                #expect(answer.status == 403)
            }
            let requests = [
                ("GET", "/v1/auth/sessions"), ("DELETE", "/v1/auth/sessions/1"),
                ("POST", "/v1/auth/sign-out"), ("DELETE", "/v1/auth/me"),
            ]
            for (method, path) in requests {
                let answer = try await world.client.send(method, path, headers: [cookie, origin])
                #expect(answer.status == 403, "\(method) \(path)")
            }
            let other = try world.issuer.idToken(MintRequest(person: Person(sub: "2")))
            let linked = try await world.client.post(
                "/v1/auth/me/identities", json: #"{"idToken":"\#(other)"}"#,
                headers: [cookie, origin])
            #expect(linked.status == 403)
            #expect(try await world.visits() == 0)
            #expect(try await world.client.get("/v1/auth/me", token: app.access).status == 200)
        }
    }
}
