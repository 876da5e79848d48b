// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetAccounts
import SignetJOSE
import Testing

/// Guests, refresh tokens, sessions, the profile.
@Suite("The routes for apps that refresh")
struct TokenRouteTests {
    @Test("With allowed domains, codes and guests are off and other domains are 403")
    func onlyAllowedDomainsSignIn() async throws {
        let options = World.Options(settings: ["AUTH_ALLOWED_DOMAINS": "company.example"])
        try await World.with(options) { world in
            for path in ["codes", "codes/verify", "guest"] {
                let answer = try await world.client.post(
                    "/v1/auth/" + path, json: #"{"phone":"+14155551234","code":"123456"}"#)
                #expect(answer.status == 404)
            }
            let ada = try await world.tokens()
            let stranger = try world.issuer.idToken(
                MintRequest(person: Person(sub: "9", email: "eve@gmail.com")))
            for (path, token) in [("id-token", nil), ("me/identities", ada.access)] {
                let answer = try await world.client.post(
                    "/v1/auth/" + path, json: #"{"idToken":"\#(stranger)"}"#, token: token)
                #expect(answer.status == 403)
            }
            #expect(try await world.users() == 1)
        }
    }

    @Test("A refresh token is good once, and its reuse ends the session")
    func aRefreshTokenIsGoodOnce() async throws {
        try await World.with { world in
            let first = try await world.tokens()
            let body = #"{"refresh_token":"\#(first.refresh)"}"#
            let second = try await world.tokens("/v1/auth/refresh", body)
            // A client that missed the answer gets the same successor.
            #expect(try await world.tokens("/v1/auth/refresh", body).refresh == second.refresh)
            _ = try await world.tokens(
                "/v1/auth/refresh", #"{"refresh_token":"\#(second.refresh)"}"#)
            try await world.run("UPDATE signet_used_refresh_tokens SET used_at = used_at - 60000")
            for token in [first.refresh, second.refresh, "srt_nonsense", ""] {
                let answer = try await world.client.post(
                    "/v1/auth/refresh", json: #"{"refresh_token":"\#(token)"}"#)
                #expect(answer.status == 400 && answer.body == #"{"error":"invalid_grant"}"#)
            }
            // A damaged request says nothing about the session.
            for (body, wrong) in [
                ("", nil), (#"{"refresh_token":"#, nil), ("[]", nil),
                (#"{"nonsense":1}"#, "The member refresh_token is missing."),
                (#"{"refresh_token":7}"#, "The member refresh_token is not valid."),
            ] {
                let answer = try await world.client.post("/v1/auth/refresh", json: body)
                let description = wrong.map { #","error_description":"\#($0)""# } ?? ""
                #expect(
                    answer.status == 400
                        && answer.body == #"{"error":"invalid_request"\#(description)}"#)
            }
            // Reuse has ended the session, access tokens included.
            #expect(try await world.client.get("/v1/auth/me", token: second.access).status == 401)
        }
    }

    @Test("Signing out ends this session, all, all others, or one of the list")
    func signingOutHereEverywhereAndEverywhereElse() async throws {
        try await World.with { world in
            func areIn(_ tokens: Tokens...) async throws -> [Bool] {
                var answers: [Bool] = []
                for token in tokens.map(\.access) {
                    let answer = try await world.client.get("/v1/auth/me", token: token)
                    answers.append(answer.status == 200)
                }
                return answers
            }
            func signOut(_ tokens: Tokens, _ query: String) async throws -> WebAnswer {
                try await world.client.post(
                    "/v1/auth/sign-out" + query, json: "{}", token: tokens.access)
            }
            let a = try await world.tokens()
            let b = try await world.tokens()
            let c = try await world.tokens()
            struct List: Decodable {
                struct Session: Decodable { let id: String }
                let current: String
                let sessions: [Session]
            }
            let list = try await world.client.get("/v1/auth/sessions", token: a.access)
                .json(List.self)
            #expect(list.sessions.count == 3 && list.sessions.map(\.id).contains(list.current))
            #expect(try await signOut(a, "?scope=nonsense").status == 400)
            #expect(try await signOut(a, "").status == 204)
            #expect(try await areIn(a, b, c) == [false, true, true])
            #expect(try await signOut(b, "?scope=others").status == 204)
            #expect(try await areIn(b, c) == [true, false])
            let d = try await world.tokens()
            let all = try await signOut(d, "?scope=all")
            #expect(all.header("set-cookie")?.contains("Max-Age=0") == true)
            #expect(try await areIn(b, d) == [false, false])

            // Ends one session of the list, and no one else's.
            let e = try await world.tokens()
            let f = try await world.tokens()
            let bob = try await world.tokens(Person(sub: "2"))
            let path = "/v1/auth/sessions/" + (try UnverifiedClaims(f.access).sid)
            #expect(try await world.client.delete(path, token: bob.access).status == 404)
            #expect(try await areIn(f) == [true])
            #expect(try await world.client.delete(path, token: e.access).status == 204)
            #expect(try await areIn(e, f) == [true, false])
        }
    }

    @Test("A guest becomes an account and keeps its visits")
    func aGuestBecomesAnAccount() async throws {
        try await World.with { world in
            let guest = try await world.tokens("/v1/auth/guest", "{}")
            #expect(guest.user?.isGuest == true)
            _ = try await world.client.post(
                "/api/visits", json: #"{"place":"London"}"#, token: guest.access)
            let bob = try await world.tokens(Person(sub: "2"))
            func link(_ person: Person, _ tokens: Tokens) async throws -> WebAnswer {
                let token = try world.issuer.idToken(MintRequest(person: person))
                return try await world.client.post(
                    "/v1/auth/me/identities", json: #"{"idToken":"\#(token)"}"#,
                    token: tokens.access)
            }
            // Another person's identity is not linked.
            #expect(try await link(Person(sub: "2"), guest).status == 409)
            #expect(try await link(.ada, guest).status == 200)
            let ada = try await world.tokens()
            #expect(ada.user?.id == guest.user?.id && bob.user?.id != guest.user?.id)
            #expect(
                try await world.client.get("/api/visits", token: ada.access).body.contains("London")
            )
        }
    }

    @Test("A profile keeps the user's own values, and a username belongs to one user")
    func theProfileIsTheUsersOwn() async throws {
        try await World.with { world in
            let ada = try await world.tokens()
            let bob = try await world.tokens(Person(sub: "2"))
            let changed = try await world.patch(
                #"{"full_name":" Ada King ","display_name":"Ada","username":"Ada.King","avatar_url":""}"#,
                token: ada.access)
            #expect(changed.status == 200)
            for member in [
                #""full_name":"Ada King""#, #""display_name":"Ada""#, #""username":"Ada.King""#,
                #""first_name":"Ada""#,
            ] { #expect(changed.body.contains(member)) }
            #expect(!changed.body.contains("avatar_url"))
            // A later token does not undo it.
            _ = try await world.tokens()
            let me = try await world.client.get("/v1/auth/me", token: ada.access)
            #expect(me.body.contains(#""full_name":"Ada King""#) && !me.body.contains("avatar_url"))

            func isFree(_ name: String) async throws -> WebAnswer {
                try await world.client.get("/v1/auth/usernames/\(name)", token: bob.access)
            }
            #expect(try await isFree("ada.KING").body == #"{"free":false}"#)
            #expect(try await isFree("bob").body == #"{"free":true}"#)
            #expect(try await isFree("a").status == 400)
            #expect(
                try await world.patch(#"{"username":"ADA.king"}"#, token: bob.access).status == 409)
            for bad in [
                #"{"full_name":"\u200b"}"#, #"{"username":"admin"}"#, #"{"full_name":7}"#, "[]",
                #"{"avatar_url":"javascript:alert(1)"}"#, #"{"avatar_url":"http://localhost/a"}"#,
                #"{"full_name":"\#(String(repeating: "a", count: 101))"}"#,
            ] { #expect(try await world.patch(bad, token: bob.access).status == 400, "\(bad)") }
        }
    }
}
