// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

@Suite("What waits for a code is for the client that asked for it", .serialized)
struct OwnRequestTests {
    private static let own = "198.51.100.7"
    private static let stranger = "203.0.113.9"

    /// A scene, the owner of an address and strangers, on either database.
    private struct Case {
        let folder: PrivateFolder
        let scene: Scene
        let email: String

        /// Nil where there is no PostgreSQL.
        static func make(_ engine: Engine) async throws -> Case? {
            let folder = try PrivateFolder()
            guard let place = try engine.place(in: folder) else { return nil }
            // More than the limit of messages, which is not what is tried here.
            let scene = try await Scene(place.open()) {
                $0.codes = try CodePolicy(
                    sentToDestination: RateLimit(burst: 50, interval: .seconds(1)))
            }
            return Case(folder: folder, scene: scene, email: Scene.email)
        }

        func ask(
            _ path: String, _ members: String = "", showing challenge: String? = nil,
            from client: String = OwnRequestTests.own
        ) async throws -> Scene.Answer {
            let shown = challenge.map { ",\"challenge\":\"\($0)\"" } ?? ""
            let more = members.isEmpty ? "" : ",\(members)"
            return try await scene.call(
                "POST \(path)", "{\"email\":\"\(email)\"\(more)\(shown)}", client: client)
        }

        /// Enters the code of a request, with its challenge or, as foreign clients do, without.
        func verify(
            _ challenge: String, shown: Bool = true, type: String = "signup"
        ) async throws -> Scene.Answer {
            let code = try #require(await scene.code(of: challenge))
            let member = shown ? ",\"challenge\":\"\(challenge)\"" : ""
            return try await scene.call(
                "POST /verify",
                "{\"type\":\"\(type)\",\"email\":\"\(email)\",\"token\":\"\(code)\"\(member)}",
                client: OwnRequestTests.own)
        }

        func signsIn(_ password: String) async throws -> Bool {
            let answer = try await scene.password(password, email)
            #expect(answer.status == 200 || answer.code == "invalid_credentials")
            return answer.status == 200
        }

        /// A request gets a code, or the earlier one is still there to be entered.
        func newest(_ answer: Scene.Answer, after earlier: String) throws -> String {
            guard answer.status == 429 else { return try #require(answer.challenge) }
            return earlier
        }
    }

    struct Ask: Sendable, CustomTestStringConvertible {
        let engine: Engine
        /// How long after the first request: at once it gets no code.
        let pause: Int64

        static let all = Engine.allCases.flatMap { engine in
            [Int64(0), 61, 400].map { Ask(engine: engine, pause: $0) }
        }

        var testDescription: String { "\(engine.rawValue), after \(pause) s" }
    }

    @Test("Who asks for a code instead of the sign-up's keeps the password", arguments: Ask.all)
    func instead(_ ask: Ask) async throws {
        guard let one = try await Case.make(ask.engine) else { return }
        let signUp = try await one.ask(
            "/signup", "\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}")
        let first = try #require(signUp.challenge)
        try await one.scene.pass(ask.pause)
        let again = try await one.ask("/otp", "\"data\":{}", showing: first)
        let grant = try await one.verify(try one.newest(again, after: first))
        #expect(grant.status == 200 && grant.passwordSet == true)
        #expect(grant.json["user"]?["user_metadata"] == ["name": "Ann"])
        #expect(try await one.signsIn("correct horse"))
    }

    @Test("Who signs up again with the typo corrected has that password", arguments: Ask.all)
    func corrected(_ ask: Ask) async throws {
        guard let one = try await Case.make(ask.engine) else { return }
        let signUp = try await one.ask(
            "/signup", "\"password\":\"corect horse\",\"data\":{\"name\":\"An\"}")
        let first = try #require(signUp.challenge)
        try await one.scene.pass(ask.pause)
        let again = try await one.ask(
            "/signup", "\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}",
            showing: first)
        let grant = try await one.verify(try one.newest(again, after: first))
        #expect(grant.status == 200 && grant.passwordSet == true)
        #expect(grant.json["user"]?["user_metadata"] == ["name": "Ann"])
        #expect(try await one.signsIn("correct horse"))
        #expect(try await !one.signsIn("corect horse"))
    }

