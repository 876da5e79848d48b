// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("What a provider says about a person")
struct ProviderDataTests {
    private static let picture = "https://pictures.example/ann.png"
    private static let shown: JSONValue = [
        "name": "Ann Example", "full_name": "Ann Example", "picture": .string(picture),
        "avatar_url": .string(picture), "email": .string(Scene.email),
    ]

    @Test("Name, picture and address are in the user, the identity and the access token")
    func shown() async throws {
        let scene = try await Scene()
        let grant = try await Self.signIn(scene, ["picture": .string(Self.picture)])
        #expect(grant.json["user"]?["user_metadata"] == Self.shown)
        #expect(
            Self.identity(grant.json["user"]) == [
                "name": "Ann Example", "full_name": "Ann Example",
                "picture": .string(Self.picture), "avatar_url": .string(Self.picture),
                "email": .string(Scene.email), "email_verified": true,
                "iss": .string(StubProvider.issuer), "sub": "ann", "provider_id": "ann",
            ])
        let claims = try scene.service.sessions.issuer.verify(grant.accessToken)
            .claims(as: JSONValue.self)
        #expect(claims["user_metadata"] == Self.shown)
        // The provider's address is not one of ours.
        #expect(grant.json["user"]?["email"] == "" && claims["email"] == "")
        let refreshed = try await scene.refresh(grant.refreshToken)
        #expect(refreshed.json["user"]?["user_metadata"] == Self.shown)
        let user = try await scene.call("GET /user", bearer: refreshed.accessToken)
        #expect(user.json["user_metadata"] == Self.shown)
    }

    @Test("A later sign-in brings what is new, and takes nothing away")
    func later() async throws {
        let scene = try await Scene()
        _ = try await Self.signIn(scene, ["picture": .string(Self.picture)])
        let silent = try await Self.signIn(
            scene, ["name": nil, "email": nil, "email_verified": nil])
        #expect(silent.json["user"]?["user_metadata"] == Self.shown)
        #expect(Self.identity(silent.json["user"])?["email_verified"] == true)
        let new = try await Self.signIn(
            scene, ["name": "Ann Other", "email": "new@example.com", "email_verified": false])
        #expect(new.json["user"]?["user_metadata"]?["full_name"] == "Ann Other")
        #expect(new.json["user"]?["user_metadata"]?["avatar_url"] == .string(Self.picture))
        #expect(Self.identity(new.json["user"])?["email"] == "new@example.com")
        #expect(Self.identity(new.json["user"])?["email_verified"] == false)
    }

    @Test("What the user wrote stays the user's, at each sign-in")
    func own() async throws {
        let scene = try await Scene()
        let grant = try await Self.signIn(scene)
        let set = try await scene.call(
            "PUT /user", #"{"data":{"full_name":"Annie","email":"","theme":"dark"}}"#,
            bearer: grant.accessToken)
        let expected: JSONValue = [
            "name": "Ann Example", "full_name": "Annie", "email": "", "theme": "dark",
        ]
        #expect(set.json["user_metadata"] == expected)
        let again = try await Self.signIn(scene)
        #expect(again.json["user"]?["user_metadata"] == expected)
        // What the user removes is the provider's again.
        let removed = try await scene.call(
            "PUT /user", #"{"data":{"full_name":null,"email":null,"theme":null}}"#,
            bearer: again.accessToken)
        #expect(
            removed.json["user_metadata"] == [
                "name": "Ann Example", "full_name": "Ann Example", "email": .string(Scene.email),
            ])
    }

    @Test("Of two providers' accounts the one that was linked first is shown")
    func two() async throws {
        let scene = try await Scene()
        let grant = try await Self.signIn(scene)
        let second = try scene.provider.idToken(
            "bob", email: "bob@example.com",
            with: ["name": "Bob", "picture": .string(Self.picture)])
        let linked = try await scene.call(
            "POST /token?grant_type=id_token",
            #"{"provider":"keycloak","id_token":"\#(second)","link_identity":true}"#,
            bearer: grant.accessToken)
        #expect(linked.status == 200)
        #expect(linked.json["user"]?["user_metadata"] == Self.shown)
        let data = (linked.json["user"]?["identities"]?.arrayValue ?? []).map {
            $0["identity_data"]?["name"]?.stringValue
        }
        #expect(data == ["Ann Example", "Bob"])
        // They go with the identity.
        let people = People(scene.database)
        let id = try #require(grant.userID)
        let first = try #require(try await people.identities(of: id).first)
        try await people.unlink(first.identity, from: id)
        let left = try await scene.call("GET /user", bearer: linked.accessToken)
        #expect(left.json["user_metadata"]?["name"] == "Bob")
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_identities") == 1)
        _ = try await scene.call("DELETE /user", bearer: linked.accessToken)
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_identities") == 0)
    }

    @Test(
        "What cannot be used is left out, and the person is signed in",
        arguments: [
            ["name": "\u{202e}nnA", "email": "not an address", "picture": "http://a.example/a"],
            [
                "name": .string(String(repeating: "a", count: 101)), "email": "",
                "picture": .string("https://a.example/" + String(repeating: "a", count: 500)),
            ],
            ["name": " ", "email": nil, "email_verified": nil, "picture": "javascript:alert(1)"],
            ["name": nil, "email": nil, "email_verified": nil, "picture": nil],
        ] as [[String: JSONValue?]])
    func leftOut(claims: [String: JSONValue?]) async throws {
        let scene = try await Scene()
        let grant = try await Self.signIn(scene, claims)
        #expect(grant.status == 200 && grant.json["user"]?["user_metadata"] == [:])
        #expect(
            Self.identity(grant.json["user"]) == [
                "iss": .string(StubProvider.issuer), "sub": "ann", "provider_id": "ann",
            ])
    }

    @Test("The name that Apple sends once, beside the token, is kept")
    func apple() async throws {
        let scene = try await Scene()
        scene.provider.hidesNames.withLock { $0 = true }
        let user = #"{"name":{"firstName":"Ann","lastName":"Example"},"email":"evil@example.com"}"#
        let sent = ["user": user, "a": "[1]", "b": #"{"name":7}"#, "c": ""]
        for (name, expected) in [("a", nil), ("b", nil), ("user", "Ann Example"), ("c", nil)] {
            let grant = try await Self.visit(
                scene, subject: "x-" + name, adding: ("user", sent[name] ?? ""))
            #expect(
                grant.json["user"]?["user_metadata"]?["full_name"]?.stringValue == expected,
                "\(name)")
            #expect(Self.identity(grant.json["user"])?["email"] == .string(Scene.email))
        }
        // The next time there is none.
        let again = try await Self.visit(scene, subject: "x-user", adding: ("x", ""))
        #expect(again.json["user"]?["user_metadata"]?["name"] == "Ann Example")
        // A name in the token is the provider's own word.
        scene.provider.hidesNames.withLock { $0 = false }
        let other = #"{"name":{"firstName":"Eve"}}"#
        let signed = try await Self.visit(scene, subject: "y", adding: ("user", other))
        #expect(signed.json["user"]?["user_metadata"]?["name"] == "Ann Example")
    }

    private static func signIn(
        _ scene: Scene, _ claims: [String: JSONValue?] = [:]
    ) async throws -> Scene.Answer {
        let token = try scene.provider.idToken("ann", with: claims)
        return try await scene.call(
            "POST /token?grant_type=id_token",
            #"{"provider":"keycloak","id_token":"\#(token)"}"#)
    }

    private static func visit(
        _ scene: Scene, subject: String, adding parameter: (name: String, value: String)
    ) async throws -> Scene.Answer {
        let pkce = try PKCE()
        let begun = try await scene.call(
            BrowserCallTests.PendingBrowser(challenge: pkce.challenge, redirect: Scene.redirect)
                .target)
        let query = try scene.provider.visit(begun.field("Location") ?? "", subject: subject)
        let back = try await scene.call(
            "POST /callback/keycloak", query + "&" + FormEncoding.encode([parameter]),
            fields: [("Cookie", BrowserCallTests.cookie(begun))])
        return try await BrowserCallTests.exchange(scene, BrowserCallTests.code(back), pkce)
    }

    private static func identity(_ user: JSONValue?) -> JSONValue? {
        user?["identities"]?.arrayValue?.first?["identity_data"]
    }
}
