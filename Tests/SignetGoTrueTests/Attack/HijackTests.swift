// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import Testing

@Suite("Accounts that a stranger prepares, or adds a way into")
struct HijackTests {
    @Test(
        "a password that a stranger set up, where one's own request came too soon for a code",
        arguments: ["/otp", "/signup"])
    func refusedRequest(_ path: String) async throws {
        let scene = try await Scene()
        _ = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"of the attacker\"}")
        let own = try await scene.call(
            "POST \(path)", "{\"email\":\"\(Scene.email)\",\"password\":\"of the victim\"}")
        #expect(own.status == 429)
        // The only code that came.
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"email\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        for password in ["of the attacker", "of the victim"] {
            #expect(try await scene.password(password).code == "invalid_credentials")
        }
    }

    @Test("one's own number, which a stranger asked for first, goes to neither account")
    func refusedChange() async throws {
        let scene = try await Scene()
        let stranger = try await scene.call("POST /signup", "{}")
        let own = try await scene.signIn(Scene.email)
        let body = "{\"phone\":\"\(Scene.phone)\"}"
        #expect(
            try await scene.call("PUT /user", body, bearer: stranger.accessToken).status == 200)
        #expect(try await scene.call("PUT /user", body, bearer: own.accessToken).status == 429)
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let answer = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        #expect(answer.status == 403 && answer.code == "otp_expired")
        for grant in [stranger, own] {
            let user = try await scene.call("GET /user", bearer: grant.accessToken)
            #expect(user.json["phone"]?.stringValue == "")
        }
    }

    @Test("a session of some time ago adds no provider, and a fresh one does")
    func staleLink() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        try await scene.pass(601)
        let body =
            "{\"provider\":\"idp\",\"id_token\":\"\(try scene.provider.idToken("eve"))\","
            + "\"link_identity\":true}"
        let target = "POST /token?grant_type=id_token"
        let stale = try await scene.call(target, body, bearer: grant.accessToken)
        #expect(stale.status == 400 && stale.code == "reauthentication_needed")
        let user = try await scene.call("GET /user", bearer: grant.accessToken)
        #expect(user.json["identities"]?.arrayValue?.count == 1)
        let fresh = try await scene.signIn()
        let linked = try await scene.call(target, body, bearer: fresh.accessToken)
        #expect(linked.status == 200 && linked.userID == grant.userID)
    }
}
