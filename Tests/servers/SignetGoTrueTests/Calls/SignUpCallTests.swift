// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import Testing

@Suite("Sign-ups at the service", .serialized)
struct SignUpCallTests {
    @Test("A password counts once its address is confirmed", arguments: [true, false])
    func confirms(byPhone: Bool) async throws {
        let scene = try await Scene()
        let member =
            byPhone ? "\"phone\":\"+\(Scene.phone)\"" : "\"email\":\"\(Scene.email)\""
        let body = "{\(member),\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}}"
        let asked = try await scene.call("POST /signup", body)
        #expect(asked.status == 200 && asked.json["access_token"] == nil)
        #expect(asked.json["identities"]?.arrayValue?.count == 1)
        #expect(asked.json["email_confirmed_at"] == nil && asked.json["phone_confirmed_at"] == nil)
        let verified = byPhone ? "phone_verified" : "email_verified"
        #expect(Self.identity(asked.json)?["identity_data"]?[verified] == false)
        let signIn = {
            try await scene.call(
                "POST /token?grant_type=password", "{\(member),\"password\":\"correct horse\"}")
        }
        #expect(try await signIn().code == "invalid_credentials")
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 0)
        let code = try #require(
            await scene.code(to: byPhone ? "+" + Scene.phone : Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"\(byPhone ? "sms" : "signup")\",\(member),\"token\":\"\(code)\"}")
        #expect(grant.json["user"]?["user_metadata"] == ["name": "Ann"])
        #expect(Self.identity(grant.json["user"])?["identity_data"]?[verified] == true)
        #expect(try await signIn().userID == grant.userID)
    }

    private static func identity(_ user: JSONValue?) -> JSONValue? {
        user?["identities"]?.arrayValue?.first
    }

    @Test("Signing up twice with the same password keeps it")
    func twice() async throws {
        let scene = try await Scene()
        let body = "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}"
        _ = try await scene.call("POST /signup", body)
        try await scene.pass(61)
        let id = try await scene.signUp().userID
        #expect(try await scene.password("correct horse").userID == id)
    }

    @Test("A known address gets the same answer, and a code that signs in")
    func known() async throws {
        let scene = try await Scene()
        let id = try await scene.signUp().userID
        try await scene.pass(61)
        let names = { (answer: Scene.Answer) -> [String] in
            guard case .object(let members) = answer.json else { return [] }
            return members.keys.sorted()
        }
        let unknown = try await scene.call(
            "POST /signup", "{\"email\":\"bob@company.example\",\"password\":\"battery staple\"}")
        let known = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"battery staple\"}")
        #expect(names(known) == names(unknown) && known.status == unknown.status)
        #expect(known.userID != id && known.userID != unknown.userID)
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.userID == id)
        // The sign-up has changed nothing.
        #expect(try await scene.password("battery staple").code == "invalid_credentials")
        #expect(try await scene.password("correct horse").userID == id)
    }

    @Test("A closed sign-up and a failed captcha are refused")
    func off() async throws {
        let scene = try await Scene {
            $0.allowsSignUp = false
            $0.captcha = { answer, _ in answer == "human" }
        }
        let closed = try await scene.call("POST /signup", "{}")
        #expect(closed.status == 422 && closed.code == "signup_disabled")
        let robot = try await scene.call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
        #expect(robot.status == 400 && robot.code == "captcha_failed")
        let human = try await scene.call(
            "POST /otp",
            "{\"phone\":\"\(Scene.phone)\",\"gotrue_meta_security\":{\"captcha_token\":\"human\"}}")
        #expect(human.status == 200)
        #expect(try await scene.code(to: "+" + Scene.phone) == nil)
        let token = try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(scene.provider.idToken("ann"))\","
                + "\"gotrue_meta_security\":{\"captcha_token\":\"human\"}}")
        #expect(token.code == "signup_disabled")
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 0)

        let noGuests = try await Scene { $0.allowsGuests = false }
        let guest = try await noGuests.call("POST /signup", "{\"data\":{}}")
        #expect(guest.status == 422 && guest.code == "anonymous_provider_disabled")
    }

    @Test("Guests from one client address are limited")
    func guestLimit() async throws {
        let scene = try await Scene()
        var statuses: [Int] = []
        for _ in 0..<31 {
            statuses.append(try await scene.call("POST /signup", "{}", client: "192.0.2.1").status)
        }
        #expect(statuses.prefix(30).allSatisfy { $0 == 200 } && statuses.last == 429)
        #expect(try await scene.call("POST /signup", "{}", client: "192.0.2.2").status == 200)
    }
}
