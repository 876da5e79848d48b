// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetCrypto
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// Accounts review of 2026-11-26, finding 5.
@Suite("An e-mail address changes hands at both ends", .serialized)
struct AddressChangeTests {
    static let new = "new@company.example"

    /// A scene on an engine; nil where there is no PostgreSQL.
    static func scene(_ engine: Engine) async throws -> Scene? {
        guard engine == .postgres else { return try await Scene() }
        guard let place = try engine.place(in: PrivateFolder()) else { return nil }
        return try await Scene(place.open())
    }

    private static func ask(
        _ scene: Scene, _ bearer: String, _ members: String = "", to address: String = new
    ) async throws -> Scene.Answer {
        try await scene.call(
            "PUT /user", "{\"email\":\"\(address)\"\(members)}", bearer: bearer)
    }

    private static func isHalf(_ answer: Scene.Answer) -> Bool {
        answer.status == 200 && answer.json["access_token"] == nil
            && answer.json["code"]?.stringValue == "200" && answer.json["msg"] != nil
    }

    private static func address(_ scene: Scene, _ bearer: String) async throws -> String? {
        try await scene.call("GET /user", bearer: bearer).json["email"]?.stringValue
    }

    @Test(
        "A stolen access token and the code of the new address move no account",
        arguments: Engine.allCases)
    func stolenToken(_ engine: Engine) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let token = try await scene.signUp().accessToken
        #expect(try await Self.ask(scene, token).status == 200)
        let answer = try await scene.confirmChange(to: Self.new)
        #expect(Self.isHalf(answer))
        // The reader of the new address learns nothing of the account.
        #expect(answer.json["email"] == nil && answer.json["user_metadata"] == [:])
        #expect(try await Self.address(scene, token) == Scene.email)
        #expect(try await scene.password("correct horse").status == 200)
        #expect(try await scene.code(to: Scene.email) != nil)
        // Once more is no second end.
        #expect(try await scene.confirmChange(to: Self.new).code == "otp_expired")
        // A code that signs in is none that confirms.
        try await scene.pass(61)
        _ = try await scene.call("POST /otp", "{\"email\":\"\(Scene.email)\"}")
        #expect(try await scene.confirmChange(to: Scene.email).code == "otp_expired")
        #expect(try await Self.address(scene, token) == Scene.email)
    }

    @Test(
        "The two codes change the address, in either order",
        arguments: Engine.allCases, [true, false])
    func eitherOrder(_ engine: Engine, _ presentFirst: Bool) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let grant = try await scene.signUp()
        #expect(try await Self.ask(scene, grant.accessToken).status == 200)
        let ends = presentFirst ? [Scene.email, Self.new] : [Self.new, Scene.email]
        #expect(Self.isHalf(try await scene.confirmChange(to: ends[0])))
        #expect(try await scene.confirmChange(to: ends[0]).code == "otp_expired")
        let done = try await scene.confirmChange(to: ends[1])
        #expect(done.status == 200 && done.userID == grant.userID)
        #expect(done.json["user"]?["email"]?.stringValue == Self.new)
        #expect(try await scene.password("correct horse", Self.new).status == 200)
        #expect(try await scene.password("correct horse").code == "invalid_credentials")
        let waiting = "SELECT count(*) FROM signet_gotrue_address_changes" as SQLStatement
        #expect(try await scene.count(waiting) == 0)
    }

    @Test(
        "A client that lost the answer to either code of a change gets it again",
        arguments: Engine.allCases, [true, false])
    func lostAnswers(_ engine: Engine, _ presentFirst: Bool) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let grant = try await scene.signUp()
        let asked = try await Self.ask(scene, grant.accessToken)
        let present = try #require(asked.json["present_challenge"]?.stringValue)
        let new = try #require(asked.challenge)
        let both = [(Scene.email, present, new), (Self.new, new, present)]
        for (address, own, other) in presentFirst ? both : both.reversed() {
            let code = try #require(await scene.code(to: address))
            let verify = { (challenge: String) in
                try await scene.call(
                    "POST /verify",
                    "{\"type\":\"email_change\",\"email\":\"\(address)\","
                        + "\"token\":\"\(code)\",\"challenge\":\"\(challenge)\"}")
            }
            let first = try await verify(own)
            #expect(first.status == 200)
            let again = try await verify(own)
            #expect(again.status == 200 && again.response.body == first.response.body)
            #expect(try await verify(other).code == "otp_expired")
        }
        #expect(try await Self.address(scene, grant.accessToken) == Self.new)
        // It goes with the session that asked, or that it began.
        _ = try await scene.call("POST /logout", bearer: grant.accessToken)
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_answers") == 0)
    }

    @Test("Of both codes at once, one call finishes the change", arguments: Engine.allCases)
    func atOnce(_ engine: Engine) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        for number in 0..<4 {
            let (old, new) = ("ann\(number)@company.example", "new\(number)@company.example")
            let token = try await scene.signIn(old).accessToken
            #expect(try await Self.ask(scene, token, to: new).status == 200)
            let codes = [try await scene.code(to: old), try await scene.code(to: new)]
            async let present = scene.confirmChange(to: old, code: codes[0])
            async let other = scene.confirmChange(to: new, code: codes[1])
            let answers = try await [present, other]
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(answers.count { Self.isHalf($0) } == 1)
            #expect(try await Self.address(scene, token) == new)
        }
    }

    @Test(
        "The current password stands for the present end once it has been the account's for a day",
        arguments: Engine.allCases)
    func currentPassword(_ engine: Engine) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let token = try await scene.signUp().accessToken
        let wrong = try await Self.ask(scene, token, ",\"current_password\":\"correct house\"")
        #expect(wrong.status == 400 && wrong.code == "current_password_invalid")
        #expect(try await scene.code(to: Self.new) == nil)
        // A thief of the session may have set it just now.
        let right = ",\"current_password\":\"correct horse\""
        #expect(try await Self.ask(scene, token, right).status == 200)
        #expect(Self.isHalf(try await scene.confirmChange(to: Self.new)))
        try await scene.pass(86_401)
        let later = try await scene.password("correct horse")
        let before = scene.sender.messages.count
        #expect(try await Self.ask(scene, later.accessToken, right).status == 200)
        #expect(try await scene.code(to: Self.new) != nil)
        #expect(scene.sender.messages.count == before + 1)
        let done = try await scene.confirmChange(to: Self.new)
        #expect(done.userID == later.userID && done.accessToken != "")
        // Together with a new one, which then counts from now on.
        let both = ",\"password\":\"battery staple\"" + right
        try await scene.pass(61)
        let third = try await Self.ask(
            scene, done.accessToken, both, to: "third@company.example")
        #expect(third.status == 200)
        #expect(try await scene.confirmChange(to: "third@company.example").accessToken != "")
        #expect(try await scene.password("battery staple", "third@company.example").status == 200)
    }

    @Test("Guesses of the current password are limited for the account")
    func guesses() async throws {
        let scene = try await Scene()
        let token = try await scene.signUp().accessToken
        var answers: [Scene.Answer] = []
        for number in 0..<11 {
            answers.append(
                try await Self.ask(scene, token, ",\"current_password\":\"guess \(number)..\""))
        }
        #expect(answers.prefix(10).allSatisfy { $0.code == "current_password_invalid" })
        #expect(answers.last?.status == 429)
        #expect(answers.last?.field("Retry-After") != nil)
    }

    @Test(
        "A code of /reauthenticate, which went to the present address, confirms that end",
        arguments: Engine.allCases)
    func nonce(_ engine: Engine) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let token = try await scene.signUp().accessToken
        try await scene.pass(601)
        _ = try await scene.call("GET /reauthenticate", bearer: token)
        let nonce = try #require(await scene.code(to: Scene.email))
        #expect(try await Self.ask(scene, token, ",\"nonce\":\"\(nonce)\"").status == 200)
        let done = try await scene.confirmChange(to: Self.new)
        #expect(done.accessToken != "" && done.json["user"]?["email"]?.stringValue == Self.new)
    }

    @Test(
        "The account's phone stands for the present address once it has been there for a day",
        arguments: Engine.allCases)
    func phone(_ engine: Engine) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let token = try await scene.signIn(Scene.email).accessToken
        _ = try await scene.call("PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: token)
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        _ = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        // A thief may have added it just now: the code goes to the address.
        let byPhone = ",\"confirm_with\":\"phone\""
        #expect(try await Self.ask(scene, token, byPhone).status == 200)
        #expect(try await scene.code(to: "+" + Scene.phone) == code)
        #expect(Self.isHalf(try await scene.confirmChange(to: Scene.email)))
        try await scene.pass(86_401)
        let fresh = try await scene.signIn()
        #expect(try await Self.ask(scene, fresh.accessToken, byPhone).status == 200)
        let ends = [
            (Scene.phone, try await scene.code(to: "+" + Scene.phone)),
            (Self.new, try await scene.code(to: Self.new)),
        ]
        #expect(Self.isHalf(try await scene.confirmChange(to: ends[0].0, code: ends[0].1)))
        let done = try await scene.confirmChange(to: ends[1].0, code: ends[1].1)
        #expect(done.json["user"]?["email"]?.stringValue == Self.new)
        #expect(
            try await Self.ask(
                scene, fresh.accessToken, ",\"confirm_with\":\"fax\"", to: Scene.email
            ).code == "validation_failed")
    }

    @Test(
        "A provider's account of a day or more stands for the present address, with its nonce",
        arguments: Engine.allCases)
    func provider(_ engine: Engine) async throws {
        guard let scene = try await Self.scene(engine) else { return }
        let token = try await scene.signIn(Scene.email).accessToken
        let nonce = try AuthorizationNonce()
        let hashed = try MessageDigest.digest(nonce.exposedText.utf8, using: .sha256)
            .map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        let members = { (subject: String) in
            let idToken = try scene.provider.idToken(subject, nonce: hashed)
            return ",\"provider\":\"keycloak\",\"id_token\":\"\(idToken)\","
                + "\"nonce\":\"\(nonce.exposedText)\""
        }
        let body = "{" + (try members("ann")).dropFirst() + ",\"link_identity\":true}"
        let linked = try await scene.call(
            "POST /token?grant_type=id_token", body, bearer: token)
        #expect(linked.status == 200)
        // Linked just now.
        #expect(try await Self.ask(scene, token, members("ann")).status == 200)
        #expect(Self.isHalf(try await scene.confirmChange(to: Self.new)))
        try await scene.pass(86_401)
        let fresh = try await scene.signIn(Scene.email).accessToken
        // Somebody else's, and one without its nonce.
        #expect(try await Self.ask(scene, fresh, members("eve")).status == 200)
        #expect(Self.isHalf(try await scene.confirmChange(to: Self.new)))
        try await scene.pass(61)
        let bare =
            ",\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("ann"))\""
        #expect(try await Self.ask(scene, fresh, bare).code == "validation_failed")
        #expect(try await Self.ask(scene, fresh, members("ann")).status == 200)
        let done = try await scene.confirmChange(to: Self.new)
        #expect(done.json["user"]?["email"]?.stringValue == Self.new)
    }

    @Test(
        "What waits for its second code ends with its session, a new password or another change",
        arguments: ["signed out", "another password", "another number", "an hour", "another ask"])
    func ends(_ end: String) async throws {
        let scene = try await Scene()
        let grant = try await scene.signUp()
        #expect(try await Self.ask(scene, grant.accessToken).status == 200)
        let code = try #require(await scene.code(to: Scene.email))
        #expect(Self.isHalf(try await scene.confirmChange(to: Self.new)))
        let bearer = grant.accessToken
        switch end {
        case "signed out": _ = try await scene.call("POST /logout", bearer: bearer)
        case "another password":
            let set = try await scene.call(
                "PUT /user", "{\"password\":\"battery staple\"}", bearer: bearer)
            #expect(set.status == 200)
        case "another number":
            _ = try await scene.call("PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: bearer)
            let number = try #require(await scene.code(to: "+" + Scene.phone))
            let changed = try await scene.call(
                "POST /verify",
                "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(number)\"}")
            #expect(changed.status == 200)
        case "an hour":
            // Its code would still be good.
            _ = try await scene.count(
                """
                UPDATE signet_gotrue_address_changes SET ends_at = ends_at - 3600000
                RETURNING 1
                """)
        default:
            // The code of the change before does not confirm the next one.
            try await scene.pass(61)
            let asked = try await Self.ask(scene, bearer, to: "eve@example.com")
            #expect(asked.status == 200)
            #expect(Self.isHalf(try await scene.confirmChange(to: "eve@example.com")))
        }
        let late = try await scene.confirmChange(to: Scene.email, code: code)
        #expect(late.status == 403 && late.code == "otp_expired")
        let left = try await People(scene.database).identities(of: grant.userID ?? "")
        #expect(left.contains { $0.identity.subject == Scene.email })
    }
}
