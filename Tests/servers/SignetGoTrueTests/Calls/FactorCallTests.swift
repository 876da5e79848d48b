// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import Testing

@Suite("Second factors at the service", .serialized, .timeLimit(.minutes(20)))
struct FactorCallTests {
    @Test("An app is added and verified, and the session is at aal2, also after a refresh")
    func life() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        #expect(grant.json["user"]?["factors"] == nil)
        let added = try await fixture.enroll(grant.accessToken, named: "tablet")
        #expect(added.status == 200 && added.json["type"] == "totp")
        #expect(added.json["friendly_name"] == "tablet")
        #expect(added.json["totp"]?["qr_code"] == "")
        let address = try #require(added.json["totp"]?["uri"]?.stringValue)
        #expect(address.hasPrefix("otpauth://totp/project.example:ann%40company.example?secret="))
        let app = try await fixture.app(grant.accessToken, named: "phone")
        let seen = try await scene.call("GET /user", bearer: grant.accessToken)
        let factors = try #require(seen.json["factors"]?.arrayValue)
        #expect(factors.count == 2)
        for factor in factors {
            #expect(factor["status"] == "unverified" && factor["factor_type"] == "totp")
            #expect(factor["created_at"]?.stringValue != nil)
        }

        let challenge = try await fixture.challenge(app, grant.accessToken)
        let code = try await fixture.code(app)
        let wrong = try await fixture.verify(
            app, grant.accessToken, code: code == "000000" ? "000001" : "000000",
            challenge: challenge)
        #expect(wrong.status == 422 && wrong.code == "mfa_verification_failed")
        // A wrong code does not end the challenge.
        let raised = try await fixture.verify(
            app, grant.accessToken, code: code, challenge: challenge)
        #expect(raised.status == 200)
        // Only the verified factor is left.
        let verified = try #require(raised.json["user"]?["factors"]?.arrayValue)
        #expect(verified.count == 1 && verified.first?["status"] == "verified")
        #expect(verified.first?["friendly_name"] == "phone")

