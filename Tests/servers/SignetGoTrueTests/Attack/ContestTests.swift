// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetGoTrue
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("What waits for a code, and who may still get it", .serialized)
struct ContestTests {
    private static let numberBody = "{\"phone\":\"\(Scene.phone)\"}"

    private static func guest(_ scene: Scene) async throws -> String {
        try await scene.call("POST /signup", "{}").accessToken
    }

    private static func takeNumber(_ scene: Scene) async throws -> Scene.Answer {
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        return try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
    }

    @Test(
        "A stranger who ends the session or account that asked hides no conflict",
        arguments: ["POST /logout", "DELETE /user"])
    func hidden(_ end: String) async throws {
        let scene = try await Scene()
        let own = try await scene.signIn(Scene.email)
        let first = try await Self.guest(scene)
        for _ in 0..<3 {
            #expect(try await scene.call("PUT /user", Self.numberBody, bearer: first).status == 200)
        }
        // The owner of the number is refused a code, and has that one.
        let early = try await scene.call(
            "PUT /user", Self.numberBody, bearer: own.accessToken)
        #expect(early.status == 429)
        #expect(try await scene.call(end, bearer: first).status == 204)
        #expect(try await Self.takeNumber(scene).code == "otp_expired")
        try await scene.pass(1_201)
        let second = try await Self.guest(scene)
        #expect(try await scene.call("PUT /user", Self.numberBody, bearer: second).status == 200)
        // The owner enters the newest code.
        let taken = try await Self.takeNumber(scene)
        #expect(taken.status == 403 && taken.code == "otp_expired")
        for token in [own.accessToken, second] {
            let user = try await scene.call("GET /user", bearer: token)
            #expect(user.json["phone"]?.stringValue == "")
        }
        // What is left ends by itself, and no one can prolong it.
        try await scene.pass(3_500)
        _ = try await scene.call(
            "POST /resend", "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\"}")
        try await scene.pass(101)
        let asked = try await scene.call("PUT /user", Self.numberBody, bearer: second)
        #expect(asked.status == 200)
        #expect(try await Self.takeNumber(scene).status == 200)
    }

