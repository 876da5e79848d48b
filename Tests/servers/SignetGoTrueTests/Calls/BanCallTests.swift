// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetEmail
import SignetGoTrue
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Banned users at the service", .serialized)
struct BanCallTests {
    /// A way to begin a session, or to go on with one.
    enum Way: String, CaseIterable, Sendable {
        case password, code, recovery, link, idToken, browser, refresh, user, change
    }

    /// What a banned user shows, who has proved to be that user.
    private static let proofs: [Way] = Way.allCases.filter { $0 != .refresh }

    private func scene(_ database: (any AccountDatabase)? = nil) async throws -> Scene {
        try await Scene(database) { $0.linkPage = Scene.redirect }
    }

    /// A user with a password, an address and an account at the provider, and the last session.
    private func user(_ scene: Scene) async throws -> Scene.Answer {
        let grant = try await scene.signUp()
        let linked = try await scene.call(
            "POST /token?grant_type=id_token",
            """
            {"provider":"keycloak","id_token":"\(scene.provider.idToken("ann"))",
            "link_identity":true}
            """, bearer: grant.accessToken)
        #expect(linked.status == 200 && linked.userID == grant.userID)
        try await scene.pass(100_000)
        return linked
    }

    private func ban(_ scene: Scene, _ id: String?) async throws {
        try await scene.service.support.ban(
            try #require(id), until: AccountSupport.endless, by: "kim", reason: "a test")
    }

    /// Prepares a way in before `banning`, and goes it afterwards.
    private func go(
        _ way: Way, _ scene: Scene, _ grant: Scene.Answer, banning: () async throws -> Void
    ) async throws -> Scene.Answer {
        let email = "\"email\":\"\(Scene.email)\""
        switch way {
        case .password:
            try await banning()
            return try await scene.password("correct horse")
        case .code, .recovery:
            _ = try await scene.call(way == .code ? "POST /otp" : "POST /recover", "{\(email)}")
            let code = try #require(await scene.code(to: Scene.email))
            try await banning()
            let type = way == .code ? "email" : "recovery"
            return try await scene.call(
                "POST /verify", "{\"type\":\"\(type)\",\(email),\"token\":\"\(code)\"}")
        case .link:
            _ = try await scene.call("POST /otp", "{\(email)}")
            let token = try await scene.linkToken()
            try await banning()
            return try await scene.call(
                "POST /verify", "{\"type\":\"email\",\"token_hash\":\"\(token)\"}")
        case .idToken:
            try await banning()
            return try await scene.call(
                "POST /token?grant_type=id_token",
                "{\"provider\":\"keycloak\",\"id_token\":\"\(scene.provider.idToken("ann"))\"}")
        case .browser:
            try await banning()
            let pkce = try PKCE()
            let code = try BrowserCallTests.code(await BrowserCallTests.visit(scene, pkce))
            return try await BrowserCallTests.exchange(scene, code, pkce)
        case .refresh:
            try await banning()
            return try await scene.refresh(grant.refreshToken)
        case .user:
            try await banning()
            return try await scene.call("GET /user", bearer: grant.accessToken)
        case .change:
            try await banning()
            return try await scene.call(
                "PUT /user", "{\"data\":{\"a\":1}}", bearer: grant.accessToken)
        }
    }

    @Test("Each way in, and each way on, is closed by a ban", arguments: Way.allCases)
    func ways(_ way: Way) async throws {
        let scene = try await scene()
        let grant = try await user(scene)
        let open = try await go(way, scene, grant) {}
        #expect(open.status == 200, "\(way): \(open.code ?? "")")
        try await scene.pass(100_000)
        let latest = way == .refresh ? open : grant
        let closed = try await go(way, scene, latest) { try await ban(scene, grant.userID) }
        // The refresh token went with its session: it names nobody any more.
        let expected =
            way == .refresh ? (400, "refresh_token_not_found") : (403, "user_banned")
        #expect(closed.status == expected.0 && closed.code == expected.1, "\(way)")
        #expect(try await scene.count("SELECT count(*) FROM signet_sessions") == 0)
        try await scene.service.support.liftBan(
            of: try #require(grant.userID), by: "kim", reason: "a test")
        #expect(try await scene.password("correct horse").status == 200)
        #expect(scene.errors.withLock { $0.isEmpty })
    }

    private func run(_ scene: Scene, _ statement: SQLStatement) async throws {
        try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(statement, values: [])
        }
    }

    @Test("A session that began at a server of the version before is refused as the user's")
    func olderServers() async throws {
        let scene = try await scene()
        let grant = try await user(scene)
        let second = try await scene.password("correct horse")
        try await run(scene, "UPDATE signet_users SET banned_until = {now} + 3600000")
        for way in [Way.user, .change, .refresh] {
            let answer = try await go(way, scene, grant) {}
            #expect(answer.status == 403 && answer.code == "user_banned", "\(way)")
        }
        // It has ended with the refresh.
        #expect(try await scene.refresh(grant.refreshToken).code == "refresh_token_not_found")
        // Another one does not come back when the ban is over.
        try await run(scene, "UPDATE signet_users SET banned_until = {now}")
        let ended = ["session_not_found", "session_not_found", "session_expired"]
        for (way, code) in zip([Way.user, .change, .refresh], ended) {
            #expect(try await go(way, scene, second) {}.code == code, "\(way)")
        }
        #expect(try await scene.password("correct horse").status == 200)
    }

    @Test("A right password during a ban uses up no try")
    func tries() async throws {
        let scene = try await scene()
        let grant = try await user(scene)
        try await ban(scene, grant.userID)
        for _ in 0..<12 {
            #expect(try await scene.password("correct horse").code == "user_banned")
        }
        try await scene.service.support.liftBan(
            of: try #require(grant.userID), by: "kim", reason: "a test")
        #expect(try await scene.password("correct horse").status == 200)
        // Wrong ones count as ever: 10 at once.
        try await ban(scene, grant.userID)
        for _ in 0..<10 {
            #expect(try await scene.password("wrong one").code == "invalid_credentials")
        }
        #expect(try await scene.password("correct horse").status == 429)
    }

    @Test("A stranger learns of no ban: the same answers and statements as for nobody")
    func oracle() async throws {
        let noting = NotingDatabase(try await SQLiteAccounts.inMemory())
        let scene = try await scene(noting)
        let grant = try await user(scene)
        try await ban(scene, grant.userID)
        let calls: [(String, (String) -> String)] = [
            ("POST /otp", { "{\"email\":\"\($0)\"}" }),
            ("POST /otp", { "{\"email\":\"\($0)\",\"create_user\":false}" }),
            ("POST /recover", { "{\"email\":\"\($0)\"}" }),
            ("POST /signup", { "{\"email\":\"\($0)\",\"password\":\"battery staple\"}" }),
            (
                "POST /token?grant_type=password",
                { "{\"email\":\"\($0)\",\"password\":\"wrong one\"}" }
            ),
            (
                "POST /verify",
                { "{\"type\":\"email\",\"email\":\"\($0)\",\"token\":\"000000\"}" }
            ),
        ]
        for (target, body) in calls {
            var logs: [[String]] = []
            var answers: [String] = []
            for email in [Scene.email, "bob@company.example"] {
                _ = noting.taken()
                let answer = try await scene.call(target, body(email))
                answers.append("\(answer.status) \(answer.code ?? "")")
                logs.append(noting.taken())
                try await scene.pass(100_000)
            }
            #expect(!logs[0].isEmpty && logs[0] == logs[1], "\(target)")
            #expect(answers[0] == answers[1] && !answers[0].contains("banned"), "\(target)")
        }
    }

    @Test("Ending all sessions ends a browser's sign-in and changes that wait")
    func unfinished() async throws {
        let scene = try await scene()
        let grant = try await user(scene)
        let pkce = try PKCE()
        let code = try BrowserCallTests.code(await BrowserCallTests.visit(scene, pkce))
        for change in ["{\"email\":\"new@company.example\"}", "{\"phone\":\"\(Scene.phone)\"}"] {
            let fresh = try await scene.password("correct horse").accessToken
            #expect(try await scene.call("PUT /user", change, bearer: fresh).status == 200)
        }
        let ended = try await scene.service.support.endSessions(
            of: try #require(grant.userID), by: "kim", reason: "a test")
        #expect(ended == 4)
        for count: SQLStatement in [
            "SELECT count(*) FROM signet_gotrue_address_changes",
            "SELECT count(*) FROM signet_gotrue_pending WHERE session_id IS NOT NULL",
        ] { #expect(try await scene.count(count) == 0) }
        #expect(
            try await BrowserCallTests.exchange(scene, code, pkce).code == "flow_state_not_found")
        #expect(try await scene.password("correct horse").status == 200)
    }

    @Test("After a reset the first factor alone is enough, and the password is gone")
    func reset() async throws {
        let factors = try await FactorScene()
        let scene = factors.scene
        let grant = try await scene.signUp()
        let app = try await factors.app(grant.accessToken)
        let raised = try await factors.verify(app, grant.accessToken)
        #expect(raised.status == 200)
        let support = scene.service.support
        // Found in any case, as the service does.
        let found = try await support.user(
            with: .email(try Mailbox("Ann@Company.Example")), by: "kim", reason: "a test")
        let id = try #require(found?.id)
        #expect(found?.factors.count == 1 && found?.hasPassword == true)
        try await support.reset(
            [.secondFactors, .password, .limits], of: id, by: "kim", reason: "a test")
        #expect(try await scene.refresh(raised.refreshToken).status == 400)
        #expect(try await scene.password("correct horse").code == "invalid_credentials")
        try await scene.pass(100_000)
        let again = try await scene.signIn(Scene.email)
        #expect(again.status == 200 && again.userID == id)
        #expect(again.json["user"]?["factors"] == nil)
        #expect(
            Set(try await scene.notices()) == [
                "factor-added \(Scene.email)", "factor-removed \(Scene.email)",
                "password-removed \(Scene.email)",
            ])
        try await factors.clock.close()
    }

    @Test("A ban wins against sign-ins and refreshes under way", arguments: Engine.allCases)
    func races(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let scenes = [try await Scene(place.open()), try await Scene(place.open())]
        let grant = try await scenes[0].signUp()
        let id = try #require(grant.userID)
        let answers = try await withThrowingTaskGroup(of: [Scene.Answer].self) { group in
            for number in 0..<8 {
                group.addTask {
                    let scene = scenes[number % 2]
                    guard number != 5 else {
                        try await scene.service.support.ban(
                            id, until: AccountSupport.endless, by: "kim", reason: "a test")
                        return []
                    }
                    let begun = try await scene.password("correct horse")
                    guard begun.status == 200 else { return [begun] }
                    return [begun, try await scene.refresh(begun.refreshToken)]
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for answer in answers where answer.status != 200 {
            #expect(
                ["user_banned", "refresh_token_not_found"].contains(answer.code),
                "\(answer.status) \(answer.code ?? "")")
        }
        #expect(try await scenes[0].count("SELECT count(*) FROM signet_sessions") == 0)
        for answer in answers where answer.status == 200 {
            #expect(
                try await scenes[1].refresh(answer.refreshToken).code == "refresh_token_not_found")
        }
        withExtendedLifetime(folder) {}
    }
}