        let before = try fixture.claims(grant)
        #expect(before["aal"] == "aal1")
        let refreshed = try await scene.refresh(raised.refreshToken)
        for answer in [raised, refreshed] {
            let claims = try fixture.claims(answer)
            #expect(claims["aal"] == "aal2" && claims["session_id"] == before["session_id"])
            let methods = claims["amr"]?.arrayValue?.map { $0["method"] }
            #expect(methods == ["totp", "otp"])
        }
        #expect(try await scene.notices() == ["factor-added \(Scene.email)"])
        try await fixture.clock.close()
    }

    @Test("The first verified factor ends the other sessions, and what this one had before")
    func others() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let other = try await scene.signUp()
        let grant = try await scene.password("correct horse")
        let app = try await fixture.app(grant.accessToken)
        let raised = try await fixture.verify(app, grant.accessToken)
        #expect(raised.status == 200)
        let ended = try await scene.call("GET /user", bearer: other.accessToken)
        #expect(ended.code == "session_not_found")
        // A copy of the earlier refresh token gives no token at aal2, and ends nothing.
        let copied = try await scene.refresh(grant.refreshToken)
        #expect(copied.code == "refresh_token_not_found")
        #expect(try await scene.refresh(raised.refreshToken).status == 200)

        // A further verified factor, or code, ends no session.
        let third = try await scene.password("correct horse")
        let second = try await fixture.app(raised.accessToken, named: "second")
        #expect(try await fixture.verify(second, raised.accessToken).status == 200)
        #expect(try await fixture.verify(app, raised.accessToken, later: 1).status == 200)
        #expect(try await scene.call("GET /user", bearer: third.accessToken).status == 200)
        #expect(try fixture.claims(third)["aal"] == "aal1")
        try await fixture.clock.close()
    }

    @Test("Raising and lowering a session needs no engine of its own", arguments: Engine.allCases)
    func engines(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        let fixture = FactorScene(scene)
        let other = try await scene.signUp()
        let grant = try await scene.password("correct horse")
        let app = try await fixture.app(grant.accessToken)
        let raised = try await fixture.verifyInTime(app, grant.accessToken)
        #expect(raised.status == 200)
        #expect(try fixture.claims(raised)["aal"] == "aal2")
        let ended = try await scene.call("GET /user", bearer: other.accessToken)
        #expect(ended.code == "session_not_found")
        let second = try await fixture.app(raised.accessToken, named: "second")
        let again = try await fixture.verifyInTime(second, raised.accessToken)
        for id in [app.id, second.id] {
            let removed = try await scene.call("DELETE /factors/\(id)", bearer: again.accessToken)
            // The session has shown the second one last.
            #expect(removed.status == 200)
        }
        let seen = try await scene.call("GET /user", bearer: raised.accessToken)
        #expect(seen.status == 200 && seen.json["factors"] == nil)
        #expect(
            try await scene.count("SELECT count(*) FROM signet_gotrue_challenges") == 0)
        let left = try await scene.count(
            "SELECT count(*) FROM signet_gotrue_sessions WHERE factor_id IS NOT NULL")
        #expect(left == 0)
    }

    @Test("A lost answer comes again for a while, and only to the same session")
    func lostAnswer() async throws {
        let fixture = try await FactorScene()
        let grant = try await fixture.scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let challenge = try await fixture.challenge(app, grant.accessToken)
        let code = try await fixture.code(app)
        let answers = try await withThrowingTaskGroup(of: Scene.Answer.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await fixture.verify(
                        app, grant.accessToken, code: code, challenge: challenge)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map(\.refreshToken)).count == 1)
        // A client that has lost it asks for a challenge first.
        let again = try await fixture.verify(app, grant.accessToken)
        #expect(again.status == 200 && again.refreshToken == answers.first?.refreshToken)
        let newer = try await fixture.scene.refresh(again.refreshToken)
        let used = try await fixture.verify(app, newer.accessToken)
        #expect(used.status == 422 && used.code == "mfa_verification_failed")
        let other = try await fixture.scene.password("correct horse")
        let elsewhere = try await fixture.verify(
            app, other.accessToken, code: code, challenge: challenge)
        #expect(elsewhere.status == 422 && elsewhere.code == "mfa_factor_not_found")
        try await fixture.clock.set(61_000)
        let late = try await fixture.verify(
            app, grant.accessToken, code: code, challenge: challenge)
        #expect(late.status == 422 && late.code == "mfa_verification_failed")
        try await fixture.clock.close()
    }

    @Test("With a verified factor, what decides who gets in needs it")
    func levels() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let first = try await scene.signUp()
        let app = try await fixture.app(first.accessToken)
        #expect(try await fixture.verify(app, first.accessToken).status == 200)
        let token = try await scene.password("correct horse").accessToken
        let link =
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\","
            + "\"link_identity\":true}"
        let sensitive: [(target: String, body: String?)] = [
            ("POST /factors", "{\"factor_type\":\"totp\"}"),
            ("DELETE /factors/\(app.id)", nil),
            ("PUT /user", "{\"password\":\"battery staple\"}"),
            ("PUT /user", "{\"email\":\"new@company.example\"}"),
            ("POST /token?grant_type=id_token", link), ("DELETE /user", nil),
        ]
        let guess = "{\"email\":\"new@company.example\",\"current_password\":\"wrong horse\"}"
        // The password is not looked at.
        for (target, body) in sensitive + [("PUT /user", guess)] {
            let answer = try await scene.call(target, body, bearer: token)
            #expect(answer.status == 403 && answer.code == "insufficient_aal", "\(target)")
        }
        let data = try await scene.call("PUT /user", "{\"data\":{\"a\":1}}", bearer: token)
        #expect(data.status == 200)
        // A recovered password alone changes nothing either.
        let raised = try await fixture.verify(app, token, later: 1)
        #expect(raised.status == 200)
        for (target, body) in sensitive where target != "DELETE /factors/\(app.id)" {
            guard target != "DELETE /user" else { continue }
            #expect(
                try await scene.call(target, body, bearer: raised.accessToken).status == 200,
                "\(target)")
        }
        let removed = try await scene.call("DELETE /factors/\(app.id)", bearer: raised.accessToken)
        #expect(removed.status == 200 && removed.json == ["id": .string(app.id)])
        // Without the factor the session is at aal1 again.
        let lowered = try await scene.refresh(raised.refreshToken)
        let claims = try fixture.claims(lowered)
        #expect(claims["aal"] == "aal1" && claims["amr"]?.arrayValue?.count == 1)
        #expect(try await scene.call("DELETE /user", bearer: raised.accessToken).status == 204)
        try await fixture.clock.close()
    }

    @Test("Adding and removing need a recent sign-in, of guests too")
    func fresh() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let guest = try await scene.call("POST /signup", "{}")
        let grant = try await scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        #expect(try await fixture.verify(app, grant.accessToken).status == 200)
        try await fixture.clock.set(601_000)
        for (target, body, token) in [
            ("POST /factors", "{\"factor_type\":\"totp\"}", grant.accessToken),
            ("POST /factors", "{\"factor_type\":\"totp\"}", guest.accessToken),
            ("DELETE /factors/\(app.id)", nil, grant.accessToken),
        ] as [(String, String?, String)] {
            let answer = try await scene.call(target, body, bearer: token)
            #expect(answer.code == "reauthentication_needed", "\(target)")
        }
        // A code makes a session worth more, and not newer.
        let raised = try await fixture.verify(app, grant.accessToken)
        #expect(raised.status == 200)
        let again = try await fixture.enroll(raised.accessToken)
        #expect(again.code == "reauthentication_needed")
        try await fixture.clock.close()
    }

    @Test("A factor that a thief of the password has prepared is gone with the owner's first code")
    func prepared() async throws {
        let fixture = try await FactorScene()
        let owner = try await fixture.scene.signUp()
        let thief = try await fixture.scene.password("correct horse")
        let prepared = try await fixture.app(thief.accessToken)
        let app = try await fixture.app(owner.accessToken)
        #expect(try await fixture.verify(app, owner.accessToken).status == 200)
        let again = try await fixture.scene.password("correct horse")
        let answer = try await fixture.scene.call(
            "POST /factors/\(prepared.id)/challenge", bearer: again.accessToken)
        #expect(answer.status == 404 && answer.code == "mfa_factor_not_found")
        #expect(try await fixture.enroll(again.accessToken).code == "insufficient_aal")
        try await fixture.clock.close()
    }

    @Test("What is unknown, ended, another's or malformed is refused in GoTrue's words")
    func refused() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let other = try await scene.signUp("bob@company.example")
        let app = try await fixture.app(grant.accessToken, named: "phone")
        let token = grant.accessToken
        for (body, status, code) in [
            ("{\"factor_type\":\"phone\"}", 422, "mfa_phone_enroll_not_enabled"),
            ("{\"factor_type\":\"webauthn\"}", 422, "mfa_webauthn_enroll_not_enabled"),
            ("{\"factor_type\":\"sms\"}", 400, "validation_failed"),
            ("{}", 400, "validation_failed"),
            ("{\"factor_type\":\"totp\",\"issuer\":\"a:b\"}", 400, "validation_failed"),
            (
                "{\"factor_type\":\"totp\",\"friendly_name\":\"a\\u0000\"}", 400,
                "validation_failed"
            ),
        ] {
            let answer = try await scene.call("POST /factors", body, bearer: token)
            #expect(answer.status == status && answer.code == code, "\(body)")
        }
        let unknown = "00000000-0000-4000-8000-000000000000"
        for (target, bearer, code) in [
            ("POST /factors/\(unknown)/challenge", token, "mfa_factor_not_found"),
            ("POST /factors/\(app.id)/challenge", other.accessToken, "mfa_factor_not_found"),
            ("DELETE /factors/\(app.id)", other.accessToken, "mfa_factor_not_found"),
            ("DELETE /factors/phone", token, "validation_failed"),
        ] {
            let answer = try await scene.call(target, bearer: bearer)
            #expect(answer.status == 404 && answer.code == code, "\(target)")
        }
        let code = try await fixture.code(app)
        let named = try await fixture.verify(app, token, code: code, challenge: unknown)
        #expect(named.status == 422 && named.code == "mfa_factor_not_found")
        let unnamed = try await fixture.verify(app, token, code: code, challenge: "phone")
        #expect(unnamed.status == 400 && unnamed.code == "validation_failed")
        let challenge = try await fixture.challenge(app, token)
        #expect(
            try await fixture.verify(app, token, code: "", challenge: challenge).status == 400)
        try await fixture.clock.set(300_000)
        let late = try await fixture.verify(
            app, token, code: try await fixture.code(app), challenge: challenge)
        #expect(late.status == 422 && late.code == "mfa_challenge_expired")
        #expect(try await scene.call("POST /factors", "{}").status == 401)
        try await fixture.clock.close()
    }

    @Test("Factors that are not verified give way, and ten that are verified do not")
    func room() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        // A thief of the password holds the name and all the places.
        for name in ["phone"] + (1...11).map({ "thief \($0)" }) {
            #expect(try await fixture.enroll(grant.accessToken, named: name).status == 200)
        }
        var token = grant.accessToken
        for name in ["phone"] + (2...10).map({ "factor \($0)" }) {
            let app = try await fixture.app(token, named: name)
            let raised = try await fixture.verify(app, token)
            #expect(raised.status == 200)
            token = raised.accessToken
        }
        let taken = try await fixture.enroll(token, named: "phone")
        #expect(taken.status == 422 && taken.code == "mfa_factor_name_conflict")
        let eleventh = try await fixture.enroll(token)
        #expect(eleventh.status == 422 && eleventh.code == "too_many_enrolled_mfa_factors")
        let seen = try await scene.call("GET /user", bearer: token)
        #expect(seen.json["factors"]?.arrayValue?.count == 10)
        try await fixture.clock.close()
    }

    @Test("An account that is linked at aal2 begins a session at aal2, until the factor goes")
    func linked() async throws {
        let fixture = try await FactorScene()
        let scene = fixture.scene
        let grant = try await scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let raised = try await fixture.verify(app, grant.accessToken)
        let body =
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\""
        let linked = try await scene.call(
            "POST /token?grant_type=id_token", body + ",\"link_identity\":true}",
            bearer: raised.accessToken)
        for answer in [linked, try await scene.refresh(linked.refreshToken)] {
            let claims = try fixture.claims(answer)
            #expect(claims["aal"] == "aal2")
            #expect(claims["amr"]?.arrayValue?.map { $0["method"] } == ["totp", "oauth"])
        }
        // Again, and nothing is linked: a session of now, without the factor.
        let repeated = try await scene.call(
            "POST /token?grant_type=id_token", body + ",\"link_identity\":true}",
            bearer: linked.accessToken)
        #expect(try fixture.claims(repeated)["aal"] == "aal1")
        // A sign-in with the account alone begins at aal1.
        let signedIn = try await scene.call("POST /token?grant_type=id_token", body + "}")
        #expect(try fixture.claims(signedIn)["aal"] == "aal1")
        let removed = try await scene.call("DELETE /factors/\(app.id)", bearer: linked.accessToken)
        #expect(removed.status == 200)
        let left = try await scene.count(
            "SELECT count(*) FROM signet_gotrue_sessions WHERE factor_id IS NOT NULL")
        #expect(left == 0)
        try await fixture.clock.close()
    }

    @Test("After twenty wrong codes the right one is refused too")
    func limited() async throws {
        let fixture = try await FactorScene()
        let grant = try await fixture.scene.signUp()
        let app = try await fixture.app(grant.accessToken)
        let challenge = try await fixture.challenge(app, grant.accessToken)
        for _ in 0..<20 {
            let wrong = try await fixture.verify(
                app, grant.accessToken, code: "abcdef", challenge: challenge)
            #expect(wrong.code == "mfa_verification_failed")
        }
        let right = try await fixture.verify(
            app, grant.accessToken, code: try await fixture.code(app), challenge: challenge)
        #expect(right.status == 429 && right.field("Retry-After") != nil)
        try await fixture.clock.close()
    }
}
