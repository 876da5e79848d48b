// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import Testing

/// Review of second factors of 2026-11-28.
@Suite("Attacks around second factors", .serialized, .timeLimit(.minutes(20)))
struct FactorAttackTests {
    @Test("A copy of the access token from before the code has no right that the code gave")
    func copiedToken() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let copied = try await scene.signUp().accessToken
        let app = try await fixture.app(copied)
        let raised = try await fixture.verify(app, copied)
        #expect(raised.status == 200)
        let sensitive: [(target: String, body: String?)] = [
            ("POST /factors", "{\"factor_type\":\"totp\"}"), ("DELETE /factors/\(app.id)", nil),
            ("PUT /user", "{\"password\":\"battery staple\"}"), ("DELETE /user", nil),
        ]
        for (target, body) in sensitive {
            let answer = try await scene.call(target, body, bearer: copied)
            #expect(answer.status == 403 && answer.code == "insufficient_aal", "\(target)")
        }
        for (target, body) in sensitive where !target.hasPrefix("DELETE") {
            let answer = try await scene.call(target, body, bearer: raised.accessToken)
            #expect(answer.status == 200, "\(target)")
        }
        #expect(try await scene.call("DELETE /user", bearer: raised.accessToken).status == 204)
        try await fixture.clock.close()
    }

    @Test("What a session has asked for before the first code is not carried out after it")
    func askedBefore() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let new = AddressChangeTests.new
        let grant = try await scene.signUp()
        for body in ["{\"email\":\"\(new)\"}", "{\"phone\":\"\(Scene.phone)\"}"] {
            let asked = try await scene.call("PUT /user", body, bearer: grant.accessToken)
            #expect(asked.status == 200)
        }
        let app = try await fixture.app(grant.accessToken)
        let raised = try await fixture.verify(app, grant.accessToken)
        #expect(raised.status == 200)
        for address in [Scene.email, new] {
            #expect(try await scene.confirmChange(to: address).code == "otp_expired")
        }
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let late = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        #expect(late.code == "otp_expired")
        let seen = try await scene.call("GET /user", bearer: raised.accessToken)
        #expect(seen.json["email"]?.stringValue == Scene.email && seen.json["phone"] == "")
        try await fixture.clock.close()
    }

    @Test("Challenges that a thief of the password asks for are not its owner's")
    func challenges() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        #expect(try await fixture.verify(app, grant.accessToken).status == 200)
        let thief = try await scene.password("correct horse")
        for _ in 0..<30 { _ = try await fixture.challenge(app, thief.accessToken) }
        let refused = try await scene.call(
            "POST /factors/\(app.id)/challenge", bearer: thief.accessToken)
        #expect(refused.status == 429)
        let owner = try await scene.password("correct horse")
        #expect(try await fixture.verify(app, owner.accessToken, later: 1).status == 200)
        try await fixture.clock.close()
    }

    @Test("A thief of the password who guesses does not lock out a client that has shown a factor")
    func lockOut() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let raised = try await fixture.verify(app, grant.accessToken)
        let device = try #require(raised.json["device"]?.stringValue)
        // A sign-in alone gives no tries of one's own.
        let thief = try await scene.password("correct horse")
        let thiefsDevice = try #require(thief.json["device"]?.stringValue)
        let challenge = try await fixture.challenge(app, thief.accessToken)
        for count in 0..<21 {
            let wrong = try await fixture.verify(
                app, thief.accessToken, code: "abcdef", challenge: challenge, device: thiefsDevice)
            #expect(wrong.status == (count < 20 ? 422 : 429))
        }
        let owner = try await scene.password("correct horse")
        #expect(try await fixture.verify(app, owner.accessToken, later: 1).status == 429)
        let known = try await fixture.verify(app, owner.accessToken, later: 1, device: device)
        #expect(known.status == 200 && known.json["device"]?.stringValue == device)
        // The thief goes on being refused, and the known client's guesses are limited too.
        #expect(try await fixture.verify(app, thief.accessToken, later: 2).status == 429)
        let next = try await fixture.challenge(app, owner.accessToken)
        for count in 0..<21 {
            let wrong = try await fixture.verify(
                app, owner.accessToken, code: "abcdef", challenge: next, device: device)
            #expect(wrong.status == (count < 20 ? 422 : 429))
        }
        try await fixture.clock.close()
    }
}
