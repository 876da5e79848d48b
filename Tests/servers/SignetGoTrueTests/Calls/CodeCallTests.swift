// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import Testing

@Suite("Codes at the service", .serialized)
struct CodeCallTests {
    @Test("A code by phone or e-mail gives a session", arguments: [Scene.phone, Scene.email])
    func signsIn(_ destination: String) async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(destination)
        #expect(grant.status == 200 && grant.field("Cache-Control") == "no-store")
        #expect(grant.json["token_type"]?.stringValue == "bearer")
        #expect(grant.json["expires_in"]?.integerValue == 3_600)
        let user = try #require(grant.json["user"])
        let isPhone = destination == Scene.phone
        #expect(user["phone"]?.stringValue == (isPhone ? Scene.phone : ""))
        #expect(user["email"]?.stringValue == (isPhone ? "" : Scene.email))
        #expect(user["is_anonymous"]?.boolValue == false)
        #expect(user["app_metadata"]?["provider"]?.stringValue == (isPhone ? "phone" : "email"))
        let identity = try #require(user["identities"]?.arrayValue?.first)
        #expect(identity["id"]?.stringValue == grant.userID)
        #expect(identity["identity_id"]?.stringValue != grant.userID)
        let seen = try await scene.call("GET /user", bearer: grant.accessToken)
        #expect(seen.status == 200 && seen.userID == grant.userID)
        // The same person again.
        try await scene.pass(61)
        #expect(try await scene.signIn(destination).userID == grant.userID)
    }

    @Test("The access token has the claims that servers check")
    func claims() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        let session = try scene.service.sessions.issuer.verify(grant.accessToken)
        let claims = try session.claims(as: JSONValue.self)
        #expect(claims["iss"]?.stringValue == "https://project.example/auth/v1")
        #expect(claims["aud"]?.stringValue == "authenticated")
        #expect(claims["role"]?.stringValue == "authenticated")
        #expect(claims["phone"]?.stringValue == Scene.phone && claims["email"]?.stringValue == "")
        #expect(claims["aal"]?.stringValue == "aal1")
        #expect(claims["is_anonymous"]?.boolValue == false)
        #expect(claims["amr"]?.arrayValue?.first?["method"]?.stringValue == "otp")
        #expect(claims["session_id"]?.stringValue?.utf8.count == 36)
        #expect(claims["app_metadata"]?["provider"]?.stringValue == "phone")
        // How and when the session began stays, however often it is refreshed.
        let next = try await scene.refresh(grant.refreshToken)
        let later = try scene.service.sessions.issuer.verify(next.accessToken)
            .claims(as: JSONValue.self)
        #expect(later["amr"] == claims["amr"] && later["session_id"] == claims["session_id"])
    }

    @Test("A wrong, expired, used or unsent code gets one answer")
    func refusals() async throws {
        let scene = try await Scene()
        let body = { (phone: String, code: String) in
            "{\"type\":\"sms\",\"phone\":\"\(phone)\",\"token\":\"\(code)\"}"
        }
        _ = try await scene.call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
        let right = try #require(await scene.code(to: "+" + Scene.phone))
        let wrong = right == "000000" ? "000001" : "000000"
        var answers = [
            try await scene.call("POST /verify", body(Scene.phone, wrong)),
            try await scene.call("POST /verify", body(Scene.phone, "12345")),
            try await scene.call("POST /verify", body(Scene.phone, "abcdef")),
            try await scene.call("POST /verify", body("442071838750", right)),
        ]
        #expect(try await scene.call("POST /verify", body(Scene.phone, right)).status == 200)
        answers.append(try await scene.call("POST /verify", body(Scene.phone, right)))
        try await scene.pass(61)
        _ = try await scene.call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
        let late = try #require(await scene.code(to: "+" + Scene.phone))
        try await scene.pass(301)
        answers.append(try await scene.call("POST /verify", body(Scene.phone, late)))
        for answer in answers {
            #expect(answer.status == 403 && answer.code == "otp_expired")
            #expect(answer.field("x-sb-error-code") == "otp_expired")
            #expect(answer.response.body == answers[0].response.body)
        }
    }

    @Test("Unknown people get the same answer, and no message")
    func unknown() async throws {
        let scene = try await Scene()
        try await scene.signIn()
        try await scene.pass(61)
        let known = try await scene.call(
            "POST /otp", "{\"phone\":\"\(Scene.phone)\",\"create_user\":false}")
        #expect(try await scene.code(to: "+" + Scene.phone) != nil)
        let unknown = try await scene.call(
            "POST /otp", "{\"phone\":\"442071838750\",\"create_user\":false}")
        #expect(known.status == 200 && unknown.status == 200)
        #expect(known.response.body.count == unknown.response.body.count)
        #expect([known, unknown].allSatisfy { $0.json["challenge"]?.stringValue != nil })
        #expect(try await scene.code(to: "+442071838750") == nil)
    }

    @Test(
        "A used code gets the client that shows its challenge the same answer within the grace"
    )
    func again() async throws {
        let scene = try await Scene()
        for (target, type) in [("otp", "email"), ("recover", "recovery"), ("otp", "magiclink")] {
            let sent = try await scene.call("POST /\(target)", "{\"email\":\"\(Scene.email)\"}")
            let challenge = try #require(sent.json["challenge"]?.stringValue)
            let code = try #require(await scene.code(to: Scene.email))
            let typed = "\"email\":\"\(Scene.email)\",\"token\":\"\(code)\""
            let verify = { (member: String) in
                try await scene.call(
                    "POST /verify", "{\"type\":\"\(type)\",\(typed)\(member)}"
                )
            }
            let own = ",\"challenge\":\"\(challenge)\""
            let grant = try await verify(own)
            #expect(grant.status == 200)
            for _ in 0..<2 {
                let again = try await verify(own)
                #expect(again.status == 200 && again.response.body == grant.response.body)
            }
            // Others do not have its challenge.
            for member in ["", ",\"challenge\":\"\(String(repeating: "A", count: 44))\""] {
                #expect(try await verify(member).code == "otp_expired")
            }
            try await scene.pass(60)
            #expect(try await verify(own).code == "otp_expired")
            _ = try await scene.refresh(grant.refreshToken)
        }
        #expect(try await scene.count("SELECT count(*) FROM signet_sessions") == 3)
    }

    @Test("A used code gets no answer again once its session has ended, or without its challenge")
    func notAgain() async throws {
        let scene = try await Scene()
        let sent = try await scene.call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
        let challenge = try #require(sent.json["challenge"]?.stringValue)
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let verify = { (member: String) in
            try await scene.call(
                "POST /verify",
                "{\"type\":\"sms\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"\(member)}")
        }
        // A client that showed none is not known again.
        let grant = try await verify("")
        #expect(grant.status == 200)
        #expect(try await verify("").code == "otp_expired")
        #expect(try await verify(",\"challenge\":\"\(challenge)\"").code == "otp_expired")
        try await scene.pass(61)
        let next = try await scene.call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
        let second = try #require(next.json["challenge"]?.stringValue)
        let other = try #require(await scene.code(to: "+" + Scene.phone))
        let body =
            "{\"type\":\"sms\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(other)\","
            + "\"challenge\":\"\(second)\"}"
        let last = try await scene.call("POST /verify", body)
        #expect(try await scene.call("POST /logout", bearer: last.accessToken).status == 204)
        #expect(try await scene.call("POST /verify", body).code == "otp_expired")
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_answers") == 0)
    }

    @Test("Too early and too many requests are 429 with a time")
    func limits() async throws {
        let scene = try await Scene()
        for (member, code) in [
            ("\"phone\":\"+1 415 555 1234\"", "over_sms_send_rate_limit"),
            ("\"email\":\"Ann@Company.example\"", "over_email_send_rate_limit"),
        ] {
            let first = try await scene.call("POST /otp", "{\(member)}")
            let challenge = try #require(first.json["challenge"]?.stringValue)
            // Another client may ask at once.
            #expect(try await scene.call("POST /otp", "{\(member)}").status == 200)
            let again = try await scene.call(
                "POST /otp", "{\(member),\"challenge\":\"\(challenge)\"}")
            #expect(again.status == 429 && again.code == code)
            #expect(Int(again.field("Retry-After") ?? "").map { (1...60).contains($0) } == true)
        }
        // Codes that are tried from one address, whatever they are. If that takes long, some tries
        // become free again.
        var statuses: [Int] = []
        while statuses.count < 1_000, statuses.last != 429 {
            let number = statuses.count
            let answer = try await scene.call(
                "POST /verify",
                "{\"type\":\"sms\",\"phone\":\"1415555\(1000 + number)\",\"token\":\"000000\"}",
                client: number % 2 == 0 ? "2001:db8::1" : "2001:db8::ffff:2",
                fields: [("X-Forwarded-For", "198.51.100.\(number)")])
            statuses.append(answer.status)
        }
        #expect(statuses.count > 30 && statuses.dropLast().allSatisfy { $0 == 403 })
    }

    @Test("A code that is sent again has the same effect")
    func resends() async throws {
        let scene = try await Scene()
        _ = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}")
        // Later than the code lives.
        try await scene.pass(400)
        let again = try await scene.call(
            "POST /resend", "{\"type\":\"signup\",\"email\":\"\(Scene.email)\"}")
        #expect(again.status == 200)
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        #expect(try await scene.password("correct horse").userID == grant.userID)
    }

    @Test("A recovery code is sent to existing accounts only, and all get one answer")
    func recovers() async throws {
        let scene = try await Scene()
        let id = try await scene.signUp().userID
        let known = try await scene.call("POST /recover", "{\"email\":\"\(Scene.email)\"}")
        let unknown = try await scene.call("POST /recover", "{\"email\":\"bob@company.example\"}")
        #expect(known.status == 200 && unknown.status == 200)
        #expect(known.response.body.count == unknown.response.body.count)
        let code = try #require(await scene.code(to: Scene.email))
        #expect(try await scene.code(to: "bob@company.example") == nil)
        // It works for nothing else.
        let other = try await scene.call(
            "POST /verify",
            "{\"type\":\"email\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(other.code == "otp_expired")
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"recovery\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.userID == id)
        let changed = try await scene.call(
            "PUT /user", "{\"password\":\"battery staple\"}", bearer: grant.accessToken)
        #expect(changed.status == 200)
        #expect(try await scene.password("battery staple").userID == id)
        #expect(try await scene.password("correct horse").code == "invalid_credentials")
    }

    @Test("Only existing destinations and types are accepted")
    func inputs() async throws {
        let scene = try await Scene { $0.allowsEmail = false }
        for (body, status, code) in [
            ("{}", 400, "validation_failed"), ("{\"phone\":\"\"}", 400, "validation_failed"),
            ("{\"phone\":\"+1\",\"email\":null}", 400, "validation_failed"),
            ("{\"phone\":\"+１４１５５５５１２３４\"}", 400, "validation_failed"),
            ("{\"phone\":14155551234}", 400, "bad_json"),
            ("{\"phone\":\"14155551234\",\"email\":\"a@b.example\"}", 400, "validation_failed"),
            ("{\"email\":\"a@b.example\"}", 422, "email_provider_disabled"),
            ("{\"phone\":\"14155551234\",\"create_user\":\"no\"}", 400, "bad_json"),
            ("{\"phone\":\"14155551234\",\"data\":[]}", 400, "bad_json"),
        ] {
            let answer = try await scene.call("POST /otp", body)
            #expect(answer.status == status && answer.code == code, "\(body)")
        }
        for type in ["email", "recovery", "", "SMS", "phone"] {
            let answer = try await scene.call(
                "POST /verify",
                "{\"type\":\"\(type)\",\"phone\":\"14155551234\",\"token\":\"000000\"}")
            #expect(answer.code == "validation_failed", "\(type)")
        }
        // As clients write it: what is null is absent.
        let sent = try await scene.call(
            "POST /otp",
            "{\"phone\":\"14155551234\",\"email\":null,\"data\":null,\"create_user\":null,"
                + "\"channel\":\"sms\",\"gotrue_meta_security\":{\"captcha_token\":null},\"new\":1}"
        )
        #expect(sent.status == 200)
    }
}
