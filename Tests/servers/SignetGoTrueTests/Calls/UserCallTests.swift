// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("Users at the service", .serialized)
struct UserCallTests {
    @Test("Metadata is merged, bounded, and grants nothing")
    func metadata() async throws {
        let scene = try await Scene()
        let token = try await scene.signIn().accessToken
        let set = try await scene.call(
            "PUT /user",
            "{\"data\":{\"name\":\"Ann\",\"n\":1.5},\"app_metadata\":{\"role\":\"admin\"},"
                + "\"role\":\"service_role\",\"email\":null,\"password\":null}", bearer: token)
        #expect(set.status == 200)
        #expect(set.json["user_metadata"] == ["name": "Ann", "n": .number(1.5)])
        #expect(set.json["app_metadata"]?["role"] == nil)
        #expect(set.json["role"]?.stringValue == "authenticated")
        let more = try await scene.call(
            "PUT /user", "{\"data\":{\"name\":null,\"theme\":\"dark\"}}", bearer: token)
        #expect(more.json["user_metadata"] == ["n": .number(1.5), "theme": "dark"])
        // In the next access token.
        let wide = String(repeating: "a", count: 4_000)
        for (data, fits) in [
            ("{\"a\":\"\(wide)\"}", true), ("{\"b\":\"\(wide)\"}", false),
            (
                "{\"c\":" + String(repeating: "[", count: 8) + String(repeating: "]", count: 8)
                    + "}", false
            ),
            ("{\"\(String(repeating: "n", count: 129))\":1}", false),
            ("{\"d\":1e999}", false),
        ] {
            let answer = try await scene.call("PUT /user", "{\"data\":\(data)}", bearer: token)
            #expect(answer.status == (fits ? 200 : 400))
            if !fits { #expect(answer.code == "validation_failed") }
        }
        let kept = try await scene.call("GET /user", bearer: token)
        #expect(kept.json["user_metadata"]?["theme"]?.stringValue == "dark")
        #expect(kept.json["user_metadata"]?["b"] == nil)
        try await scene.pass(61)
        let fresh = try await scene.signIn()
        let claims = try scene.service.sessions.issuer.verify(fresh.accessToken)
            .claims(as: JSONValue.self)
        #expect(claims["user_metadata"]?["theme"]?.stringValue == "dark")
        #expect(claims["role"]?.stringValue == "authenticated")
    }

    @Test("A guest adds a number and stays the same user")
    func guest() async throws {
        let scene = try await Scene()
        let guest = try await scene.call("POST /signup", "{\"data\":{\"theme\":\"dark\"}}")
        #expect(guest.status == 200 && guest.json["user"]?["is_anonymous"]?.boolValue == true)
        // However long after.
        try await scene.pass(86_400)
        let asked = try await scene.call(
            "PUT /user", "{\"phone\":\"+\(Scene.phone)\"}", bearer: guest.accessToken)
        #expect(asked.json["new_phone"]?.stringValue == Scene.phone)
        #expect(asked.json["phone"]?.stringValue == "")
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let verify = { (type: String) in
            try await scene.call(
                "POST /verify",
                "{\"type\":\"\(type)\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        }
        #expect(try await verify("sms").code == "otp_expired")
        let grant = try await verify("phone_change")
        #expect(grant.userID == guest.userID)
        #expect(grant.json["user"]?["is_anonymous"]?.boolValue == false)
        #expect(grant.json["user"]?["user_metadata"] == ["theme": "dark"])
        let seen = try await scene.call("GET /user", bearer: guest.accessToken)
        #expect(seen.json["phone"]?.stringValue == Scene.phone)
    }

    @Test("A new address replaces the old one once its code comes back")
    func changesAddress() async throws {
        let scene = try await Scene()
        let grant = try await scene.signUp()
        let body = "{\"email\":\"new@company.example\"}"
        let asked = try await scene.call("PUT /user", body, bearer: grant.accessToken)
        #expect(asked.json["email"]?.stringValue == Scene.email)
        #expect(asked.json["new_email"]?.stringValue == "new@company.example")
        _ = try await scene.confirmChange(to: Scene.email)
        let changed = try await scene.confirmChange(to: "new@company.example")
        #expect(changed.userID == grant.userID)
        #expect(changed.json["user"]?["email"]?.stringValue == "new@company.example")
        #expect(changed.json["user"]?["identities"]?.arrayValue?.count == 1)
        let old = try await scene.password("correct horse")
        #expect(old.code == "invalid_credentials")
        let new = try await scene.password("correct horse", "new@company.example")
        #expect(new.userID == grant.userID)
        // The address is free, for a separate user.
        try await scene.pass(61)
        #expect(try await scene.signIn(Scene.email).userID != grant.userID)
    }

    @Test("Another user's address gets no code, and the answer is the same")
    func addressOfAnother() async throws {
        let scene = try await Scene()
        try await scene.signIn(Scene.email)
        let other = try await scene.signIn()
        try await scene.pass(61)
        let before = scene.sender.messages.count
        let answer = try await scene.call(
            "PUT /user", "{\"email\":\"\(Scene.email)\"}", bearer: other.accessToken)
        #expect(answer.status == 200 && answer.json["new_email"]?.stringValue == Scene.email)
        _ = try await scene.code(to: Scene.email)
        #expect(scene.sender.messages.count == before)
    }

    @Test("An address that the user already has is no change, as in a form with all fields")
    func unchangedAddress() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let phone = try await scene.call(
            "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: grant.accessToken)
        #expect(phone.json["new_phone"]?.stringValue == Scene.phone)
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let grown = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        #expect(grown.status == 200)
        try await scene.pass(601)
        let before = scene.sender.messages.count
        let same = try await scene.call(
            "PUT /user",
            "{\"email\":\"Ann@company.example\",\"phone\":\"+\(Scene.phone)\",\"data\":{\"a\":1}}",
            bearer: grown.accessToken)
        #expect(same.status == 200 && same.json["user_metadata"] == ["a": 1])
        #expect(same.json["new_email"] == nil && same.json["new_phone"] == nil)
        _ = try await scene.code(to: Scene.email)
        #expect(scene.sender.messages.count == before)
        // One of them is another one.
        let other = "{\"email\":\"\(Scene.email)\",\"phone\":\"442071838750\"}"
        let stale = try await scene.call("PUT /user", other, bearer: grown.accessToken)
        #expect(stale.code == "reauthentication_needed")
        let fresh = try await scene.signIn(Scene.email)
        let asked = try await scene.call("PUT /user", other, bearer: fresh.accessToken)
        #expect(asked.json["new_phone"]?.stringValue == "442071838750")
        #expect(asked.json["new_email"] == nil)
        // Both are other ones.
        let both = try await scene.call(
            "PUT /user", "{\"email\":\"new@company.example\",\"phone\":\"442071838751\"}",
            bearer: fresh.accessToken)
        #expect(both.status == 400 && both.code == "validation_failed")
    }

    @Test("The profile keeps an address when another one replaces it")
    func profile() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        _ = try await scene.call(
            "PUT /user", "{\"email\":\"new@company.example\"}", bearer: grant.accessToken)
        _ = try await scene.confirmChange(to: "new@company.example")
        let changed = try await scene.confirmChange(to: Scene.email)
        let user = try await People(scene.database).user(try #require(changed.userID))
        #expect(user?.email == "new@company.example" && user?.isEmailVerified == true)
    }

    @Test("Sensitive changes need a recent sign-in or a code")
    func reauthentication() async throws {
        let scene = try await Scene()
        let grant = try await scene.signUp()
        let other = try await scene.password("correct horse")
        try await scene.pass(601)
        let token = grant.accessToken
        for body in [
            "{\"password\":\"battery staple\"}", "{\"email\":\"new@company.example\"}",
            "{\"phone\":\"\(Scene.phone)\"}",
            "{\"password\":\"battery staple\",\"data\":{\"name\":\"Eve\"}}",
        ] {
            let answer = try await scene.call("PUT /user", body, bearer: token)
            #expect(answer.status == 400 && answer.code == "reauthentication_needed", "\(body)")
        }
        // All or nothing.
        let user = try await scene.call("GET /user", bearer: token)
        #expect(user.json["user_metadata"] == [:])
        #expect(
            try await scene.call("PUT /user", "{\"data\":{\"a\":1}}", bearer: token).status == 200)

        #expect(try await scene.call("GET /reauthenticate", bearer: token).status == 200)
        let nonce = try #require(await scene.code(to: Scene.email))
        let wrong = nonce == "000000" ? "000001" : "000000"
        let body = { (nonce: String) in "{\"password\":\"battery staple\",\"nonce\":\"\(nonce)\"}" }
        let refused = try await scene.call("PUT /user", body(wrong), bearer: token)
        #expect(refused.status == 422 && refused.code == "reauthentication_not_valid")
        #expect(try await scene.call("PUT /user", body(nonce), bearer: token).status == 200)
        #expect(try await scene.password("battery staple").status == 200)
        #expect(try await scene.password("correct horse").code == "invalid_credentials")
        // Other sessions have ended, and this one has not.
        #expect(try await scene.call("GET /user", bearer: token).status == 200)
        let out = try await scene.call("GET /user", bearer: other.accessToken)
        #expect(out.code == "session_not_found")
        let again = try await scene.call("PUT /user", body(nonce), bearer: token)
        #expect(again.code == "reauthentication_not_valid")
    }

    @Test("A user whose hash cannot be read signs in by a code, and sets a new password")
    func unreadableHash() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        #expect(
            try await scene.count(
                "UPDATE signet_gotrue_passwords SET hash = 'of another system' RETURNING 1") == 1)
        #expect(try await scene.password("correct horse").status == 500)
        let token = try await scene.signIn(Scene.email).accessToken
        let asked = try await scene.call("GET /reauthenticate", bearer: token)
        let challenge = try #require(asked.challenge)
        let nonce = try #require(await scene.code(to: Scene.email))
        let wrong = nonce == "000000" ? "000001" : "000000"
        let body = { (nonce: String) in
            """
            {"password":"battery staple","nonce":"\(nonce)","challenge":"\(challenge)"}
            """
        }
        let refused = try await scene.call("PUT /user", body(wrong), bearer: token)
        #expect(refused.status == 422 && refused.code == "reauthentication_not_valid")
        #expect(try await scene.call("PUT /user", body(nonce), bearer: token).status == 200)
        #expect(try await scene.password("battery staple").status == 200)
    }

    @Test("Short passwords, and passwords for users who cannot use them, are refused")
    func passwords() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let short = try await scene.call(
            "PUT /user", "{\"password\":\"short\"}", bearer: grant.accessToken)
        #expect(short.status == 422 && short.code == "weak_password")
        #expect(short.json["weak_password"]?["reasons"]?.arrayValue == ["length"])
        let guest = try await scene.call("POST /signup", "{}")
        let none = try await scene.call(
            "PUT /user", "{\"password\":\"correct horse\"}", bearer: guest.accessToken)
        #expect(none.status == 422 && none.code == "validation_failed")
        #expect(
            try await scene.call("GET /reauthenticate", bearer: guest.accessToken).status == 422)
        let off = try await Scene { $0.passwords = nil }
        #expect(try await off.password("correct horse").code == "provider_disabled")
    }
}
