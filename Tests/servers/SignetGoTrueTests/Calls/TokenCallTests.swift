// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Tokens at the service", .serialized)
struct TokenCallTests {
    @Test("A refresh token works once, repeats after a lost answer, then ends its session")
    func refreshes() async throws {
        let scene = try await Scene()
        let first = try await scene.signIn()
        let second = try await scene.refresh(first.refreshToken)
        #expect(second.status == 200 && second.userID == first.userID)
        #expect(second.refreshToken != first.refreshToken)
        let again = try await scene.refresh(first.refreshToken)
        #expect(again.refreshToken == second.refreshToken)
        try await scene.pass(61)
        let third = try await scene.refresh(second.refreshToken)
        let reused = try await scene.refresh(first.refreshToken)
        #expect(reused.status == 400 && reused.code == "refresh_token_already_used")
        let gone = try await scene.refresh(third.refreshToken)
        #expect(gone.status == 400 && gone.code == "refresh_token_not_found")
        let user = try await scene.call("GET /user", bearer: second.accessToken)
        #expect(user.status == 403 && user.code == "session_not_found")
        for text in ["made-up", "", String(repeating: "a", count: 2_000)] {
            let answer = try await scene.refresh(text)
            #expect(answer.status == 400, "\(text.utf8.count)")
        }
    }

    @Test("A limit refuses a refresh with 503: auth-js and supabase-auth sign out after a 429")
    func limitedRefreshes() async throws {
        let scene = try await Scene {
            $0.limits.refreshes = try RateLimit(burst: 1, interval: .seconds(3_600))
        }
        let grant = try await scene.signIn()
        let refresh = { (token: String) in
            try await scene.call(
                "POST /token?grant_type=refresh_token", "{\"refresh_token\":\"\(token)\"}",
                client: "192.0.2.1")
        }
        #expect(try await refresh("made-up").status == 400)
        let refused = try await refresh("made-up")
        #expect(refused.status == 503 && refused.code == "over_request_rate_limit")
        let wait = Int(refused.field("Retry-After") ?? "")
        #expect(wait.map { (1...3_600).contains($0) } == true)
        try await scene.pass(3_600)
        let next = try await refresh(grant.refreshToken)
        #expect(next.status == 200 && next.userID == grant.userID)
    }

    @Test("A password signs in; a wrong one and an unknown address get one answer")
    func passwords() async throws {
        let scene = try await Scene()
        let id = try await scene.signUp().userID
        let right = try await scene.password("correct horse")
        #expect(right.status == 200 && right.userID == id)
        let spelled = try await scene.password("correct horse", "ANN@company.example")
        #expect(spelled.userID == id)
        var answers = [
            try await scene.password("wrong"), try await scene.password("Correct horse"),
            try await scene.password("correct horse", "bob@company.example"),
            try await scene.password(""),
        ]
        // A user without a password has no right one.
        try await scene.signIn("carl@company.example")
        answers.append(try await scene.password("correct horse", "carl@company.example"))
        for answer in answers {
            #expect(answer.status == 400 && answer.code == "invalid_credentials")
            #expect(answer.response.body == answers[0].response.body)
        }
        let claims = try scene.service.sessions.issuer.verify(right.accessToken)
            .claims(as: JSONValue.self)
        #expect(claims["amr"]?.arrayValue?.first?["method"]?.stringValue == "password")
    }