    @Test("A stranger who asks too takes no password away, and sets none", arguments: Ask.all)
    func besideStrangers(_ ask: Ask) async throws {
        let asks = [
            ("/otp", ""), ("/otp", "\"data\":{\"role\":\"evil\"}"),
            ("/signup", "\"password\":\"of the attacker\",\"data\":{\"role\":\"evil\"}"),
        ]
        for (path, members) in asks {
            guard let one = try await Case.make(ask.engine) else { return }
            // Before and after the owner's.
            _ = try await one.ask(path, members, from: Self.stranger)
            try await one.scene.pass(61)
            let signUp = try await one.ask(
                "/signup", "\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}")
            let first = try #require(signUp.challenge)
            try await one.scene.pass(ask.pause)
            _ = try await one.ask(path, members, from: Self.stranger)
            try await one.scene.pass(61)
            let again = try await one.ask("/resend", "\"type\":\"signup\"", showing: first)
            let grant = try await one.verify(try one.newest(again, after: first))
            #expect(grant.status == 200 && grant.passwordSet == true, "\(path)")
            #expect(grant.json["user"]?["user_metadata"] == ["name": "Ann"], "\(path)")
            #expect(try await one.signsIn("correct horse"))
            #expect(try await !one.signsIn("of the attacker"))
        }
    }

