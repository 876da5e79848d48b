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
}
