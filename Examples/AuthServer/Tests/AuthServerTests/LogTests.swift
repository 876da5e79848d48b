// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import DevIssuer
import Foundation
import SignetJOSE
import Testing

@Suite("The server's log")
struct LogTests {
    @Test("A request keeps its X-Request-Id if it is well-formed, or gets a new one")
    func aRequestKeepsItsName() async throws {
        try await World.with { world in
            let given = try await world.client.get(
                "/health", headers: [("X-Request-Id", "gateway-0001.A_b")])
            #expect(given.header("x-request-id") == "gateway-0001.A_b")
            #expect(world.log.events("answered").last?["request_id"] == "gateway-0001.A_b")
            var made = Set<String>()
            for odd in [
                "short", "a b c d e f", "ada@company.example", "\"},{\"x\":\"",
                String(repeating: "a", count: 65), "äöüäöüäöü",
            ] {
                let answer = try await world.client.get("/health", headers: [("X-Request-Id", odd)])
                let name = try #require(answer.header("x-request-id"))
                #expect(name != odd && name.utf8.count == 32)
                made.insert(name)
            }
            let twice = try await world.client.get(
                "/health",
                headers: [("X-Request-Id", "gateway-0001"), ("X-Request-Id", "gateway-0002")])
            #expect(twice.header("x-request-id")?.utf8.count == 32)
            #expect(made.count == 6)
        }
    }

    @Test("An error is logged under the request's name, an unknown path under NotFound")
    func errorsHaveRequestNamesToo() async throws {
        try await World.with { world in
            let answer = try await world.presents("hello")
            let name = try #require(answer.header("x-request-id"))
            #expect(world.log.events("request refused").last?["request_id"] == name)
            #expect(world.log.events("answered").last?["status"] == "401")
            _ = try await world.client.get("/somewhere/else?token=abc")
            #expect(world.log.events("answered").last?["route"] == "NotFound")
        }
    }

