// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import SignetAccounts
import SignetIdentity
import SignetJOSE
import Testing

@Suite("Sign-in with an ID token")
struct SignInTests {
    @Test("A sign-in answers with the user and a session token of 30 days")
    func signsInWithTheWholeAnswer() async throws {
        try await World.with { world in
            let answer = try await world.presents(
                try world.issuer.idToken(MintRequest(person: .ada)))
            let body = try answer.json(SignedIn.self)
            #expect(answer.status == 200)
            #expect(
                answer.body == """
                    {"expiresIn":2592000,"sessionToken":"\(body.sessionToken)","success":true,"user":\
                    {"email":"ada@company.example","id":"110000000000000000001",\
                    "image":"https://pictures.example/ada","name":"Ada Lovelace"}}
                    """)
            #expect(answer.header("content-type") == "application/json")
            #expect(answer.header("cache-control") == "no-store")
            let claims = try UnverifiedClaims(body.sessionToken)
            #expect(claims.exp - claims.iat == 2_592_000)
            #expect(
                claims.iss == "https://auth.example" && claims.aud == "https://auth.example/session"
            )
            #expect(claims.alg == "ES256" && claims.typ == "JWT")
        }
    }

    @Test("Names, addresses and pictures may be missing")
    func namesAndPicturesMayBeMissing() async throws {
        try await World.with { world in
            let answer = try await world.presents(
                try world.issuer.idToken(MintRequest(person: Person(sub: "110000000000000000002"))))
            #expect(answer.status == 200)
            #expect(
                answer.body.contains(
                    #""user":{"email":null,"id":"110000000000000000002","image":null,"name":null}"#)
            )
        }
    }

    @Test("A malformed body, or one without an ID token, is 400")
    func refusesABodyWithoutAToken() async throws {
        let bodies = [
            "{}", #"{"idToken":null}"#, #"{"idToken":""}"#, #"{"idToken":1}"#,
            #"{"idToken":["a"]}"#,
            #"{"idToken":{"a":"b"}}"#, #"{"idToken":true}"#, #"{"idtoken":"a.b.c"}"#, "[]", "null",
            "\"a\"",
            "", "{", "not JSON", "\u{0}", #"{"idToken":"a.b.c""#,
            String(repeating: "[", count: 20_000),
            // 513 of them crash a process that reads them with Foundation's decoder (found by the
            // fuzzer).
            String(repeating: "[", count: 513), #"{"idToken":"a","idToken":"b"}"#,
        ]
        try await World.with { world in
            for body in bodies {
                let answer = try await world.client.post(World.signInPath, json: body)
                #expect(answer.status == 400, "\(body.prefix(40))")
                #expect(answer.body == #"{"error":"Missing idToken"}"#, "\(body.prefix(40))")
            }
        }
    }

    @Test("Only application/json is accepted")
    func refusesOtherMediaTypes() async throws {
        try await World.with { world in
            let good = #"{"idToken":"\#(try world.issuer.idToken(MintRequest(person: .ada)))"}"#
            for type in [
                "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", nil,
            ] {
                let answer = try await world.client.send(
                    "POST", World.signInPath, headers: type.map { [("Content-Type", $0)] } ?? [],
                    body: .whole(good))
                #expect(answer.status == 415, "\(type ?? "none")")
                #expect(answer.body == #"{"error":"Request not accepted"}"#)
            }
            for type in [
                "application/json; charset=utf-8", "Application/JSON", "application/json ;a=b",
            ] {
                let answer = try await world.client.send(
                    "POST", World.signInPath, headers: [("Content-Type", type)],
                    body: .whole(good))
                #expect(answer.status == 200, "\(type)")
            }
        }
    }

    @Test("A body that is too long is 413, announced or in chunks")
    func refusesABodyThatIsTooLong() async throws {
        try await World.with { world in
            let long = #"{"idToken":"\#(String(repeating: "a", count: 30_000))"}"#
            let announced = try await world.client.post(World.signInPath, json: long)
            #expect(announced.status == 413)
            #expect(announced.body == #"{"error":"Request too large"}"#)
            let chunks = (0..<30).map { _ in String(repeating: "a", count: 1_000) }
            let streamed = try await world.client.send(
                "POST", World.signInPath, headers: [("Content-Type", "application/json")],
                body: .chunks(chunks))
            #expect(streamed.status == 413)
            #expect(streamed.body == announced.body)
        }
    }

    @Test("While the issuer's keys are unreachable, a sign-in is 503")
    func theIssuersKeysAreOutOfReach() async throws {
        // Its clock stands still, and with it the pause after a failed fetch.
        var options = World.Options(hasIssuer: false)
        options.keyClock = TimeSource(elapsed: { .zero })
        try await World.with(options) { world in
            // A token whose issuer is the one that is expected, so that only the keys are missing.
            let token = try world.issuer.idToken(
                MintRequest(person: .ada, claims: ["iss": .string("http://127.0.0.1:1")]))
            // A caller that waited for the failed fetch is given no time; one that comes during the
            // pause is.
            for (retryAfter, code) in [(nil, "unreachable"), ("1", "coolingDown.unreachable")] {
                let answer = try await world.presents(token)
                #expect(answer.status == 503)
                #expect(answer.body == #"{"error":"Not available at the moment"}"#)
                #expect(answer.header("retry-after") == retryAfter)
                #expect(
                    world.log.events("request refused").last?["code"]
                        == "keySourceUnavailable.\(code)")
            }
        }
    }

    @Test("While the store fails, a sign-in is 500 or 503, and it recovers by itself")
    func theStoreFails() async throws {
        try await World.with { world in
            let token = try world.issuer.idToken(MintRequest(person: .ada))
            let answers: [(AccountError.Code, Int, String)] = [
                (.corrupt, 500, "Failed to create user session"),
                (.unavailable, 503, "Not available at the moment"),
            ]
            for (code, status, text) in answers {
                world.database.failure = code
                let answer = try await world.presents(token)
                #expect(answer.status == status && answer.body == #"{"error":"\#(text)"}"#)
                #expect(world.log.events("request refused").last?["code"] == code.rawValue)
            }
            // It recovers by itself once the database does.
            world.database.failure = nil
            #expect(try await world.presents(token).status == 200)
        }
    }

    @Test("A missing table is 500, and does not crash the server")
    func aMissingTableDoesNotCrash() async throws {
        try await World.with { world in
            _ = try await world.signIn()
            try await world.run("ALTER TABLE signet_sessions RENAME TO elsewhere")
            let answer = try await world.presents(
                try world.issuer.idToken(MintRequest(person: .ada)))
            #expect(answer.status == 500)
            #expect(answer.body == #"{"error":"Failed to create user session"}"#)
            #expect(world.log.events("request refused").last?["code"] == "corrupt")
        }
    }

    @Test("A person is known by issuer and subject, not by address")
    func aPersonIsIssuerAndSubjectNotAddress() async throws {
        try await World.with { world in
            let first = try await world.signIn()
            var changed = Person.ada
            changed.email = "countess@company.example"
            changed.name = "Ada King"
            let second = try await world.signIn(changed)
            #expect(
                second.user.id == first.user.id && second.user.email == "countess@company.example")
            #expect(
                try UnverifiedClaims(first.sessionToken).sub
                    == UnverifiedClaims(second.sessionToken).sub)

            var other = Person.ada
            other.sub = "110000000000000000009"
            let third = try await world.signIn(other)
            #expect(third.user.email == first.user.email && third.user.id != first.user.id)
            #expect(
                try UnverifiedClaims(first.sessionToken).sub
                    != UnverifiedClaims(third.sessionToken).sub)
            #expect(try await world.users() == 2)
        }
    }
}

