// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetGoTrue
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// Two services on one file, or on one PostgreSQL, each with connections of its own, and many
/// requests at once.
@Suite("Races at the service", .serialized)
struct RaceTests {
    private struct Pair {
        let folder: PrivateFolder
        let scenes: [Scene]

        /// Nil where there is no PostgreSQL.
        static func make(_ engine: Engine) async throws -> Pair? {
            let folder = try PrivateFolder()
            guard let place = try engine.place(in: folder) else { return nil }
            var scenes: [Scene] = []
            for _ in 0..<2 { scenes.append(try await Scene(place.open())) }
            return Pair(folder: folder, scenes: scenes)
        }

        /// The same request, many times at once.
        func answers(
            _ target: String, _ body: String, count: Int = 12
        ) async throws -> [Scene.Answer] {
            let scenes = scenes
            return try await withThrowingTaskGroup(of: Scene.Answer.self) { group in
                for number in 0..<count {
                    group.addTask {
                        try await scenes[number % 2].call(target, body)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        /// Different requests at once, in their order, at the first service, which knows the
        /// tokens.
        func answers(
            _ calls: [(target: String, body: String, token: String?)]
        ) async throws -> [Scene.Answer] {
            let scene = scenes[0]
            return try await withThrowingTaskGroup(of: (Int, Scene.Answer).self) { group in
                for (number, call) in calls.enumerated() {
                    group.addTask {
                        (number, try await scene.call(call.target, call.body, bearer: call.token))
                    }
                }
                let answers = try await group.reduce(into: []) { $0.append($1) }
                return answers.sorted { $0.0 < $1.0 }.map { $0.1 }
            }
        }
    }

    @Test("Of many callers with one code, one gets a session", arguments: Engine.allCases)
    func codes(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        _ = try await pair.scenes[0].call("POST /otp", "{\"phone\":\"\(Scene.phone)\"}")
        let code = try #require(await pair.scenes[0].code(to: "+" + Scene.phone))
        let answers = try await pair.answers(
            "POST /verify",
            "{\"type\":\"sms\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.allSatisfy { $0.status == 200 || $0.code == "otp_expired" })
        #expect(try await pair.scenes[0].count("SELECT count(*) FROM signet_sessions") == 1)
    }

    @Test(
        "Of many exchanges of a browser's code by its client, all get one session",
        arguments: Engine.allCases)
    func browserCodes(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let pkce = try PKCE()
        let code = try BrowserCallTests.code(
            await BrowserCallTests.visit(pair.scenes[0], pkce))
        let answers = try await pair.answers(
            "POST /token?grant_type=pkce",
            "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}")
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map(\.refreshToken)).count == 1)
        #expect(try await pair.scenes[0].count("SELECT count(*) FROM signet_sessions") == 1)
    }

    @Test("Many first sign-ins with one ID token make one user", arguments: Engine.allCases)
    func idTokens(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        // Each service has a provider of its own, with a key of its own.
        let token = try pair.scenes[0].provider.idToken("ann")
        let scenes = pair.scenes
        let answers = try await withThrowingTaskGroup(of: Scene.Answer.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await scenes[0].call(
                        "POST /token?grant_type=id_token",
                        "{\"provider\":\"keycloak\",\"id_token\":\"\(token)\"}")
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 && $0.userID == answers[0].userID })
        #expect(try await pair.scenes[0].count("SELECT count(*) FROM signet_users") == 1)
    }

    @Test("Concurrent changes are all kept", arguments: Engine.allCases)
    func metadata(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scene = pair.scenes[0]
        let token = try await scene.signIn().accessToken
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    let answer = try await scene.call(
                        "PUT /user", "{\"data\":{\"m\(number)\":\(number)}}", bearer: token)
                    #expect(answer.status == 200)
                }
            }
            try await group.waitForAll()
        }
        let kept = try await scene.call("GET /user", bearer: token).json["user_metadata"]
        for number in 0..<12 { #expect(kept?["m\(number)"]?.integerValue == Int64(number)) }
        withExtendedLifetime(pair) {}
    }