    @Test("Password attempts are limited per address, known or not")
    func passwordLimit() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        for email in [Scene.email, "nobody@company.example"] {
            var statuses: [Int] = []
            for number in 0..<11 {
                let spelling = number % 2 == 0 ? email : email.uppercased()
                statuses.append(try await scene.password("wrong \(number)", spelling).status)
            }
            #expect(statuses == Array(repeating: 400, count: 10) + [429])
            let late = try await scene.password("correct horse", email)
            #expect(late.code == "over_request_rate_limit" && late.field("Retry-After") != nil)
        }
    }

    @Test("Right passwords use up no attempts, and give back no wrong ones")
    func rightPasswords() async throws {
        let scene = try await Scene()
        try await scene.signUp()
        for _ in 0..<12 { #expect(try await scene.password("correct horse").status == 200) }
        for number in 0..<9 {
            #expect(try await scene.password("wrong \(number)").code == "invalid_credentials")
            #expect(try await scene.password("correct horse").status == 200)
        }
        #expect(try await scene.password("wrong 9").code == "invalid_credentials")
        #expect(try await scene.password("correct horse").status == 429)
    }

    @Test("A stronger hash replaces a weak one")
    func upgrades() async throws {
        let database = try await SQLiteAccounts.inMemory()
        try await Scene(database).signUp()
        let weak = try await Self.hash(database)
        let scene = try await Scene(database) {
            $0.passwords = try PasswordHasher(.scrypt(logCost: 5))
        }
        #expect(try await scene.password("correct horse").status == 200)
        let better = try await Self.hash(database)
        #expect(weak.hasPrefix("$scrypt$ln=4,") && better.hasPrefix("$scrypt$ln=5,"))
        #expect(try await scene.password("correct horse").status == 200)
    }

    private static func hash(_ database: SQLiteAccounts) async throws -> String {
        try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT hash FROM signet_gotrue_passwords", values: [])[0]
                .text(0)
        }
    }

    private func signIn(
        _ scene: Scene, _ token: String, nonce: String? = nil, provider: String = "keycloak",
        linking: Bool = false, bearer: String? = nil
    ) async throws -> Scene.Answer {
        let nonce = nonce.map { "\"\($0)\"" } ?? "null"
        return try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"\(provider)\",\"id_token\":\"\(token)\",\"nonce\":\(nonce),"
                + "\"access_token\":null,\"link_identity\":\(linking)}", bearer: bearer)
    }

    @Test(
        "An ID token whose key may just have been replaced is 503 with Retry-After, or 400 by option",
        arguments: [false, true])
    func replacedKey(refuses: Bool) async throws {
        let scene = try await Scene(refusesHeldBackKeys: refuses)
        let stranger = try StubProvider(redirectURI: "https://app.example/callback")
        let forged = try stranger.idToken("ann")
        // Each of them leads to a fetch, after which it is known to be forged.
        for _ in 0..<2 { #expect(try await signIn(scene, forged).status == 400) }
        let heldBack = try await signIn(scene, forged)
        #expect(heldBack.status == (refuses ? 400 : 503))
        #expect(heldBack.field("Retry-After") == (refuses ? nil : "30"))
        #expect(try await signIn(scene, scene.provider.idToken("ann")).status == 200)
    }

    @Test(
        "An ID token that this server could not check is 500 and reported, a refused one neither",
        arguments: [
            (IdentityError(.libraryFailure, "A test."), 500),
            (IdentityError(.unsupportedType, "A test."), 500),
            (IdentityError(.keySourceUnavailable, "A test."), 503),
            (IdentityError(.badSignature, "A test."), 400),
        ])
    func uncheckedToken(error: IdentityError, status: Int) async throws {
        let scene = try await Scene()
        #expect(scene.service.refusal(ofIDToken: error, hasNonce: false).status == status)
        #expect(scene.errors.withLock { $0 } == (status == 500 ? [.unavailable] : []))
    }

    @Test("Only an ID token with the right nonce gives a session")
    func idTokens() async throws {
        let scene = try await Scene()
        let nonce = try AuthorizationNonce()
        let hashed = try MessageDigest.digest(nonce.exposedText.utf8, using: .sha256)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let token = try scene.provider.idToken("ann", nonce: hashed)
        let grant = try await signIn(scene, token, nonce: nonce.exposedText)
        #expect(grant.status == 200)
        #expect(grant.json["user"]?["app_metadata"]?["provider"]?.stringValue == "keycloak")
        // An address that a provider claims is not one of ours.
        #expect(grant.json["user"]?["email"]?.stringValue == "")
        // The same person with another address, and another person with the same.
        let same = try await signIn(
            scene, scene.provider.idToken("ann", email: "other@company.example"))
        #expect(same.userID == grant.userID)
        let other = try await signIn(scene, scene.provider.idToken("bob"))
        #expect(other.status == 200 && other.userID != grant.userID)

        let stranger = try StubProvider(redirectURI: "https://app.example/callback")
        let refused: [(String, String?)] = [
            (token, nil), (token, try AuthorizationNonce().exposedText),
            // Read out of a token that was stolen.
            (token, hashed),
            (try scene.provider.idToken("ann", nonce: nonce.exposedText), nonce.exposedText),
            (try scene.provider.idToken("ann"), nonce.exposedText),
            (try scene.provider.idToken("ann", audience: "another-shop"), nil),
            (try stranger.idToken("ann"), nil), ("x", nil), ("a.b.c", nil),
        ]
        for (number, (token, nonce)) in refused.enumerated() {
            let answer = try await signIn(scene, token, nonce: nonce)
            #expect(answer.status == 400 && answer.json["error"] != nil, "\(number)")
            #expect(answer.json["access_token"] == nil && answer.json["user"] == nil)
        }
        let unknown = try await signIn(scene, token, nonce: nonce.exposedText, provider: "apple")
        #expect(unknown.code == "provider_disabled")
    }

    @Test("S0-54: users link a provider themselves, and earlier sessions continue")
    func links() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        let token = try scene.provider.idToken("ann")
        let linked = try await signIn(scene, token, linking: true, bearer: grant.accessToken)
        #expect(linked.status == 200 && linked.userID == grant.userID)
        let before = try await scene.call("GET /user", bearer: grant.accessToken)
        #expect(before.status == 200 && before.json["identities"]?.arrayValue?.count == 2)
        #expect(try await signIn(scene, token).userID == grant.userID)
        // Someone else's.
        let other = try await scene.signIn(Scene.email)
        let taken = try await signIn(scene, token, linking: true, bearer: other.accessToken)
        #expect(taken.status == 422 && taken.code == "identity_already_exists")
        #expect(try await signIn(scene, token, linking: true).code == "no_authorization")
        // A stolen access token must not gain a sign-in.
        try await scene.pass(601)
        let late = try await signIn(
            scene, scene.provider.idToken("eve"), linking: true, bearer: grant.accessToken)
        #expect(late.status == 400 && late.code == "reauthentication_needed")
        #expect(
            try await scene.call("GET /user", bearer: grant.accessToken)
                .json["identities"]?.arrayValue?.count == 2)
    }

    @Test("Tokens of another project, a deleted user or an ended session are refused")
    func bearers() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        let elsewhere = try await Scene(place: "https://other.example/auth/v1")
        let foreign = try await elsewhere.signIn()
        let ring = scene.service.sessions.issuer.keys
        let kinds = try SessionTokenIssuer(
            issuer: "https://project.example/auth/v1", audience: "another", keys: ring,
            lifetime: .seconds(3600), clock: .still)
        let tokens = [
            foreign.accessToken, grant.accessToken + "A", "x", grant.refreshToken,
            try kinds.issue(subject: grant.userID ?? "").token,
        ]
        for token in tokens {
            for call in ["GET /user", "PUT /user", "POST /logout", "DELETE /user"] {
                let answer = try await scene.call(
                    call, call == "PUT /user" ? "{}" : nil, bearer: token)
                #expect(answer.status == 403 && answer.code == "bad_jwt", "\(call)")
            }
        }
        #expect(try await scene.call("GET /user").code == "no_authorization")
        // A token that belongs to no session.
        let made = try scene.service.sessions.issuer.issue(subject: grant.userID ?? "").token
        #expect(try await scene.call("GET /user", bearer: made).code == "session_not_found")
        #expect(try await scene.call("DELETE /user", bearer: grant.accessToken).status == 204)
        for call in ["GET /user", "DELETE /user"] {
            let gone = try await scene.call(call, bearer: grant.accessToken)
            #expect(gone.status == 403 && gone.code == "user_not_found")
        }
        #expect(try await scene.refresh(grant.refreshToken).code == "refresh_token_not_found")
        // The same number is then a new person.
        try await scene.pass(61)
        #expect(try await scene.signIn().userID != grant.userID)
    }

    /// Another instance of the service, with a key that the first one has not read.
    private func otherIssuer() throws -> SessionTokenIssuer {
        try SessionTokenIssuer(
            issuer: "https://project.example/auth/v1", audience: GoTrueService.audience,
            keys: SessionKeyRing(SigningKey.generate(.es256, keyID: "next")),
            lifetime: .seconds(3600), clock: .still)
    }

    @Test("A session of an OAuth client is not refreshed here, and goes on")
    func otherClients() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        let tokens = try RefreshTokens(database: scene.database, issuer: otherIssuer())
        let bound = try await tokens.begin(for: grant.userID ?? "", clientID: "app")
        let answer = try await scene.call(
            "POST /token?grant_type=refresh_token",
            "{\"refresh_token\":\"\(bound.refreshToken)\"}")
        #expect(answer.status == 400 && answer.code == "validation_failed")
        _ = try await tokens.rotate(bound.refreshToken, clientID: "app")
    }

    @Test("A sign-out ends this session, the others, or all")
    func signsOut() async throws {
        let scene = try await Scene()
        var grants: [Scene.Answer] = []
        for _ in 0..<4 {
            grants.append(try await scene.signIn())
            try await scene.pass(720)
        }
        let alive = { () async throws -> [Bool] in
            var alive: [Bool] = []
            for grant in grants {
                let answer = try await scene.call("GET /user", bearer: grant.accessToken)
                alive.append(answer.status == 200)
            }
            return alive
        }
        let odd = try await scene.call("POST /logout?scope=every", bearer: grants[0].accessToken)
        #expect(odd.code == "validation_failed")
        let steps = [
            ("local", 0, [false, true, true, true]), ("others", 1, [false, true, false, false]),
            ("global", 1, [false, false, false, false]),
        ]
        for (scope, number, left) in steps {
            let answer = try await scene.call(
                "POST /logout?scope=\(scope)", bearer: grants[number].accessToken)
            #expect(answer.status == 204 && answer.response.body.isEmpty)
            #expect(try await alive() == left)
        }
        let again = try await scene.call("POST /logout", bearer: grants[1].accessToken)
        #expect(again.code == "session_not_found")
    }
}
