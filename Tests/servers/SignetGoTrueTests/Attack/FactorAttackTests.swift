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

    @Test("Who guesses at a kept answer has the tries of the code, and no more")
    func guessedAnswer() async throws {
        let fixture = try await FactorScene()
        let grant = try await fixture.scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let copied = grant.accessToken
        let challenge = try await fixture.challenge(app, copied)
        let code = try await fixture.code(app)
        let raised = try await fixture.verify(app, copied, code: code, challenge: challenge)
        #expect(raised.status == 200)
        // An invented challenge gets nothing, not even with the right code.
        let invented = "6f1c2b34-0000-4000-8000-000000000000"
        for guess in ["abcdef", code] {
            let answer = try await fixture.verify(app, copied, code: guess, challenge: invented)
            #expect(answer.code == "mfa_factor_not_found")
        }
        let own = try await fixture.challenge(app, copied)
        for _ in 0..<20 {
            let wrong = try await fixture.verify(app, copied, code: "abcdef", challenge: own)
            #expect(wrong.code == "mfa_verification_failed")
        }
        #expect(
            try await fixture.verify(app, copied, code: code, challenge: own).status == 429)
        try await fixture.clock.close()
    }

    @Test("Who has shown a factor before has no tries of their own at another one")
    func formerFactor() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let former = try await fixture.app(grant.accessToken)
        var raised = try await fixture.verify(former, grant.accessToken)
        var devices: [String] = []
        for step in 1...2 {
            try await fixture.clock.set(Int64(step) * 30_000)
            raised = try await fixture.verify(former, raised.accessToken)
            devices.append(try #require(raised.json["device"]?.stringValue))
        }
        let app = try await fixture.app(raised.accessToken, named: "new")
        raised = try await fixture.verify(app, raised.accessToken)
        let removed = try await scene.call(
            "DELETE /factors/\(former.id)", bearer: raised.accessToken)
        #expect(removed.status == 200)
        let thief = try await scene.password("correct horse")
        let challenge = try await fixture.challenge(app, thief.accessToken)
        for count in 0..<24 {
            let wrong = try await fixture.verify(
                app, thief.accessToken, code: "abcdef", challenge: challenge,
                device: devices[count % 2])
            #expect(wrong.status == (count < 20 ? 422 : 429))
        }
        try await fixture.clock.close()
    }

    @Test("A copy of a token with a factor that was removed since has no right that another gave")
    func removedFactor() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let copied = try await fixture.verify(app, grant.accessToken)
        let removed = try await scene.call(
            "DELETE /factors/\(app.id)", bearer: copied.accessToken)
        #expect(removed.status == 200)
        try await fixture.clock.set(30_000)
        let next = try await fixture.app(copied.accessToken, named: "next")
        let raised = try await fixture.verify(next, copied.accessToken)
        #expect(raised.status == 200)
        let body = "{\"password\":\"battery staple\"}"
        let late = try await scene.call("PUT /user", body, bearer: copied.accessToken)
        #expect(late.code == "insufficient_aal")
        #expect(try await scene.call("PUT /user", body, bearer: raised.accessToken).status == 200)
        try await fixture.clock.close()
    }

    @Test("A session without the factor does not use up its owner's codes for a new password")
    func bogusNonces() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let raised = try await fixture.verify(app, grant.accessToken)
        let thief = try await scene.password("correct horse")
        let body = { (nonce: String) in
            "{\"password\":\"battery staple\",\"nonce\":\"\(nonce)\"}"
        }
        for _ in 0..<12 {
            let answer = try await scene.call(
                "PUT /user", body("000000"), bearer: thief.accessToken)
            #expect(answer.code == "insufficient_aal")
        }
        try await fixture.clock.set(61_000)
        _ = try await scene.call("GET /reauthenticate", bearer: raised.accessToken)
        let nonce = try #require(await scene.code(to: Scene.email))
        let changed = try await scene.call("PUT /user", body(nonce), bearer: raised.accessToken)
        #expect(changed.status == 200)
        try await fixture.clock.close()
    }
}