    @Test(
        "Deleting a user during refreshes and changes leaves nothing",
        arguments: Engine.allCases)
    func deletion(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scenes = pair.scenes
        let grant = try await scenes[0].signIn()
        // Only the first service accepts its tokens: each has its own keys.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    switch number % 4 {
                    case 0:
                        _ = try await scenes[number / 4 % 2].refresh(grant.refreshToken)
                    case 1:
                        _ = try await scenes[0].call(
                            "PUT /user", "{\"data\":{\"a\":\(number)}}", bearer: grant.accessToken)
                    case 2:
                        _ = try await scenes[0].call("GET /user", bearer: grant.accessToken)
                    default:
                        _ = try await scenes[0].call("DELETE /user", bearer: grant.accessToken)
                    }
                }
            }
            try await group.waitForAll()
        }
        for statement: SQLStatement in [
            "SELECT count(*) FROM signet_users", "SELECT count(*) FROM signet_sessions",
            "SELECT count(*) FROM signet_identities", "SELECT count(*) FROM signet_gotrue_users",
            "SELECT count(*) FROM signet_gotrue_sessions",
        ] {
            #expect(try await pair.scenes[0].count(statement) == 0)
        }
        for scene in pair.scenes { #expect(scene.errors.withLock { $0 }.isEmpty) }
    }

    @Test("Of many changes with one nonce, one is made", arguments: Engine.allCases)
    func nonces(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scene = pair.scenes[0]
        let token = try await scene.signUp().accessToken
        try await scene.pass(601)
        _ = try await scene.call("GET /reauthenticate", bearer: token)
        let nonce = try #require(await scene.code(to: Scene.email))
        let bodies = (0..<8).map { number in
            "{\"password\":\"of the owner \(number)\",\"nonce\":\"\(nonce)\","
                + "\"email\":\"new\(number)@company.example\"}"
        }
        let answers = try await pair.answers(bodies.map { ("PUT /user", $0, token) })
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(
            answers.allSatisfy { $0.status == 200 || $0.code == "reauthentication_not_valid" })
        for (number, answer) in answers.enumerated() {
            let signIn = try await scene.password("of the owner \(number)")
            #expect(signIn.status == (answer.status == 200 ? 200 : 400))
        }
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_pending") == 1)
    }

    @Test(
        "Of two sessions that set a password at once, one goes on", arguments: Engine.allCases)
    func passwords(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scene = pair.scenes[0]
        let tokens = [
            try await scene.signUp().accessToken,
            try await scene.password("correct horse").accessToken,
        ]
        let answers = try await pair.answers(
            tokens.enumerated().map { number, token in
                ("PUT /user", "{\"password\":\"of session \(number)\"}", token)
            })
        #expect(answers.count { $0.status == 200 } == 1)
        #expect(answers.allSatisfy { $0.status == 200 || $0.code == "session_not_found" })
        #expect(try await scene.count("SELECT count(*) FROM signet_sessions") == 1)
        for (number, answer) in answers.enumerated() {
            let signIn = try await scene.password("of session \(number)")
            #expect(signIn.status == (answer.status == 200 ? 200 : 400))
        }
    }

    @Test("Of two ways in that a guest confirms at once, one is added", arguments: Engine.allCases)
    func guests(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scene = pair.scenes[0]
        for number in 0..<4 {
            let (phone, email) = ("1415555123\(number)", "ann\(number)@company.example")
            let guest = try await scene.call("POST /signup", "{}").accessToken
            for body in ["{\"phone\":\"\(phone)\"}", "{\"email\":\"\(email)\"}"] {
                #expect(try await scene.call("PUT /user", body, bearer: guest).status == 200)
            }
            let codes = [
                try #require(await scene.code(to: "+" + phone)),
                try #require(await scene.code(to: email)),
            ]
            let answers = try await pair.answers([
                (
                    "POST /verify",
                    "{\"type\":\"phone_change\",\"phone\":\"\(phone)\",\"token\":\"\(codes[0])\"}",
                    nil
                ),
                (
                    "POST /verify",
                    "{\"type\":\"email_change\",\"email\":\"\(email)\",\"token\":\"\(codes[1])\"}",
                    nil
                ),
            ])
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.allSatisfy { $0.status == 200 || $0.code == "otp_expired" })
            let user = try await scene.call("GET /user", bearer: guest)
            #expect(user.json["identities"]?.arrayValue?.count == 1)
        }
    }

    @Test(
        "A session that ends while it asks for changes gets no server error",
        arguments: Engine.allCases)
    func endings(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scene = pair.scenes[0]
        for round in 0..<8 {
            let guest = try await scene.call("POST /signup", "{}")
            let changes = (0..<6).map { number in
                ("PUT /user", "{\"phone\":\"14155\(round)5\(number)234\"}", guest.accessToken)
            }
            let answers = try await pair.answers(
                changes + [("POST /logout", "", guest.accessToken)] + changes)
            #expect(answers.allSatisfy { [200, 204, 401, 403, 429].contains($0.status) })
            let left: SQLStatement =
                "SELECT count(*) FROM signet_gotrue_pending WHERE session_id IS NOT NULL"
            #expect(try await scene.count(left) == 0)
        }
        #expect(scene.errors.withLock { $0 }.isEmpty)
    }

    @Test("A sign-up that is confirmed while more codes are sent", arguments: Engine.allCases)
    func resends(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let scene = pair.scenes[0]
        let member = "\"email\":\"\(Scene.email)\""
        _ = try await scene.call("POST /signup", "{\(member),\"password\":\"correct horse\"}")
        let code = try #require(await scene.code(to: Scene.email))
        try await scene.pass(61)
        let calls: [(String, String, String?)] = (0..<12).map { number in
            switch number % 3 {
            case 0: ("POST /verify", "{\"type\":\"signup\",\(member),\"token\":\"\(code)\"}", nil)
            case 1: ("POST /resend", "{\"type\":\"signup\",\(member)}", nil)
            default: ("POST /recover", "{\(member)}", nil)
            }
        }
        let answers = try await pair.answers(calls)
        #expect(answers.allSatisfy { [200, 403, 429].contains($0.status) })
        #expect(answers.count { !$0.accessToken.isEmpty } <= 1)
        try await scene.pass(61)
        // Whichever came first, the person gets in with what was set up.
        if answers.allSatisfy({ $0.accessToken.isEmpty }) {
            _ = try await scene.code(to: Scene.email)
            // Of messages in one millisecond the last one need not have the code that counts.
            var status = 403
            for message in scene.sender.messages.reversed() where status == 403 {
                let code = message.code.exposedText
                status = try await scene.call(
                    "POST /verify", "{\"type\":\"signup\",\(member),\"token\":\"\(code)\"}"
                ).status
            }
            #expect(status == 200)
        }
        #expect(try await scene.password("correct horse").status == 200)
        for scene in pair.scenes { #expect(scene.errors.withLock { $0 }.isEmpty) }
    }
}