extension SignInTests {
    struct Organization: Sendable, CustomTestStringConvertible {
        let person: Person
        let status: Int
        let reason: String?
        var testDescription: String { "\(person.email ?? "no address") \(status)" }
    }

    @Test(
        "Only the configured organizations may sign in",
        arguments: [
            Organization(
                person: Person(sub: "1", email: "ada@company.example"), status: 200, reason: nil),
            Organization(
                person: Person(sub: "2", email: "ada@sub.partner.example"), status: 200, reason: nil
            ),
            Organization(
                person: Person(sub: "3", email: "ada@sub.company.example"), status: 403,
                reason: "email.notAllowed"),
            Organization(
                person: Person(sub: "4", email: "ada@notcompany.example"), status: 403,
                reason: "email.notAllowed"
            ),
            Organization(
                person: Person(sub: "5", email: "ada@gmail.com"), status: 403,
                reason: "email.consumer"),
            Organization(
                person: Person(sub: "6", email: "ada@company.example", emailVerified: false),
                status: 403,
                reason: "email.unverified"),
            Organization(person: Person(sub: "7"), status: 403, reason: "email.malformed"),
            Organization(
                person: Person(sub: "8", email: "ada@evil.example@company.example"), status: 403,
                reason: "email.malformed"),
        ])
    func onlyTheConfiguredOrganizationsSignIn(_ organization: Organization) async throws {
        let options = World.Options(settings: [
            "AUTH_ALLOWED_DOMAINS": "company.example, *.partner.example"
        ])
        try await World.with(options) { world in
            let answer = try await world.presents(
                try world.issuer.idToken(MintRequest(person: organization.person)))
            #expect(answer.status == organization.status)
            if organization.status == 403 {
                #expect(answer.body == #"{"error":"Account not allowed"}"#)
                #expect(answer.header("www-authenticate") == nil)
                #expect(try await world.users() == 0)
            }
            #expect(world.log.events("not allowed").last?["reason"] == organization.reason)
        }
    }
}
