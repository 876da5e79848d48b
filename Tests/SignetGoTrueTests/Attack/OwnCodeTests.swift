// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

@Suite("Strangers do not keep a signed-in user from a change", .serialized)
struct OwnCodeTests {
    @Test("The secret of a device, shown as a member, counts for the codes of a new address")
    func device() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let device = try #require(grant.json["device"]?.stringValue)
        var last = 0
        for number in 1...8 {
            last = try await scene.call(
                "POST /otp", "{\"email\":\"\(Scene.email)\"}", client: "198.51.100.\(number)"
            ).status
        }
        #expect(last == 429)
        let member = try await scene.call(
            "PUT /user", "{\"email\":\"new@company.example\",\"device\":\"\(device)\"}",
            bearer: grant.accessToken, client: "192.0.2.1")
        #expect(member.status == 200)
    }

    @Test(
        "A nonce with its challenge is never refused, from whatever address it comes",
        arguments: ["PUT /user", "DELETE /user"])
    func nonce(_ target: String) async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let sent = try await scene.call(
            "GET /reauthenticate", bearer: grant.accessToken, client: "192.0.2.1")
        let challenge = try #require(sent.challenge)
        let nonce = try #require(await scene.code(of: challenge))
        let asked = try await scene.call(
            "POST /otp", "{\"email\":\"\(Scene.email)\"}", client: "198.51.100.1")
        let code = try #require(await scene.code(of: asked.challenge ?? ""))
        let wrong = code == "000000" ? "000001" : "000000"
        var last = 0
        for number in 1...21 {
            last = try await scene.call(
                "POST /verify",
                "{\"type\":\"email\",\"email\":\"\(Scene.email)\",\"token\":\"\(wrong)\"}",
                client: "203.0.113.\(number)"
            ).status
        }
        #expect(last == 429)
        // The phone has left the wireless network meanwhile.
        let members = { (challenge: String) in
            "{\"password\":\"battery staple\",\"nonce\":\"\(nonce)\","
                + "\"challenge\":\"\(challenge)\"}"
        }
        let other = try await scene.call(
            target, members(asked.challenge ?? ""), bearer: grant.accessToken, client: "192.0.2.9")
        #expect(other.code == "reauthentication_not_valid")
        let own = try await scene.call(
            target, members(challenge), bearer: grant.accessToken, client: "192.0.2.9")
        #expect(own.status < 300)
    }
}
