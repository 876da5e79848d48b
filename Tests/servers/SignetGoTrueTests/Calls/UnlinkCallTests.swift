// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("Ways to sign in are removed at the service", .serialized, .timeLimit(.minutes(20)))
struct UnlinkCallTests {
    /// Links an account at the provider to a signed-in user.
    private static func link(_ scene: Scene, _ bearer: String) async throws -> Scene.Answer {
        let token = try scene.provider.idToken("ann")
        return try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(token)\",\"link_identity\":true}",
            bearer: bearer)
    }

    /// The `identity_id` of a user's way to sign in, by its provider.
    private static func identity(
        _ provider: String, of user: JSONValue?
    ) throws -> String {
        let all = try #require(user?["identities"]?.arrayValue)
        let found = all.first { $0["provider"]?.stringValue == provider }
        return try #require(found?["identity_id"]?.stringValue)
    }

    private static func unlink(
        _ scene: Scene, _ id: String, _ bearer: String
    ) async throws -> Scene.Answer {
        try await scene.call("DELETE /user/identities/\(id)", bearer: bearer)
    }

    @Test("One of two goes, its account is free, and the last one stays")
    func unlinks() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let linked = try await Self.link(scene, grant.accessToken)
        #expect(linked.status == 200)
        let user = linked.json["user"]
        let provider = try Self.identity("keycloak", of: user)
        let removed = try await Self.unlink(scene, provider.uppercased(), grant.accessToken)
        #expect(removed.status == 200 && removed.json == [:])
        let seen = try await scene.call("GET /user", bearer: grant.accessToken)
        #expect(seen.json["identities"]?.arrayValue?.count == 1)
        #expect(seen.json["app_metadata"]?["providers"] == ["email"])
        let last = try await Self.unlink(
            scene, try Self.identity("email", of: user), grant.accessToken)
        #expect(last.status == 422 && last.code == "single_identity_not_deletable")
        let token = try scene.provider.idToken("ann")
        let other = try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(token)\"}")
        #expect(other.status == 200 && other.userID != grant.userID)
        #expect(
            try await scene.notices() == [
                "provider-added \(Scene.email)", "provider-removed \(Scene.email)",
            ])
    }

    @Test("An address goes too, and is told at the address")
    func address() async throws {
        let scene = try await Scene()
        let grant = try await scene.signUp()
        let linked = try await Self.link(scene, grant.accessToken)
        let id = try Self.identity("email", of: linked.json["user"])
        #expect(try await Self.unlink(scene, id, grant.accessToken).status == 200)
        #expect(try await scene.notices().contains("email-removed \(Scene.email)"))
        #expect(try await scene.password("correct horse").code == "invalid_credentials")
        let seen = try await scene.call("GET /user", bearer: linked.accessToken)
        #expect(seen.status == 200 && seen.json["email"] == "")
        // No password is left for the next address.
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_passwords") == 0)
    }

    @Test("What a thief of a session links does not replace what was there, for a day")
    func settled() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        try await scene.pass(86_401)
        let thief = try await scene.password("correct horse")
        let linked = try await Self.link(scene, thief.accessToken)
        let email = try Self.identity("email", of: linked.json["user"])
        let provider = try Self.identity("keycloak", of: linked.json["user"])
        for token in [thief.accessToken, linked.accessToken] {
            let refused = try await Self.unlink(scene, email, token)
            #expect(refused.status == 422 && refused.code == "single_identity_not_deletable")
        }
        // The owner takes it away again at once.
        let owner = try await scene.password("correct horse")
        #expect(try await Self.unlink(scene, provider, owner.accessToken).status == 200)
        // What the owner links can replace it a day later.
        #expect(try await Self.link(scene, owner.accessToken).status == 200)
        try await scene.pass(86_401)
        let later = try await scene.password("correct horse")
        #expect(try await Self.unlink(scene, email, later.accessToken).status == 200)
    }

    @Test("What does not work at this service does not count as a way to sign in")
    func unusable() async throws {
        let scene = try await Scene { $0.allowsPhone = false }
        let grant = try await scene.signIn(Scene.email)
        let id = try #require(grant.userID)
        let people = People(scene.database)
        _ = try await people.link(.phone(PhoneNumber("+" + Scene.phone)), to: id)
        _ = try await people.link(
            UserIdentity(issuer: "https://gone.example", subject: "ann"), to: id)
        let email = try Self.identity("email", of: grant.json["user"])
        let refused = try await Self.unlink(scene, email, grant.accessToken)
        #expect(refused.status == 422 && refused.code == "single_identity_not_deletable")
        let linked = try await Self.link(scene, grant.accessToken)
        #expect(try await Self.unlink(scene, email, linked.accessToken).status == 200)
    }

    @Test("With a provider its sign-in goes that a browser has not finished, and a waiting change")
    func unfinished() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let linked = try await Self.link(scene, grant.accessToken)
        let pkce = try PKCE()
        let code = try BrowserCallTests.code(await BrowserCallTests.visit(scene, pkce))
        let asked = try await scene.call(
            "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: grant.accessToken)
        #expect(asked.status == 200)
        let provider = try Self.identity("keycloak", of: linked.json["user"])
        #expect(try await Self.unlink(scene, provider, grant.accessToken).status == 200)
        let exchanged = try await BrowserCallTests.exchange(scene, code, pkce)
        #expect(exchanged.status == 404 && exchanged.code == "flow_state_not_found")
        let phoneCode = try #require(await scene.code(to: "+" + Scene.phone))
        let late = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(phoneCode)\"}")
        #expect(late.code == "otp_expired")
    }

    @Test("The removal of a number is told at the number too")
    func number() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let id = try #require(grant.userID)
        _ = try await People(scene.database)
            .link(.phone(PhoneNumber("+" + Scene.phone)), to: id)
        let seen = try await scene.call("GET /user", bearer: grant.accessToken)
        let phone = try Self.identity("phone", of: seen.json)
        #expect(try await Self.unlink(scene, phone, grant.accessToken).status == 200)
        #expect(
            try await scene.notices() == [
                "phone-removed +\(Scene.phone)", "phone-removed \(Scene.email)",
            ])
    }

    @Test("Not after ten minutes, not another's, and not by a name that is none")
    func refused() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let linked = try await Self.link(scene, grant.accessToken)
        let other = try await scene.signIn()
        let others = try Self.identity("phone", of: other.json["user"])
        let provider = try Self.identity("keycloak", of: linked.json["user"])
        for (id, status, code) in [
            (others, 422, "identity_not_found"), ("keycloak", 404, "validation_failed"),
            ("00000000-0000-4000-8000-000000000000", 422, "identity_not_found"),
        ] {
            let answer = try await Self.unlink(scene, id, grant.accessToken)
            #expect(answer.status == status && answer.code == code, "\(id)")
        }
        let guest = try await scene.call("POST /signup", "{}")
        let none = try await Self.unlink(scene, provider, guest.accessToken)
        #expect(none.code == "single_identity_not_deletable")
        try await scene.pass(601)
        let stale = try await Self.unlink(scene, provider, grant.accessToken)
        #expect(stale.code == "reauthentication_needed")
    }

    @Test("Of two that go at once, one stays", arguments: Engine.allCases)
    func atOnce(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        let grant = try await scene.signIn(Scene.email)
        let linked = try await Self.link(scene, grant.accessToken)
        let ids = [
            try Self.identity("keycloak", of: linked.json["user"]),
            try Self.identity("email", of: linked.json["user"]),
        ]
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for id in ids {
                group.addTask { try await Self.unlink(scene, id, grant.accessToken).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 422])
    }
}
