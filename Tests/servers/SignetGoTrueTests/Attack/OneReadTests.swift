// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// What another connection commits in the middle of a call.
@Suite("A call reads the user once", .serialized)
struct OneReadTests {
    /// A service, and the database through another object.
    private struct Pair {
        let folder: PrivateFolder
        let database: InterposedDatabase
        let other: any AccountDatabase
        let scene: Scene

        /// Nil where there is no PostgreSQL.
        static func make(_ engine: Engine) async throws -> Pair? {
            let folder = try PrivateFolder()
            guard let place = try engine.place(in: folder) else { return nil }
            let database = InterposedDatabase(try await place.open())
            return Pair(
                folder: folder, database: database, other: try await place.open(),
                scene: try await Scene(database))
        }

        /// Does a call that the deletion of its user precedes, which is committed before the
        /// call's transaction of that number begins.
        ///
        /// - Returns: nil if the call has fewer transactions.
        func answer(
            afterDeleting id: String, before number: Int,
            _ call: (Scene) async throws -> Scene.Answer
        ) async throws -> Scene.Answer? {
            let (other, isDeleted) = (other, Locked(false))
            database.arm(.beforeTransaction(number)) {
                let wasThere = try? await other.transaction {
                    (transaction) throws(AccountError) in
                    try await AccountUsers.delete(id, in: transaction)
                }
                isDeleted.withLock { $0 = wasThere == true }
            }
            let answer = try await call(scene)
            guard database.isDone else { return nil }
            #expect(isDeleted.withLock { $0 })
            return answer
        }
    }

    @Test(
        "A refresh's token and answer say the same, whatever is changed meanwhile",
        arguments: Engine.allCases)
    func oneRead(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        let (scene, other) = (pair.scene, pair.other)
        let grant = try await scene.signIn()
        let change = Locked<Task<Void, any Error>?>(nil)
        pair.database.arm(.after("LEFT JOIN signet_gotrue_users")) {
            let task = Task {
                try await other.transaction { (transaction) throws(AccountError) -> Void in
                    try await transaction.run(
                        "UPDATE signet_gotrue_users SET metadata = '{\"plan\":\"pro\"}'", values: []
                    )
                }
            }
            change.withLock { $0 = task }
            // SQLite's other connection waits for the transaction of the call.
            if engine == .postgres { _ = await task.result }
        }
        let during = try await scene.refresh(grant.refreshToken)
        try await #require(change.withLock { $0 }).value
        #expect(try Self.plans(during, scene) == [nil, nil])
        let after = try await scene.refresh(during.refreshToken)
        #expect(try Self.plans(after, scene) == ["pro", "pro"])
    }

    @Test(
        "A refresh sees a deletion that is committed before any of its transactions",
        arguments: Engine.allCases)
    func refresh(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        var number = 0
        while true {
            let grant = try await pair.scene.signIn()
            let answer = try await pair.answer(
                afterDeleting: #require(grant.userID), before: number
            ) { scene in
                try await scene.call(
                    "POST /token?grant_type=refresh_token",
                    "{\"refresh_token\":\"\(grant.refreshToken)\"}", client: "203.0.113.7")
            }
            guard let answer else { break }
            #expect(answer.status == 400 && answer.code == "refresh_token_not_found")
            #expect(try await pair.scene.count("SELECT count(*) FROM signet_sessions") == 0)
            try await pair.scene.pass(100_000)
            number += 1
        }
        // The limit's, and the one that rotates.
        #expect(number == 2)
        #expect(pair.scene.errors.withLock { $0 }.isEmpty)
    }

    @Test(
        "A sign-in by password sees a deletion that is committed before any of its transactions",
        arguments: Engine.allCases)
    func password(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        var number = 0
        while true {
            let grant = try await pair.scene.signUp()
            let answer = try await pair.answer(
                afterDeleting: #require(grant.userID), before: number
            ) { scene in
                try await scene.call(
                    "POST /token?grant_type=password",
                    "{\"email\":\"\(Scene.email)\",\"password\":\"correct horse\"}",
                    client: "203.0.113.7")
            }
            guard let answer else { break }
            #expect(answer.status == 400 && answer.code == "invalid_credentials")
            #expect(try await pair.scene.count("SELECT count(*) FROM signet_sessions") == 0)
            try await pair.scene.pass(100_000)
            number += 1
        }
        // The limit's, the try's, the hash's, and the one that begins the session.
        #expect(number == 4)
        #expect(pair.scene.errors.withLock { $0 }.isEmpty)
    }

    @Test(
        "A browser's exchange sees a deletion that is committed before any of its transactions",
        arguments: Engine.allCases)
    func browser(_ engine: Engine) async throws {
        guard let pair = try await Pair.make(engine) else { return }
        var number = 0
        while true {
            let pkce = try PKCE()
            let code = try BrowserCallTests.code(
                await BrowserCallTests.visit(pair.scene, pkce))
            let users = try await pair.other.read { (transaction) throws(AccountError) in
                try await transaction.run("SELECT id FROM signet_users", values: [])
            }
            let answer = try await pair.answer(
                afterDeleting: #require(users.first).text(0), before: number
            ) { scene in
                try await scene.call(
                    "POST /token?grant_type=pkce",
                    "{\"auth_code\":\"\(code)\",\"code_verifier\":\"\(pkce.exposedVerifier)\"}",
                    client: "203.0.113.7")
            }
            guard let answer else { break }
            #expect(answer.status == 404 && answer.code == "flow_state_not_found")
            #expect(try await pair.scene.count("SELECT count(*) FROM signet_sessions") == 0)
            try await pair.scene.pass(100_000)
            number += 1
        }
        #expect(number == 2)
        #expect(pair.scene.errors.withLock { $0 }.isEmpty)
    }

    /// The user's plan, as the access token says it and as the answer does.
    private static func plans(_ answer: Scene.Answer, _ scene: Scene) throws -> [String?] {
        let session = try scene.service.sessions.issuer.verify(answer.accessToken)
        let claims = try session.claims(as: JSONValue.self)
        return [claims, answer.json["user"] ?? .null].map {
            $0["user_metadata"]?["plan"]?.stringValue
        }
    }
}
