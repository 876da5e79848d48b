// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import SignetSignIn
import Testing

@Suite("Browsers at the service", .serialized)
struct BrowserCallTests {
    private static let nobody = PendingBrowser(challenge: "", redirect: "")

    struct PendingBrowser {
        var provider = "keycloak"
        let challenge: String
        let redirect: String
        var method = "s256"

        var target: String {
            "GET /authorize?"
                + FormEncoding.encode([
                    ("provider", provider), ("redirect_to", redirect),
                    ("code_challenge", challenge), ("code_challenge_method", method),
                    ("scopes", "email"),
                ])
        }
    }

    /// A browser leaves, and comes back with a code.
    static func visit(
        _ scene: Scene, _ pkce: PKCE, redirect: String = Scene.redirect, subject: String = "ann"
    ) async throws -> Scene.Answer {
        let begun = try await scene.call(
            PendingBrowser(challenge: pkce.challenge, redirect: redirect).target)
        #expect(begun.status == 302)
        let query = try scene.provider.visit(begun.field("Location") ?? "", subject: subject)
        return try await scene.call(
            "GET /callback/keycloak?" + query, fields: [("Cookie", cookie(begun))])
    }

    static func cookie(_ answer: Scene.Answer) -> String {
        (answer.field("Set-Cookie") ?? "").split(separator: ";").first.map(String.init) ?? ""
    }

    static func code(_ answer: Scene.Answer) throws -> String {
        let location = try #require(answer.field("Location"))
        return String(try #require(location.split(separator: "code=").last))
    }

    static func exchange(
        _ scene: Scene, _ code: String, _ pkce: PKCE
    ) async throws -> Scene.Answer {
        try await scene.call(
            "POST /token?grant_type=pkce",
            "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}")
    }

    @Test("A browser returns with a code that begins one session, for the client that sent it")
    func signsIn() async throws {
        let scene = try await Scene()
        for redirect in [
            Scene.redirect, "app.example:/callback", "http://127.0.0.1:49152/callback?state=abc",
        ] {
            let pkce = try PKCE()
            let back = try await Self.visit(scene, pkce, redirect: redirect)
            #expect(back.status == 302 && back.field("Referrer-Policy") == "no-referrer")
            #expect(back.field("Location")?.hasPrefix(redirect) == true)
            let code = try Self.code(back)
            let foreign = try await Self.exchange(scene, code, PKCE())
            #expect(foreign.status == 400 && foreign.code == "bad_code_verifier")
            let grant = try await Self.exchange(scene, code, pkce)
            #expect(grant.status == 200)
            #expect(grant.json["user"]?["app_metadata"]?["provider"]?.stringValue == "keycloak")
            // The answer was lost.
            let again = try await Self.exchange(scene, code, pkce)
            #expect(again.status == 200 && again.refreshToken == grant.refreshToken)
            #expect(again.response.body == grant.response.body)
            let other = try await Self.exchange(scene, code, PKCE())
            #expect(other.status == 404 && other.code == "flow_state_not_found")
            try await scene.pass(60)
            let late = try await Self.exchange(scene, code, pkce)
            #expect(late.status == 404 && late.code == "flow_state_not_found")
        }
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 1)
        #expect(try await scene.count("SELECT count(*) FROM signet_sessions") == 3)
        try await scene.service.sweep()
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_answers") == 0)
    }

    @Test("A code whose session has ended gets no answer again")
    func repeatedAfterEnd() async throws {
        let scene = try await Scene()
        let pkce = try PKCE()
        let code = try Self.code(await Self.visit(scene, pkce))
        let grant = try await Self.exchange(scene, code, pkce)
        #expect(try await scene.call("POST /logout", bearer: grant.accessToken).status == 204)
        #expect(try await Self.exchange(scene, code, pkce).code == "flow_state_not_found")
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_answers") == 0)
    }