    @Test(
        "Without a challenge a stranger's metadata are not the owner's", arguments: Engine.allCases)
    func metadata(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        _ = try await one.ask("/otp", "\"data\":{\"role\":\"evil\"}", from: Self.stranger)
        try await one.scene.pass(61)
        let asked = try await one.ask("/otp", "\"data\":{\"name\":\"Ann\"}")
        let grant = try await one.verify(
            try #require(asked.challenge), shown: false, type: "email")
        #expect(grant.status == 200 && grant.json["user"]?["user_metadata"] == [:])
    }

    @Test(
        "Where others ask in between, the answer says that no password was set", arguments: Ask.all)
    func withoutChallenge(_ ask: Ask) async throws {
        for (path, members, from) in [
            ("/otp", "", Self.own), ("/signup", "\"password\":\"correct horse\"", Self.own),
            ("/otp", "", Self.stranger),
            ("/signup", "\"password\":\"of the attacker\"", Self.stranger),
        ] {
            guard let one = try await Case.make(ask.engine) else { return }
            let first = try await one.ask(
                "/signup", "\"password\":\"corect horse\",\"data\":{\"name\":\"Ann\"}")
            try await one.scene.pass(ask.pause)
            let again = try await one.ask(path, members, from: from)
            let challenge = try #require(first.challenge)
            let newest = try one.newest(again, after: challenge)
            // The newest code that the owner's client asked for, or, if that ended, the newest.
            let isOwn = from == Self.own || ask.pause > 300
            let grant = try await one.verify(isOwn ? newest : challenge, shown: false)
            #expect(grant.status == 200 && grant.passwordSet == false, "\(path)")
            #expect(grant.json["user"]?["user_metadata"] == [:], "\(path)")
            for password in ["correct horse", "corect horse", "of the attacker"] {
                #expect(try await !one.signsIn(password))
            }
        }
    }

    @Test("Alone it is granted without a challenge, as ever", arguments: Engine.allCases)
    func alone(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let body = "\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}"
        _ = try await one.ask("/signup", body)
        try await one.scene.pass(61)
        // The same once more is no conflict, and nor is another code for it.
        _ = try await one.ask("/signup", body)
        try await one.scene.pass(61)
        let again = try await one.ask("/resend", "\"type\":\"signup\"")
        let grant = try await one.verify(try #require(again.challenge), shown: false)
        #expect(
            grant.passwordSet == true && grant.json["user"]?["user_metadata"] == ["name": "Ann"])
        #expect(try await one.signsIn("correct horse"))
        // A sign-in with a code is asked for no password, and a sign-up changes no account.
        try await one.scene.pass(61)
        let late = try await one.ask("/signup", "\"password\":\"of the attacker\"")
        let signIn = try await one.verify(try #require(late.challenge))
        #expect(signIn.userID == grant.userID && signIn.passwordSet == false)
        #expect(try await !one.signsIn("of the attacker"))
    }

    @Test(
        "An hour after a stranger's request the owner's is alone again", arguments: Engine.allCases)
    func later(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let body = "\"password\":\"correct horse\""
        _ = try await one.ask("/signup", "\"password\":\"of the attacker\"", from: Self.stranger)
        // Refused or not, this one counts for an hour too.
        _ = try await one.ask("/otp", from: Self.own)
        try await one.scene.pass(3_601)
        let asked = try await one.ask("/signup", body)
        let grant = try await one.verify(try #require(asked.challenge), shown: false)
        #expect(grant.passwordSet == true)
    }

    @Test(
        "A challenge of another address, purpose or request proves nothing",
        arguments: Engine.allCases)
    func otherChallenges(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let elsewhere = try await one.scene.call(
            "POST /signup", "{\"email\":\"eve@company.example\",\"password\":\"of the attacker\"}",
            client: Self.stranger)
        let theirs = try #require(elsewhere.challenge)
        let recovery = try await one.ask("/recover")
        let signUp = try await one.ask("/signup", "\"password\":\"correct horse\"")
        let first = try #require(signUp.challenge)
        for shown in [theirs, try #require(recovery.challenge)] {
            _ = try await one.ask(
                "/signup", "\"password\":\"of the attacker\"", showing: shown, from: Self.stranger)
            // Nor is the code right with it.
            let code = try #require(await one.scene.code(of: first))
            let wrong = try await one.scene.call(
                "POST /verify",
                "{\"type\":\"signup\",\"email\":\"\(one.email)\",\"token\":\"\(code)\","
                    + "\"challenge\":\"\(shown)\"}", client: Self.stranger)
            #expect(wrong.status == 403 && wrong.code == "otp_expired")
        }
        let grant = try await one.verify(first)
        #expect(grant.passwordSet == true)
        #expect(try await one.signsIn("correct horse"))
        #expect(try await !one.signsIn("of the attacker"))
    }

    @Test(
        "A further code asked for without the challenge proves no sign-up",
        arguments: Engine.allCases)
    func resent(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        _ = try await one.ask("/signup", "\"password\":\"of the attacker\"", from: Self.stranger)
        let again = try await one.ask("/resend", "\"type\":\"signup\"")
        let grant = try await one.verify(try #require(again.challenge))
        #expect(grant.status == 200 && grant.passwordSet == false)
        #expect(try await !one.signsIn("of the attacker"))
    }

    @Test("A copy of the database stands for no client", arguments: Engine.allCases)
    func copied(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let signUp = try await one.ask("/signup", "\"password\":\"correct horse\"")
        let first = try #require(signUp.challenge)
        let copy = try await one.scene.database.read { (transaction) throws(AccountError) in
            try await transaction.run("SELECT challenge FROM signet_codes", values: []).first?
                .bytes(0)
        }
        // The challenge, and a proof that is made up.
        let name = Base64URL.encode(try #require(copy))
        #expect(first.hasPrefix(name))
        let forged = name + String(repeating: "A", count: 22)
        let stranger = try await one.ask(
            "/signup", "\"password\":\"of the attacker\"", showing: forged, from: Self.stranger)
        #expect(stranger.status == 200)
        let code = try #require(await one.scene.code(of: first))
        let wrong = try await one.scene.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(one.email)\",\"token\":\"\(code)\","
                + "\"challenge\":\"\(forged)\"}", client: Self.stranger)
        #expect(wrong.status == 403 && wrong.code == "otp_expired")
        #expect(try await one.ask("/otp", showing: name, from: Self.stranger).status == 400)
        #expect(try await one.verify(first).passwordSet == true)
        #expect(try await one.signsIn("correct horse"))
        #expect(try await !one.signsIn("of the attacker"))
    }

    @Test("A number goes to the account that shows its challenge", arguments: Engine.allCases)
    func change(_ engine: Engine) async throws {
        for shown in [true, false] {
            guard let one = try await Case.make(engine) else { return }
            let scene = one.scene
            let own = try await scene.signIn(Scene.email)
            let stranger = try await scene.call("POST /signup", "{}", client: Self.stranger)
            let body = "{\"phone\":\"\(Scene.phone)\"}"
            func ask(_ grant: Scene.Answer, from client: String) async throws -> Scene.Answer {
                try await scene.call("PUT /user", body, bearer: grant.accessToken, client: client)
            }
            _ = try await ask(stranger, from: Self.stranger)
            try await scene.pass(61)
            let asked = try await ask(own, from: Self.own)
            #expect(asked.status == 200 && asked.json["new_phone"]?.stringValue == Scene.phone)
            let first = try #require(asked.challenge)
            // Refused or not.
            _ = try await ask(stranger, from: Self.stranger)
            let code = try #require(await scene.code(of: first))
            let member = shown ? ",\"challenge\":\"\(first)\"" : ""
            let taken = try await scene.call(
                "POST /verify",
                "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\""
                    + "\(member)}", client: Self.own)
            #expect(taken.status == (shown ? 200 : 403))
            #expect(taken.userID == (shown ? own.userID : nil))
            for (grant, phone) in [(own, shown ? Scene.phone : ""), (stranger, "")] {
                let user = try await scene.call("GET /user", bearer: grant.accessToken)
                #expect(user.json["phone"]?.stringValue == phone)
            }
        }
    }

    @Test(
        "A change whose session has ended is not granted by its challenge",
        arguments: Engine.allCases)
    func endedSession(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let scene = one.scene
        let own = try await scene.signIn(Scene.email)
        let asked = try await scene.call(
            "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: own.accessToken)
        let first = try #require(asked.challenge)
        let code = try #require(await scene.code(of: first))
        #expect(try await scene.call("POST /logout", bearer: own.accessToken).status == 204)
        let taken = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\","
                + "\"challenge\":\"\(first)\"}")
        #expect(taken.status == 403 && taken.code == "otp_expired")
    }

    @Test(
        "A password that a limit refused is not set in its earlier spelling",
        arguments: Engine.allCases)
    func refusedCorrection(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let scene = try await Scene(place.open()) { $0.limits.signUps = try RateLimit.perHour(1) }
        let one = Case(folder: folder, scene: scene, email: Scene.email)
        let signUp = try await one.ask("/signup", "\"password\":\"corect horse\"")
        let first = try #require(signUp.challenge)
        let refused = try await one.ask(
            "/signup", "\"password\":\"correct horse\"", showing: first)
        #expect(refused.code == "over_request_rate_limit")
        let grant = try await one.verify(first)
        #expect(grant.status == 200 && grant.passwordSet == false)
        #expect(try await !one.signsIn("corect horse"))
    }

    @Test("Known and unknown addresses get a challenge, and run the same statements with one")
    func statements() async throws {
        let noting = NotingDatabase(try await SQLiteAccounts.inMemory())
        let scene = try await Scene(noting)
        try await scene.signUp()
        for (target, members) in [
            ("POST /otp", ""), ("POST /otp", ",\"create_user\":false"), ("POST /recover", ""),
            ("POST /signup", ",\"password\":\"battery staple\",\"data\":{\"a\":1}"),
            ("POST /resend", ",\"type\":\"signup\""),
        ] {
            var (logs, names) = ([[String]](), [[String]]())
            for email in [Scene.email, "bob@company.example"] {
                try await scene.pass(100_000)
                _ = noting.taken()
                // The second shows the first one's, and a third is refused.
                var shown = ""
                for pause in [Int64(61), 61, 0] {
                    try await scene.pass(pause)
                    let answer = try await scene.call(
                        target, "{\"email\":\"\(email)\"\(members)\(shown)}")
                    if let challenge = answer.challenge {
                        shown = ",\"challenge\":\"\(challenge)\""
                    }
                    guard case .object(let found) = answer.json else { continue }
                    names.append(found.keys.sorted())
                    #expect((answer.challenge != nil) == (answer.status == 200))
                }
                logs.append(noting.taken())
            }
            #expect(!logs[0].isEmpty && logs[0] == logs[1], "\(target)")
            #expect(Array(names.prefix(3)) == Array(names.suffix(3)), "\(target)")
        }
        for wrong in ["\"x\"", "7", "\"\(String(repeating: "A", count: 65))\""] {
            let answer = try await scene.call(
                "POST /otp", "{\"email\":\"\(Scene.email)\",\"challenge\":\(wrong)}")
            #expect(answer.status == 400)
        }
    }
}