    @Test(
        "A sign-up that waited in the tables of an earlier version is kept, without a challenge",
        arguments: Engine.allCases)
    func earlier(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let database = try await place.open()
        let scene = try await Scene(database)
        let sent = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}")
        #expect(sent.status == 200)
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            let statements: [SQLStatement] = [
                "ALTER TABLE signet_gotrue_pending RENAME TO later",
                """
                CREATE TABLE signet_gotrue_pending (
                    key {bytes} NOT NULL PRIMARY KEY, creates {integer} NOT NULL,
                    user_id TEXT REFERENCES signet_users (id) ON DELETE CASCADE,
                    hash TEXT, metadata TEXT, contested {integer} NOT NULL,
                    ends_at {integer} NOT NULL,
                    session_id TEXT REFERENCES signet_sessions (id) ON DELETE CASCADE) {strict}
                """,
                """
                INSERT INTO signet_gotrue_pending
                    (key, creates, user_id, hash, metadata, contested, ends_at, session_id)
                SELECT key, creates, user_id, hash, metadata, contested, ends_at, session_id
                FROM later
                """, "DROP TABLE later",
                "DELETE FROM signet_schema_steps WHERE name = 'gotrue/pending.3'",
                "DELETE FROM signet_schema_steps WHERE name = 'gotrue/pending.4'",
            ]
            for statement in statements { try await transaction.run(statement, values: []) }
        }
        let later = try await Scene(database)
        let code = try #require(await later.code(to: Scene.email))
        let grant = try await later.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        #expect(try await later.password("correct horse").userID == grant.userID)
    }

    @Test("Nothing is sent again for a session that has ended")
    func resent() async throws {
        let scene = try await Scene()
        let guest = try await Self.guest(scene)
        #expect(try await scene.call("PUT /user", Self.numberBody, bearer: guest).status == 200)
        _ = try await scene.code(to: "+" + Scene.phone)
        let before = scene.sender.messages.count
        #expect(try await scene.call("POST /logout", bearer: guest).status == 204)
        try await scene.pass(61)
        let again = try await scene.call(
            "POST /resend", "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\"}")
        #expect(again.status == 200)
        _ = try await scene.code(to: "+" + Scene.phone)
        #expect(scene.sender.messages.count == before)
    }

    /// The owner of the address enters the code that came.
    private static func confirm(_ scene: Scene) async throws {
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
    }

    @Test("A sign-up that a limit refuses is recorded too: the stranger's password is not taken")
    func refusedSignUp() async throws {
        let scene = try await Scene()
        let signUp = { (password: String) in
            try await scene.call(
                "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"\(password)\"}")
        }
        // The stranger uses up what the address may be signed up with.
        var last = try await signUp("of the attacker")
        #expect(last.status == 200)
        for _ in 0..<20 where last.code != "over_request_rate_limit" {
            last = try await signUp("of the attacker")
        }
        #expect(last.code == "over_request_rate_limit")
        #expect(try await signUp("of the victim").code == "over_request_rate_limit")
        // The only code that arrived.
        try await Self.confirm(scene)
        #expect(try await scene.password("of the attacker").code == "invalid_credentials")
    }

    @Test("The same where a client's limit refuses it")
    func refusedClient() async throws {
        let scene = try await Scene { $0.limits.signUps = try RateLimit.perHour(1) }
        let own = "198.51.100.7"
        _ = try await scene.call("POST /signup", "{}", client: own)
        _ = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"of the attacker\"}")
        let refused = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"of the victim\"}",
            client: own)
        #expect(refused.code == "over_request_rate_limit")
        try await Self.confirm(scene)
        #expect(try await scene.password("of the attacker").code == "invalid_credentials")
    }

    @Test("Without its captcha a sign-up neither counts nor spoils another one")
    func captcha() async throws {
        let scene = try await Scene {
            $0.captcha = { answer, _ in answer == "human" }
            $0.limits.signUps = try RateLimit.perHour(2)
        }
        let body = { (password: String, captcha: String) in
            "{\"email\":\"\(Scene.email)\",\"password\":\"\(password)\","
                + "\"gotrue_meta_security\":{\"captcha_token\":\"\(captcha)\"}}"
        }
        let robots = {
            for _ in 0..<5 {
                let robot = try await scene.call("POST /signup", body("of a robot", "none"))
                #expect(robot.code == "captcha_failed")
            }
        }
        try await robots()
        let own = try await scene.call("POST /signup", body("of the owner", "human"))
        #expect(own.status == 200)
        try await robots()
        try await Self.confirm(scene)
        let signedIn = try await scene.call(
            "POST /token?grant_type=password", body("of the owner", "human"))
        #expect(signedIn.status == 200)
    }

    @Test(
        "What a guest asked for does not add a way in once the guest has become an account",
        arguments: ["address", "provider"])
    func formerGuest(_ way: String) async throws {
        let scene = try await Scene()
        // The attacker has a copy of the guest's token.
        let guest = try await Self.guest(scene)
        #expect(try await scene.call("PUT /user", Self.numberBody, bearer: guest).status == 200)
        if way == "address" {
            let asked = try await scene.call(
                "PUT /user", "{\"email\":\"\(Scene.email)\"}", bearer: guest)
            #expect(asked.status == 200)
            let code = try #require(await scene.code(to: Scene.email))
            let own = try await scene.call(
                "POST /verify",
                "{\"type\":\"email_change\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
            #expect(own.status == 200)
        } else {
            let own = try await scene.call(
                "POST /token?grant_type=id_token",
                "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\","
                    + "\"link_identity\":true}", bearer: guest)
            #expect(own.status == 200)
        }
        let taken = try await Self.takeNumber(scene)
        #expect(taken.status == 403 && taken.code == "otp_expired")
        let user = try await scene.call("GET /user", bearer: guest)
        #expect(user.json["phone"]?.stringValue == "")
        // With a recent sign-in it can be asked for again.
        try await scene.pass(61)
        #expect(try await scene.call("PUT /user", Self.numberBody, bearer: guest).status == 200)
        #expect(try await Self.takeNumber(scene).status == 200)
    }

    @Test("A new password ends what was asked for before, in the same session too")
    func newPassword() async throws {
        let scene = try await Scene()
        // The attacker has a copy of its access token.
        let grant = try await scene.signIn(Scene.email)
        let token = grant.accessToken
        #expect(try await scene.call("PUT /user", Self.numberBody, bearer: token).status == 200)
        let changed = try await scene.call(
            "PUT /user", "{\"password\":\"of the owner 1\"}", bearer: token)
        #expect(changed.status == 200)
        #expect(try await Self.takeNumber(scene).code == "otp_expired")
        // What comes with the password waits.
        try await scene.pass(61)
        let both = try await scene.call(
            "PUT /user", "{\"password\":\"of the owner 2\",\"phone\":\"\(Scene.phone)\"}",
            bearer: token)
        #expect(both.status == 200)
        #expect(try await Self.takeNumber(scene).status == 200)
    }

    @Test("An old session's requests do not use up the owner's new passwords")
    func exhausted() async throws {
        let scene = try await Scene()
        let stolen = try await scene.signUp()
        try await scene.pass(601)
        for nonce in ["", ",\"nonce\":\"123456\""] {
            for number in 0..<12 {
                let refused = try await scene.call(
                    "PUT /user", "{\"password\":\"of the attacker \(number)\"\(nonce)}",
                    bearer: stolen.accessToken)
                #expect([400, 422, 429].contains(refused.status))
            }
        }
        let own = try await scene.password("correct horse")
        let changed = try await scene.call(
            "PUT /user", "{\"password\":\"of the owner 1\"}", bearer: own.accessToken)
        #expect(changed.status == 200)
    }

    @Test("An old session neither guesses the password nor uses up what its owner may try of it")
    func oldGuesses() async throws {
        let scene = try await Scene()
        let stolen = try await scene.signUp()
        try await scene.pass(86_401)
        let change = { (password: String, bearer: String) in
            try await scene.call(
                "PUT /user",
                "{\"email\":\"new@company.example\",\"current_password\":\"\(password)\"}",
                bearer: bearer)
        }
        for number in 0..<12 {
            let guess = number == 11 ? "correct horse" : "guess \(number)"
            let refused = try await change(guess, stolen.accessToken)
            #expect(refused.code == "reauthentication_needed")
        }
        let own = try await scene.password("correct horse")
        let changed = try await change("correct horse", own.accessToken)
        #expect(changed.status == 200 && changed.json["present_challenge"] == nil)
    }

    @Test(
        "A browser's sign-in that was begun before ends with all sessions",
        arguments: ["POST /logout", "POST /logout?scope=others", "PUT /user", "local"])
    func browser(_ end: String) async throws {
        let scene = try await Scene()
        let pkce = try PKCE()
        // The user of the browser's provider, with an address of their own.
        let begun = try await BrowserCallTests.code(BrowserCallTests.visit(scene, pkce))
        let exchange = { (code: String) in
            try await scene.call(
                "POST /token?grant_type=pkce",
                "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}")
        }
        let own = try await exchange(begun)
        let waiting = try await BrowserCallTests.code(BrowserCallTests.visit(scene, pkce))
        switch end {
        case "PUT /user":
            _ = try await scene.call("PUT /user", Self.numberBody, bearer: own.accessToken)
            #expect(try await Self.takeNumber(scene).status == 200)
            let changed = try await scene.call(
                "PUT /user", "{\"password\":\"of the owner 1\"}", bearer: own.accessToken)
            #expect(changed.status == 200)
        case "local":
            let out = try await scene.call("POST /logout?scope=local", bearer: own.accessToken)
            #expect(out.status == 204)
        default:
            #expect(try await scene.call(end, bearer: own.accessToken).status == 204)
        }
        let late = try await exchange(waiting)
        #expect(late.status == (end == "local" ? 200 : 404), "\(late.code ?? "")")
    }
}
