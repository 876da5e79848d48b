// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
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

    @Test("Asking for a nonce takes the secret of a device and the earlier challenge as members")
    func members() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let device = try #require(grant.json["device"]?.stringValue)
        for number in 1...8 {
            _ = try await scene.call(
                "POST /otp", "{\"email\":\"\(Scene.email)\"}", client: "198.51.100.\(number)")
        }
        let ask = { (members: String?) in
            try await scene.call(
                "POST /reauthenticate", members, bearer: grant.accessToken, client: "192.0.2.1")
        }
        #expect(try await ask(nil).status == 429)
        let sent = try await ask("{\"device\":\"\(device)\"}")
        #expect(sent.status == 200)
        let early = try await ask(
            "{\"device\":\"\(device)\",\"challenge\":\"\(sent.challenge ?? "")\"}")
        #expect(early.status == 429 && Int(early.field("Retry-After") ?? "") ?? 999 <= 60)
    }

    @Test(
        "A change whose answer was lost gets it again, for the same nonce, challenge and change",
        arguments: Engine.allCases)
    func lostAnswer(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let scene = try await Scene(place.open())
        let grant = try await scene.signUp()
        try await scene.pass(601)
        let sent = try await scene.call("GET /reauthenticate", bearer: grant.accessToken)
        let challenge = try #require(sent.challenge)
        let nonce = try #require(await scene.code(of: challenge))
        func change(
            _ password: String = "battery staple", to email: String = "new@company.example",
            showing shown: String? = nil, more: String = ""
        ) async throws -> Scene.Answer {
            let member = shown.map { ",\"challenge\":\"\($0)\"" } ?? ""
            return try await scene.call(
                "PUT /user",
                "{\"password\":\"\(password)\",\"email\":\"\(email)\","
                    + "\"nonce\":\"\(nonce)\"\(member)\(more)}", bearer: grant.accessToken)
        }
        let done = try await change(showing: challenge)
        #expect(done.status == 200 && done.json["new_email"] != nil)
        let again = try await change(showing: challenge)
        #expect(again.status == 200 && again.response.body == done.response.body)
        // It tells no one of what was not done.
        let others = [
            try await change(), try await change("another one", showing: challenge),
            try await change(to: "eve@company.example", showing: challenge),
            try await change(showing: challenge, more: ",\"data\":{\"a\":1}"),
        ]
        for other in others { #expect(other.code == "reauthentication_not_valid") }
        #expect(try await scene.password("battery staple").status == 200)
        try await scene.pass(61)
        #expect(
            try await change(showing: challenge).code == "reauthentication_not_valid")
    }
}
