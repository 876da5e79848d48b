// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetGoTrue
import SignetJOSE
import SignetSignIn
import Testing

/// A call of the service that asks hooks.
enum HookedCall: String, CaseIterable, Sendable {
    case signUp, newPassword
    case code, codeOfSignUp, recovery, link, password, idToken, linkedIDToken, browserCode, guest
    case refresh
    case newFactor, factor, removedFactor
    case newAddress, newNumber, unlinked, deleted

    /// The hooks, in the order in which they are asked.
    var hooks: [HookScene.Hook] {
        switch self {
        case .signUp: [.beforePassword]
        case .newPassword: [.beforePassword, .beforeChange]
        case .code, .recovery, .password, .browserCode, .refresh, .factor:
            [.beforeSession, .claims]
        case .codeOfSignUp, .link, .idToken, .guest: [.atSignUp, .beforeSession, .claims]
        case .linkedIDToken, .newFactor, .newAddress, .newNumber:
            [.beforeChange, .beforeSession, .claims]
        case .removedFactor, .unlinked, .deleted: [.beforeChange]
        }
    }

    /// Whether the codes of an app are in it, which end by the clock.
    var needsStoppedClock: Bool {
        [.newFactor, .factor, .removedFactor].contains(self)
    }

    /// Brings a service to where the call is due. The request brings all that it uses up.
    func prepare(_ scene: Scene) async throws -> GoTrueRequest {
        let email = "\"email\":\"\(Scene.email)\""
        let idToken =
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\""
        switch self {
        case .signUp:
            return Scene.request("POST /signup", "{\(email),\"password\":\"correct horse\"}")
        case .newPassword:
            return Scene.request(
                "PUT /user", "{\"password\":\"battery staple\"}",
                bearer: try await scene.signUp().accessToken)
        case .code:
            try await scene.signUp()
            _ = try await scene.call("POST /otp", "{\(email)}")
            return try await Self.verification("email", of: Scene.email, scene)
        case .codeOfSignUp:
            _ = try await scene.call("POST /signup", "{\(email),\"password\":\"correct horse\"}")
            return try await Self.verification("signup", of: Scene.email, scene)
        case .recovery:
            try await scene.signUp()
            _ = try await scene.call("POST /recover", "{\(email)}")
            return try await Self.verification("recovery", of: Scene.email, scene)
        case .link:
            _ = try await scene.call("POST /otp", "{\(email)}")
            let token = try await scene.linkToken()
            return Scene.request(
                "POST /verify", "{\"type\":\"email\",\"token_hash\":\"\(token)\"}")
        case .password:
            try await scene.signUp()
            return Scene.request(
                "POST /token?grant_type=password", "{\(email),\"password\":\"correct horse\"}")
        case .idToken: return Scene.request("POST /token?grant_type=id_token", idToken + "}")
        case .linkedIDToken:
            return Scene.request(
                "POST /token?grant_type=id_token", idToken + ",\"link_identity\":true}",
                bearer: try await scene.signUp().accessToken)
        case .browserCode:
            let pkce = try PKCE()
            let code = try BrowserCallTests.code(await BrowserCallTests.visit(scene, pkce))
            return Scene.request(
                "POST /token?grant_type=pkce",
                "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}")
        case .guest: return Scene.request("POST /signup", "{}")
        case .refresh:
            let token = try await scene.signUp().refreshToken
            return Scene.request(
                "POST /token?grant_type=refresh_token", "{\"refresh_token\":\"\(token)\"}")
        case .newFactor, .factor, .removedFactor: return try await prepareFactor(scene)
        case .newAddress:
            let token = try await scene.signUp().accessToken
            let new = "new@company.example"
            _ = try await scene.call("PUT /user", "{\"email\":\"\(new)\"}", bearer: token)
            #expect(try await scene.confirmChange(to: Scene.email).status == 200)
            return try await Self.verification("email_change", of: new, scene)
        case .newNumber:
            let token = try await scene.signUp().accessToken
            _ = try await scene.call("PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: token)
            let code = try #require(try await scene.code(to: "+" + Scene.phone))
            return Scene.request(
                "POST /verify",
                "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        case .unlinked:
            let linked = try await scene.call(
                "POST /token?grant_type=id_token", idToken + ",\"link_identity\":true}",
                bearer: try await scene.signUp().accessToken)
            let identities = try #require(linked.json["user"]?["identities"]?.arrayValue)
            let id = identities.first { $0["provider"] == "keycloak" }?["identity_id"]?.stringValue
            return Scene.request(
                "DELETE /user/identities/\(try #require(id))", bearer: linked.accessToken)
        case .deleted:
            return Scene.request("DELETE /user", bearer: try await scene.signUp().accessToken)
        }
    }

    private func prepareFactor(_ scene: Scene) async throws -> GoTrueRequest {
        let fixture = FactorScene(scene)
        let token = try await scene.signUp().accessToken
        let app = try await fixture.app(token)
        guard self != .newFactor else { return try await Self.code(of: app, token, fixture) }
        let raised = try await fixture.verify(app, token)
        #expect(raised.status == 200)
        guard self == .factor else {
            return Scene.request("DELETE /factors/\(app.id)", bearer: raised.accessToken)
        }
        let second = try await scene.password("correct horse").accessToken
        return try await Self.code(of: app, second, later: 1, fixture)
    }

    private static func code(
        of app: FactorScene.App, _ token: String, later steps: Int64 = 0, _ fixture: FactorScene
    ) async throws -> GoTrueRequest {
        let challenge = try await fixture.challenge(app, token)
        let code = try await fixture.code(app, later: steps)
        return Scene.request(
            "POST /factors/\(app.id)/verify",
            "{\"challenge_id\":\"\(challenge)\",\"code\":\"\(code)\"}", bearer: token)
    }

    private static func verification(
        _ type: String, of email: String, _ scene: Scene
    ) async throws -> GoTrueRequest {
        let code = try #require(try await scene.code(to: email))
        return Scene.request(
            "POST /verify",
            "{\"type\":\"\(type)\",\"email\":\"\(email)\",\"token\":\"\(code)\"}")
    }
}
