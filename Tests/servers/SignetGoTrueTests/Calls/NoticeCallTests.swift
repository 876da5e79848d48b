// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import Testing

/// Accounts review of 2026-11-26, finding 5.
@Suite("People are told of changes at what was there before", .serialized)
struct NoticeCallTests {
    private static let new = AddressChangeTests.new

    private static func confirmPhone(_ scene: Scene, _ phone: String) async throws {
        let code = try #require(await scene.code(to: "+" + phone))
        let done = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(phone)\",\"token\":\"\(code)\"}")
        #expect(done.status == 200)
    }

    @Test(
        "Each change tells the mailbox, or the phone without one",
        arguments: Engine.allCases)
    func each(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        // Signing up, in and out is no change, and neither are metadata.
        let token = try await scene.signUp().accessToken
        _ = try await scene.call("PUT /user", "{\"data\":{\"a\":1}}", bearer: token)
        _ = try await scene.password("correct horse")
        #expect(try await scene.notices() == [])

        _ = try await scene.call("PUT /user", "{\"password\":\"battery staple\"}", bearer: token)
        #expect(try await scene.notices() == ["password \(Scene.email)"])
        _ = try await scene.call("PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: token)
        // Only asked for.
        #expect(try await scene.notices().count == 1)
        try await Self.confirmPhone(scene, Scene.phone)
        #expect(try await scene.notices().contains("phone \(Scene.email)"))
        let link =
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\","
            + "\"link_identity\":true}"
        for _ in 0..<2 {
            let linked = try await scene.call(
                "POST /token?grant_type=id_token", link, bearer: token)
            #expect(linked.status == 200)
        }
        #expect(
            try await scene.notices() == [
                "password \(Scene.email)", "phone \(Scene.email)",
                "provider-added \(Scene.email)",
            ])
    }

    @Test(
        "A new address is told of at the old one, and a new number at the old one too",
        arguments: Engine.allCases)
    func oldOnes(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        let token = try await scene.signIn().accessToken
        _ = try await scene.call("PUT /user", "{\"phone\":\"442071838750\"}", bearer: token)
        try await Self.confirmPhone(scene, "442071838750")
        #expect(try await scene.notices() == ["phone +\(Scene.phone)"])
        // The first address.
        _ = try await scene.call("PUT /user", "{\"email\":\"\(Scene.email)\"}", bearer: token)
        #expect(try await scene.confirmChange(to: Scene.email).accessToken != "")
        _ = try await scene.call("PUT /user", "{\"email\":\"\(Self.new)\"}", bearer: token)
        _ = try await scene.confirmChange(to: Scene.email)
        #expect(try await scene.notices().count == 2)
        #expect(try await scene.confirmChange(to: Self.new).accessToken != "")
        #expect(
            try await scene.notices() == [
                "email +442071838750", "email \(Scene.email)", "phone +\(Scene.phone)",
            ])
        // No notice holds a code or a destination of the change.
        for notice in scene.sender.notices {
            #expect(!"\(notice)".contains("@") && !String(reflecting: notice).contains("4420"))
        }
    }

    @Test("A user of a provider alone is told at the address that it has verified")
    func providersAddress() async throws {
        let scene = try await Scene()
        let signedIn = try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\"}")
        #expect(try await scene.notices() == [])
        _ = try await scene.call(
            "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: signedIn.accessToken)
        try await Self.confirmPhone(scene, Scene.phone)
        #expect(try await scene.notices() == ["phone \(Scene.email)"])
    }

    @Test("A change that fails tells of nothing, and a guest's first way in does not either")
    func none() async throws {
        let scene = try await Scene()
        try await scene.signIn(Scene.email)
        let guest = try await scene.call("POST /signup", "{}")
        _ = try await scene.call(
            "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: guest.accessToken)
        try await Self.confirmPhone(scene, Scene.phone)
        // Another's account at a provider, which is not linked.
        _ = try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("bob"))\"}")
        let taken = try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("bob"))\","
                + "\"link_identity\":true}", bearer: guest.accessToken)
        #expect(taken.status == 422 && taken.code == "identity_already_exists")
        #expect(try await scene.notices() == [])
    }

    @Test(
        "Many changes tell of five, and of the others as one, later",
        arguments: Engine.allCases)
    func flood(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        let token = try await scene.signUp().accessToken
        for number in 0..<9 {
            let set = try await scene.call(
                "PUT /user", "{\"password\":\"of round \(number)\"}", bearer: token)
            #expect(set.status == 200)
        }
        // The change that they are to hide.
        _ = try await scene.call("PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: token)
        try await Self.confirmPhone(scene, Scene.phone)
        let first = [String](repeating: "password \(Scene.email)", count: 5)
        #expect(try await scene.notices() == first)
        let later: SQLStatement = """
            UPDATE signet_outbox SET due_at = due_at - 1801000, ends_at = ends_at - 1801000
            RETURNING 1
            """
        _ = try await scene.count(later)
        #expect(try await scene.notices() == first + ["phone \(Scene.email) +"])
        _ = try await scene.count(later)
        #expect(try await scene.notices().count == 6)
    }
}