    @Test("A refusal is logged with its reason, member and route")
    func aRefusalNamesItsReasonItsMemberAndItsRoute() async throws {
        try await World.with { world in
            func refusal(
                _ path: String, _ body: String, type: String = "application/json"
            ) async throws -> [String?] {
                _ = try await world.client.send(
                    "POST", path, headers: [("Content-Type", type)], body: .whole(body))
                let event = try #require(world.log.events("request refused").last)
                return [event["code"], event["member"], event["route"]]
            }
            let codes = "/v1/auth/codes"
            let refresh = "/v1/auth/refresh"
            #expect(
                try await refusal(refresh, #"{"token":"s3cret"}"#)
                    == ["missingMember", "refresh_token", refresh])
            #expect(
                try await refusal(codes, #"{"phone":7}"#) == ["typeMismatch", "phone", codes])
            #expect(try await refusal(codes, "{") == ["malformed", nil, codes])
            #expect(
                try await refusal(codes, "{}", type: "text/plain")
                    == ["unsupportedMediaType", nil, codes])
            #expect(try await refusal("/nowhere", "{}") == ["notFound", nil, "NotFound"])
            let signIn = World.signInPath
            #expect(
                try await refusal(signIn, #"{"idToken":""}"#) == [
                    "missingMember", "idToken", signIn,
                ]
            )
            // Of an access token: what is wrong with it, beneath the one answer for all.
            let tokens = try await world.tokens()
            world.clock.advance(by: 4_000)
            #expect(try await world.client.get("/v1/auth/me", token: tokens.access).status == 401)
            let expired = try #require(world.log.events("request refused").last)
            #expect(expired["code"] == "invalidToken.expired" && expired["claim"] == "exp")
        }
    }

    /// No token or part of one, no address, name or subject at any log level, Hummingbird's own
    /// lines included.
    @Test("The log holds no secrets and no personal data")
    func theLogHoldsNoSecretsAndNoPersonalData() async throws {
        try await World.with(World.Options(settings: ["AUTH_ALLOWED_DOMAINS": "company.example"])) {
            world in
            var person = Person.ada
            person.sub = "118888888888888888881"
            person.name = "Ottoline Quux-Zebedee"
            person.givenName = "Ottoline"
            person.email = "ottoline.quux@company.example"
            var stranger = person
            stranger.email = "ottoline.quux@elsewhere.example"
            let idToken = try world.issuer.idToken(MintRequest(person: person))
            let refused = try world.issuer.idToken(
                MintRequest(person: person, claims: ["aud": .string("other-audience-x")]))
            let impostor = try world.issuer.idToken(MintRequest(person: person, key: .impostor))
            let session = try await world.signIn(person).sessionToken
            _ = try await world.presents(refused)
            _ = try await world.presents(impostor)
            _ = try await world.presents(try world.issuer.idToken(MintRequest(person: stranger)))
            _ = try await world.client.get("/v1/auth/me", token: session)
            _ = try await world.client.get("/v1/auth/me?token=\(session)")
            _ = try await world.client.get("/\(session)", token: session)
            _ = try await world.client.get("/v1/auth/me", token: session + "x")
            _ = try await world.client.get("/v1/auth/me", token: idToken)
            _ = try await world.client.post(
                "/api/visits", json: #"{"place":"Zanzibar-Street"}"#, token: session)
            _ = try await world.client.send("OTTOLINE", "/x")
            _ = try await world.client.delete("/v1/auth/me", token: session)
            var secrets = [
                "118888888888888888881", "Ottoline", "OTTOLINE", "Quux", "Zebedee", "ottoline",
                "company.example",
                "elsewhere.example", "other-audience-x", "pictures.example", "Zanzibar", "eyJ",
            ]
            for token in [idToken, refused, impostor, session] {
                secrets += token.split(separator: ".").map(String.init)
            }
            let lines = world.log.lines
            #expect(lines.count > 20)
            for secret in secrets {
                #expect(
                    !lines.contains { $0.contains(secret) },
                    "\(secret.prefix(24)): \(lines.first { $0.contains(secret) } ?? "")")
            }
            // The same person has the same tag in all of them, and it is short.
            let tags = Set(
                (world.log.events("signed in") + world.log.events("account deleted")).compactMap {
                    $0["user"]
                })
            #expect(tags.count == 1 && tags.first?.utf8.count == 8)
            #expect(
                world.log.events("not allowed").compactMap { $0["reason"] }.contains(
                    "email.notAllowed")
            )
        }
    }

    @Test("A refusal by a limit names the limit")
    func aLimitIsNamed() async throws {
        try await World.with { world in
            var status = 200
            for _ in 0..<40 where status == 200 {
                status = try await world.client.post("/v1/auth/guest", json: "{}").status
            }
            #expect(status == 429)
            let event = try #require(world.log.events("request refused").last)
            #expect(event["code"] == "tooManyRequests" && event["limit"] == "guests/address")
        }
    }

    /// Without AUTH_PROXIES behind a proxy, all clients share its limits.
    @Test("An ignored X-Forwarded-For is logged once, as a warning")
    func anIgnoredForwardingFieldIsLoggedOnce() async throws {
        let message = "X-Forwarded-For of a peer that AUTH_PROXIES does not name is ignored"
        for (proxies, count) in [("", 1), ("127.0.0.1", 0)] {
            try await World.with(World.Options(settings: ["AUTH_PROXIES": proxies])) { world in
                _ = try await world.client.post("/v1/auth/guest", json: "{}")
                #expect(world.log.events(message).isEmpty)
                for number in 1...3 {
                    let answer = try await world.client.post(
                        "/v1/auth/guest", json: "{}",
                        headers: [("X-Forwarded-For", "198.51.100.\(number)")])
                    #expect(answer.status == 200)
                }
                #expect(world.log.events(message).count == count)
                #expect(world.log.events(message).allSatisfy { $0["level"] == "warning" })
            }
        }
    }
}
