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
}
