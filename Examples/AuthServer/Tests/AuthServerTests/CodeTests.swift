// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import Foundation
import SignetAccounts
import Testing

@Suite("Codes by phone and by e-mail")
struct CodeTests {
    static let phone = #""phone":"+14155551234""#
    static let email = #""email":"Ann@Company.Example""#

    private func verify(
        _ world: World, _ members: String..., headers: [(String, String)] = []
    ) async throws -> WebAnswer {
        try await world.client.post(
            "/v1/auth/codes/verify", json: "{\(members.joined(separator: ","))}", headers: headers)
    }

    @Test("A code by phone signs in once, and no log line has it")
    func aCodeByPhoneSignsIn() async throws {
        try await World.with { world in
            let sent = try await world.client.post("/v1/auth/codes", json: "{\(Self.phone)}")
            #expect(sent.status == 202 && sent.body.contains(#""expires_in":300"#))
            struct Sent: Decodable { let challenge: String }
            let challenge = try sent.json(Sent.self).challenge
            let code = try await world.lastCode(to: "+14155551234")
            let named = #""challenge":"\#(challenge)""#
            let wrong = code == "000000" ? "000001" : "000000"
            for bad in [wrong, "12345", "x"] {
                #expect(
                    try await verify(world, Self.phone, named, #""code":"\#(bad)""#).status == 400)
            }
            let tokens = try await world.tokens(
                "/v1/auth/codes/verify", #"{\#(Self.phone),\#(named),"code":"\#(code)"}"#)
            #expect(tokens.user?.phone == "+14155551234" && tokens.user?.isGuest == false)
            #expect(try await world.client.get("/v1/auth/me", token: tokens.access).status == 200)
            #expect(try await verify(world, Self.phone, named, #""code":"\#(code)""#).status == 400)
            // Too soon for this client.
            let next = try await world.client.post(
                "/v1/auth/codes", json: "{\(Self.phone),\(named)}")
            #expect(next.status == 429 && next.header("retry-after") != nil)
            #expect(!world.log.lines.contains { $0.contains(code) || $0.contains("14155551234") })
        }
    }

    /// Without a challenge, or with a wrong one, a guess would use up the five tries of the code's
    /// owner.
    @Test("A code without its challenge is refused, and stays valid")
    func aCodeWithoutItsChallengeIsRefused() async throws {
        try await World.with { world in
            let challenge = try await world.challenge(Self.phone)
            let code = try await world.lastCode(to: "+14155551234")
            let right = #""code":"\#(code)""#
            let cases: [(members: [String], wrong: String?)] = [
                ([right], "challenge"), ([right, #""challenge":null"#], "challenge"),
                ([right, #""challenge":"""#], "challenge"),
                ([right, #""challenge":"x""#], "challenge"),
                ([right, #""challenge":7"#], "challenge"),
                ([right, #""challenge":"\#(challenge)A""#], "challenge"),
                // A challenge of another request, which is not wrong in itself.
                ([right, #""challenge":"\#(String(repeating: "A", count: 22))""#], nil),
                ([#""code":null"#, #""challenge":"\#(challenge)""#], "code"),
                ([#""challenge":"\#(challenge)""#], "code"),
            ]
            for (members, wrong) in cases {
                let answer = try await verify(
                    world, Self.phone, members.joined(separator: ","))
                let member = wrong.map { #","member":"\#($0)""# } ?? ""
                #expect(answer.status == 400)
                #expect(answer.body == #"{"error":"Bad request"\#(member)}"#, "\(members.count)")
                #expect(world.log.events("request refused").last?["member"] == wrong)
            }
            let tokens = try await verify(
                world, Self.phone, right, #""challenge":"\#(challenge)""#)
            #expect(tokens.status == 200)
        }
    }

    @Test("A client's wrong guesses are limited; other clients and right codes are not")
    func aClientsGuessesAreLimited() async throws {
        let options = World.Options(settings: ["AUTH_PROXIES": "127.0.0.0/8"])
        try await World.with(options) { world in
            let challenge = try await world.challenge(Self.phone)
            let code = try await world.lastCode(to: "+14155551234")
            // Neither the limit nor the code goes by how long this takes.
            try await world.stopLimits()
            try await world.run("UPDATE signet_codes SET ends_at = ends_at + 86400000")
            let named = #""challenge":"\#(challenge)""#
            let own = [("X-Forwarded-For", "192.0.2.1")]
            let other = [("X-Forwarded-For", "192.0.2.2")]
            // Each uses another number, so that no destination reaches its limit.
            for number in 10..<40 {
                let answer = try await verify(
                    world, #""phone":"+141555512\#(number)""#, named, #""code":"123456""#,
                    headers: own)
                #expect(answer.status == 400)
            }
            let last = #""phone":"+14155551240""#
            let refused = try await verify(
                world, last, named, #""code":"123456""#, headers: own)
            #expect(refused.status == 429)
            let seconds = try #require(refused.header("retry-after").flatMap { Int($0) })
            #expect((1...10).contains(seconds))
            // Other clients are not affected, and neither is a right code of this one.
            let free = try await verify(
                world, last, named, #""code":"123456""#, headers: other)
            #expect(free.status == 400)
            let answer = try await verify(
                world, Self.phone, named, #""code":"\#(code)""#, headers: own)
            #expect(answer.status == 200)
        }
    }

    @Test("A code has exactly one well-formed destination")
    func aCodeHasOneDestination() async throws {
        try await World.with { world in
            for body in [
                "{}", "{\(Self.phone),\(Self.email)}", #"{"phone":"0049"}"#, #"{"phone":7}"#,
                #"{"email":"ann"}"#, #"{"email":"ann@company.example\r\nBcc: a@b.example"}"#,
                #"{"phone":null,"email":null}"#,
            ] {
                let answer = try await world.client.post("/v1/auth/codes", json: body)
                #expect(answer.status == 400, "\(body)")
            }
        }
    }

    /// Without a mail server they are in the file, like those to phones.
    @Test("A code by e-mail signs in, whatever the capitals of its domain")
    func aCodeByEMailSignsIn() async throws {
        try await World.with { world in
            let challenge = try await world.challenge(Self.email)
            let code = try await world.lastCode(to: "ann@company.example")
            // Typed in other capitals, it is the same mailbox.
            let answer = try await verify(
                world, #""email":"ann@COMPANY.example""#, #""challenge":"\#(challenge)""#,
                #""code":"\#(code)""#)
            #expect(answer.status == 200)
            #expect(answer.body.contains(#""email":"ann@company.example","email_verified":true"#))
            #expect(!world.log.lines.contains { $0.contains(code) || $0.contains("ann@") })
        }
    }

    @Test("The mail server gets the codes, and no code is made that cannot be sent")
    func aMailServerGetsTheCodes() async throws {
        try await MailTrap.with { mail in
            let settings = [
                "AUTH_SMTP": "smtp://127.0.0.1:\(mail.port)", "AUTH_CODES_FILE": "",
                "AUTH_SMTP_FROM": "no-reply@auth.example",
            ]
            try await World.with(World.Options(settings: settings)) { world in
                let challenge = try await world.challenge(Self.email)
                try await world.eventually { !mail.messages.isEmpty }
                let message = try #require(mail.messages.first)
                #expect(message.head.contains("To: <ann@company.example>"))
                #expect(message.head.contains("From: <no-reply@auth.example>"))
                let code = String(message.text.prefix(6))
                let answer = try await verify(
                    world, Self.email, #""challenge":"\#(challenge)""#, #""code":"\#(code)""#)
                #expect(answer.status == 200)
                // There is no sender for phones here: a code that nothing can deliver is not made.
                let phone = try await world.client.post("/v1/auth/codes", json: "{\(Self.phone)}")
                #expect(phone.status == 400)
                #expect(try await world.run("SELECT due_at FROM signet_outbox").isEmpty)
            }
        }
    }
}