    @Test("An answer that is kept for its client holds no token that the database opens")
    func keptSealed() async throws {
        let scene = try await Scene()
        let pkce = try PKCE()
        let code = try Self.code(await Self.visit(scene, pkce))
        let grant = try await Self.exchange(scene, code, pkce)
        let other = try PKCE()
        let second = try Self.code(await Self.visit(scene, other))
        _ = try await Self.exchange(scene, second, other)
        // Of another code, it opens for no one.
        _ = try await scene.database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(
                """
                UPDATE signet_gotrue_answers SET sealed = (
                    SELECT max(sealed) FROM signet_gotrue_answers)
                """, values: [])
        }
        let answers = [
            try await Self.exchange(scene, code, pkce),
            try await Self.exchange(scene, second, other),
        ]
        #expect(answers.map(\.status).sorted() == [200, 500])
        #expect(scene.errors.withLock { $0 } == [.corrupt])
        #expect(grant.status == 200)
    }

    @Test("A provider that answers with a form, as Apple does, signs in")
    func formPost() async throws {
        let scene = try await Scene()
        let pkce = try PKCE()
        let begun = try await scene.call(
            PendingBrowser(challenge: pkce.challenge, redirect: Scene.redirect).target)
        let form = try scene.provider.visit(begun.field("Location") ?? "", subject: "ann")
        let fields = [
            ("Cookie", Self.cookie(begun)), ("Content-Type", "application/x-www-form-urlencoded"),
        ]
        // Only the body of a POST counts.
        let empty = try await scene.call("POST /callback/keycloak?" + form, "", fields: fields)
        #expect(empty.status == 400)
        let back = try await scene.call("POST /callback/keycloak", form, fields: fields)
        #expect(back.status == 302 && back.field("Set-Cookie")?.contains("Max-Age=0") == true)
        #expect(try await Self.exchange(scene, Self.code(back), pkce).status == 200)
        let again = try await scene.call("POST /callback/keycloak", form, fields: fields)
        #expect(again.field("Location")?.hasPrefix(Scene.redirect + "?error=") == true)
    }

    @Test("A late code and one without its verifier are refused")
    func codes() async throws {
        let scene = try await Scene()
        let pkce = try PKCE()
        let code = try Self.code(await Self.visit(scene, pkce))
        for body in [
            "{\"auth_code\":\"\(code)\"}", "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\"}",
            "{\"auth_code\":\"\(code)\",\"code_verifier\":null}",
            "{\"code_verifier\":\"\(pkce.exposedVerifier)\"}",
        ] {
            let answer = try await scene.call("POST /token?grant_type=pkce", body)
            #expect(answer.code == "validation_failed")
        }
        let plain = try await scene.call(
            "POST /token?grant_type=pkce",
            "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.challenge)\"}")
        #expect(plain.code == "bad_code_verifier")
        try await scene.pass(301)
        #expect(try await Self.exchange(scene, code, pkce).code == "flow_state_not_found")
    }

    @Test("Only the allowed redirects pass, in their exact spelling")
    func redirects() async throws {
        let scene = try await Scene()
        let challenge = try PKCE().challenge
        for redirect in [
            "https://evil.example/signed-in", "https://app.example/signed-in/", "",
            "https://app.example/signed-in?next=1", "https://APP.example/signed-in",
            "https://user@app.example/signed-in", "https://app.example@evil.example/signed-in",
            "https://app.example:443/signed-in", "https://app.example/%73igned-in",
            "https://app.example/x/../signed-in", "https://app.example/%2e/signed-in",
            "https://app.example/signed-in#", "https://app.example\\@evil.example/signed-in",
            "http://127.0.0.1:80/other", "http://localhost:8080/callback",
            "http://127.0.0.1.evil.example/callback", "http://127.1:8080/callback",
            "http://127.0.0.1:8080/callback?a#b", "http://[::1]:8080/callback",
            "App.example:/callback", "javascript:alert(1)", "//evil.example",
        ] {
            let answer = try await scene.call(
                PendingBrowser(challenge: challenge, redirect: redirect).target)
            #expect(answer.status == 400 && answer.code == "validation_failed", "\(redirect)")
            #expect(answer.field("Location") == nil)
        }
    }

    @Test("A redirect is as long as the state of a sign-in allows, and no longer")
    func longestRedirect() async throws {
        // With the challenge's 43 bytes: the 256 bytes of `SignIn.begin(applicationState:)`.
        let start = "https://app.example/"
        let longest = start + String(repeating: "a", count: 213 - start.utf8.count)
        let scene = try await Scene { options in
            options.redirects = try RedirectURIs([longest, longest + "a"])
        }
        let pkce = try PKCE()
        let back = try await Self.visit(scene, pkce, redirect: longest)
        #expect(back.field("Location")?.hasPrefix(longest + "?code=") == true)
        let refused = try await scene.call(
            PendingBrowser(challenge: pkce.challenge, redirect: longest + "a").target)
        #expect(refused.status == 400 && refused.code == "validation_failed")
        #expect(refused.field("Location") == nil)
        #expect(
            refused.json["message"]?.stringValue?.hasPrefix("redirect_to has 214 bytes") == true)
        #expect(scene.errors.withLock { $0 }.isEmpty)
    }

    @Test("A sign-in whose redirect is no longer allowed is 500, and reported")
    func withdrawnRedirect() async throws {
        let before = try await Scene()
        let after = try await Scene { options in
            options.redirects = try RedirectURIs(["https://app.example/other"])
        }
        let begun = try await before.call(
            PendingBrowser(challenge: try PKCE().challenge, redirect: Scene.redirect).target)
        let query = try after.provider.visit(begun.field("Location") ?? "", subject: "ann")
        let back = try await after.call(
            "GET /callback/keycloak?" + query, fields: [("Cookie", Self.cookie(begun))])
        #expect(back.status == 500 && back.code == "unexpected_failure")
        #expect(back.field("Location") == nil)
        #expect(after.errors.withLock { $0 } == [.unavailable])
        #expect(try await after.count("SELECT count(*) FROM signet_users") == 0)
    }

    @Test("An outage of the program's own store of sign-ins is 503, and reported")
    func storeOutage() async throws {
        struct BrokenStore: SignInStore {
            struct Outage: Error {}
            func keep(
                _ record: [UInt8], named name: String, forSeconds seconds: Int
            ) async throws { throw Outage() }
            func take(_ name: String) async throws -> [UInt8]? { throw Outage() }
        }
        let scene = try await Scene(signInStore: BrokenStore())
        let begun = try await scene.call(
            PendingBrowser(challenge: try PKCE().challenge, redirect: Scene.redirect).target)
        #expect(begun.status == 503 && begun.field("Retry-After") != nil)
        #expect(scene.errors.withLock { $0 } == [.unavailable])
    }

    @Test("A sign-in needs S256 and a known provider")
    func requests() async throws {
        let scene = try await Scene()
        let challenge = try PKCE().challenge
        let good = PendingBrowser(challenge: challenge, redirect: Scene.redirect)
        var plain = good
        plain.method = "plain"
        var unknown = good
        unknown.provider = "google"
        let others = [
            plain, unknown, PendingBrowser(challenge: "", redirect: Scene.redirect),
            PendingBrowser(challenge: challenge + "A", redirect: Scene.redirect),
            PendingBrowser(challenge: "!" + challenge.dropFirst(), redirect: Scene.redirect),
        ]
        for other in others {
            #expect(try await scene.call(other.target).code == "validation_failed")
        }
        let twice = try await scene.call(good.target + "&redirect_to=https%3A%2F%2Fevil.example")
        #expect(twice.code == "validation_failed")
        // A browser sends no key.
        let bare = try await scene.send(
            GoTrueRequest(
                method: "GET", path: "/authorize",
                query: String(good.target.split(separator: "?")[1]), client: nil))
        #expect(bare.status == 302)
    }

    @Test("A callback from another browser, without a sign-in or with an error is refused")
    func callbacks() async throws {
        let scene = try await Scene()
        let pkce = try PKCE()
        let target = PendingBrowser(challenge: pkce.challenge, redirect: Scene.redirect).target
        let (mine, theirs) = (try await scene.call(target), try await scene.call(target))
        let query = try scene.provider.visit(mine.field("Location") ?? "", subject: "ann")
        for cookie in ["", "x=y", Self.cookie(theirs)] {
            let answer = try await scene.call(
                "GET /callback/keycloak?" + query, fields: [("Cookie", cookie)])
            #expect(!(answer.field("Location") ?? "").contains("?code="))
        }
        let state = try #require(query.split(separator: "state=").last)
        let refused = try await scene.call(
            "GET /callback/keycloak?error=access_denied&state=\(state)",
            fields: [("Cookie", Self.cookie(mine))])
        #expect(refused.status == 302)
        let location = try #require(refused.field("Location"))
        #expect(location.hasPrefix(Scene.redirect + "?error=access_denied&error_code="))
        #expect(try await scene.call("GET /callback/other?" + query).status == 404)
        #expect(try await scene.call("GET /callback/keycloak").status == 400)
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 0)
    }
}
