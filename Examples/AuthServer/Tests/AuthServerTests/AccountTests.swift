// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import SignetAccounts
import SignetJOSE
import Testing

@Suite("The account of a signed-in person")
struct AccountTests {
    @Test("/v1/auth/me tells who has signed in, and no cache stores it")
    func tellsWhoHasSignedIn() async throws {
        try await World.with { world in
            let ada = try await world.signIn()
            let me = try await world.client.get("/v1/auth/me", token: ada.sessionToken)
            let id = try UnverifiedClaims(ada.sessionToken).sub
            let time = try me.json(Me.self).user.createdAt
            #expect(me.status == 200)
            #expect(
                me.body == """
                    {"profile":{"favorite_teams":[],"first_name":"Ada"},"user":\
                    {"avatar_url":"https://pictures.example/ada","created_at":\(time),\
                    "display_name":"Ada Lovelace","email":"ada@company.example",\
                    "email_verified":true,"full_name":"Ada Lovelace","id":"\(id)",\
                    "is_guest":false,"needs_profile":false,"updated_at":\(time)}}
                    """)
            #expect(me.header("cache-control") == "no-store")
        }
    }

    @Test("A token with fewer claims deletes nothing from the account")
    func aTokenWithFewerClaimsDeletesNothing() async throws {
        try await World.with { world in
            let first = try await world.signIn()
            let again = try await world.signIn(Person(sub: Person.ada.sub))
            #expect(again.user.id == first.user.id)
            #expect(again.user.email == Person.ada.email && again.user.name == Person.ada.name)
            #expect(again.user.image == Person.ada.picture)
            let renamed = try await world.signIn(
                Person(sub: Person.ada.sub, email: "ada@other.example", name: "Ada King"))
            #expect(renamed.user.email == "ada@other.example" && renamed.user.name == "Ada King")
            #expect(renamed.user.image == Person.ada.picture)
        }
    }

    @Test("A person without name or address can sign in and change the profile")
    func aMissingProfileIsAccepted() async throws {
        try await World.with { world in
            let nobody = try await world.signIn(Person(sub: "5")).sessionToken
            let me = try await world.client.get("/v1/auth/me", token: nobody)
            #expect(me.status == 200)
            #expect(me.body.hasPrefix(#"{"profile":{"favorite_teams":[]},"user":{"created_at":"#))
            #expect(me.body.contains(#""display_name":"Me""#))
            #expect(me.body.contains(#""needs_profile":true"#))
            let changed = try await world.client.send(
                "PATCH", "/v1/auth/me",
                headers: [
                    ("Content-Type", "application/json"), ("Authorization", "Bearer \(nobody)"),
                ], body: .whole(#"{"favorite_teams":["Lions","Ü","a\u0000b"]}"#))
            #expect(changed.status == 200)
            #expect(changed.body.hasPrefix(#"{"profile":{"favorite_teams":["Lions","Ü","ab"]}"#))
        }
    }

    @Test("A change of name and teams is made whole, or not at all")
    func aChangeIsMadeWhole() async throws {
        try await World.with { world in
            let ada = try await world.signIn().sessionToken
            let before = try await world.client.get("/v1/auth/me", token: ada).body
            // The second write fails.
            try await world.run("ALTER TABLE app_teams RENAME TO away")
            let change = #"{"full_name":"Ada King","favorite_teams":["Lions"]}"#
            #expect(try await world.patch(change, token: ada).status >= 500)
            try await world.run("ALTER TABLE away RENAME TO app_teams")
            #expect(try await world.client.get("/v1/auth/me", token: ada).body == before)
            #expect(try await world.patch(change, token: ada).status == 200)
        }
    }

    @Test("Deleting an account ends all its sessions, and no one else's")
    func deletingAnAccountEndsAllItsSessions() async throws {
        try await World.with { world in
            let first = try await world.signIn()
            let second = try await world.signIn()
            let other = try await world.signIn(Person(sub: "2", email: "bob@company.example"))
            _ = try await world.client.post(
                "/api/visits", json: #"{"place":"London"}"#, token: first.sessionToken)

            let deleted = try await world.client.delete("/v1/auth/me", token: first.sessionToken)
            #expect(deleted.status == 204 && deleted.body.isEmpty)
            for token in [first.sessionToken, second.sessionToken] {
                for path in ["/v1/auth/me", "/api/visits"] {
                    let answer = try await world.client.get(path, token: token)
                    #expect(answer.status == 401)
                    #expect(answer.body == #"{"error":"Not authenticated"}"#)
                    #expect(answer.header("www-authenticate") == #"Bearer error="invalid_token""#)
                }
            }
            #expect(world.log.events("request refused").last?["code"] == "sessionEnded")
            #expect(
                try await world.client.delete("/v1/auth/me", token: first.sessionToken).status
                    == 401)
            #expect(
                try await world.client.get("/v1/auth/me", token: other.sessionToken).status == 200)
            #expect(try await world.users() == 1)
            #expect(try await world.run("SELECT user_id FROM signet_profiles").count == 1)
            #expect(try await world.sessions() == 1)
            #expect(try await world.visits() == 0)

            // A person who comes back gets a new account: the tokens of the old one stay dead.
            let again = try await world.signIn()
            #expect(
                try await world.client.get("/v1/auth/me", token: again.sessionToken).status == 200)
            #expect(
                try await world.client.get("/v1/auth/me", token: first.sessionToken).status == 401)
        }
    }

    @Test("A revoked session leaves the person's other sessions")
    func aRevokedSessionLeavesTheOthers() async throws {
        try await World.with { world in
            let first = try await world.signIn()
            let second = try await world.signIn()
            let sid = try UnverifiedClaims(first.sessionToken).sid
            try await world.run("DELETE FROM signet_sessions WHERE id = $1", values: [.text(sid)])
            #expect(
                try await world.client.get("/v1/auth/me", token: first.sessionToken).status == 401)
            #expect(
                try await world.client.get("/v1/auth/me", token: second.sessionToken).status == 200)
        }
    }

    @Test("A session ends after 30 days")
    func aSessionEndsAfterThirtyDays() async throws {
        try await World.with { world in
            let ada = try await world.signIn()
            world.clock.advance(by: 2_592_000 - 60)
            #expect(
                try await world.client.get("/v1/auth/me", token: ada.sessionToken).status == 200)
            world.clock.advance(by: 120)
            #expect(
                try await world.client.get("/v1/auth/me", token: ada.sessionToken).status == 401)
        }
    }

    @Test("While the store fails, a signed-in person gets 500 or 503, never 401")
    func theStoreFails() async throws {
        try await World.with { world in
            let token = try await world.signIn().sessionToken
            #expect(try await world.client.get("/v1/auth/me", token: token).status == 200)
            let answers: [(AccountError.Code, Int, String)] = [
                (.corrupt, 500, "Internal server error"),
                // An unreachable store does not mean that someone is not signed in.
                (.unavailable, 503, "Not available at the moment"),
            ]
            for (code, status, text) in answers {
                world.database.failure = code
                for answer in [
                    try await world.client.get("/v1/auth/me", token: token),
                    try await world.client.delete("/v1/auth/me", token: token),
                    try await world.client.get("/api/visits", token: token),
                    try await world.client.post(
                        "/api/visits", json: #"{"place":"x"}"#, token: token),
                ] {
                    #expect(answer.status == status && answer.body == #"{"error":"\#(text)"}"#)
                }
                try await world.eventually {
                    try await world.client.get("/health").status == 503
                }
            }
            world.database.failure = nil
            #expect(try await world.client.get("/v1/auth/me", token: token).status == 200)
            try await world.eventually { try await world.client.get("/health").status == 200 }
        }
    }

    @Test("A visit belongs to the signed-in user, and a malformed place is refused")
    func visitsBelongToTheSignedInUser() async throws {
        try await World.with { world in
            let ada = try await world.signIn().sessionToken
            let bob = try await world.signIn(Person(sub: "2")).sessionToken
            for method in ["GET", "POST"] {
                let answer = try await world.client.send(method, "/api/visits")
                #expect(answer.status == 401 && answer.header("www-authenticate") == "Bearer")
            }
            let made = try await world.client.post(
                "/api/visits", json: #"{"place":"London"}"#, token: ada)
            #expect(made.status == 201 && made.body.contains(#""place":"London""#))
            #expect(try await world.client.get("/api/visits", token: ada).body.contains("London"))
            #expect(try await world.client.get("/api/visits", token: bob).body == #"{"visits":[]}"#)
            for body in [
                "{}", #"{"place":""}"#, #"{"place":1}"#, "{",
                #"{"place":"\#(String(repeating: "a", count: 201))"}"#,
            ] {
                #expect(
                    try await world.client.post("/api/visits", json: body, token: ada).status == 400
                )
            }
        }
    }

    /// One person cannot fill the disk. Reaching the limit loses nothing: existing visits stay.
    @Test("A person has at most 1,000 visits, and others may still add theirs")
    func aPersonsVisitsAreBounded() async throws {
        try await World.with { world in
            let ada = try await world.signIn().sessionToken
            let bob = try await world.signIn(Person(sub: "2")).sessionToken
            try await world.run(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
                INSERT INTO app_visits (id, user_id, place, at)
                SELECT 'v' || i, user_id, 'place', 1 FROM n, signet_identities
                WHERE subject = '110000000000000000001'
                """)
            func add(_ token: String) async throws -> WebAnswer {
                try await world.client.post(
                    "/api/visits", json: #"{"place":"London"}"#, token: token)
            }
            #expect(try await add(ada).status == 201)
            for _ in 0..<2 {
                let full = try await add(ada)
                #expect(full.status == 409)
            }
            #expect(try await add(bob).status == 201)
            #expect(try await world.visits() == 1_001)
        }
    }

    @Test("Health is reported, and an unknown route is 404")
    func healthAndUnknownRoutesAreAnswered() async throws {
        try await World.with { world in
            let health = try await world.client.get("/health")
            #expect(health.status == 200 && health.body == #"{"status":"ok"}"#)
            for (method, path) in [
                ("GET", "/nothing"), ("GET", "/bench/open"), ("PUT", "/v1/auth/me"),
                ("GET", "/v1/auth/me/x"),
                ("GET", World.signInPath),
            ] {
                let answer = try await world.client.send(method, path)
                #expect(
                    answer.status == 404 && answer.body == #"{"error":"Not found"}"#,
                    "\(method) \(path)")
            }
        }
    }

    /// It would be cut: the answer said `a\u{0}b`, and the list `a`.
    @Test("A place with a NUL is refused")
    func aPlaceWithANULIsRefused() async throws {
        try await World.with { world in
            let token = try await world.signIn().sessionToken
            let answer = try await world.client.post(
                "/api/visits", json: #"{"place":"a\u0000b"}"#, token: token)
            #expect(answer.status == 400)
            #expect(try await world.visits() == 0)
        }
    }
}

struct Me: Decodable, Sendable {
    struct User: Decodable, Sendable {
        let createdAt: Double
        private enum CodingKeys: String, CodingKey { case createdAt = "created_at" }
    }

    let user: User
}
