// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

@Suite("A request that is refused before any other has asked too", .serialized)
struct RefusedRequestTests {
    private static let own = "198.51.100.7"
    private static let stranger = "203.0.113.9"
    private static let prepared = "\"password\":\"of the attacker\",\"data\":{\"role\":\"evil\"}"

    /// Why the owner's request gets no code.
    enum Reason: String, CaseIterable, Sendable {
        case client, messages, outage
    }

    struct Ask: Sendable, CustomTestStringConvertible {
        let engine: Engine
        let reason: Reason

        static let all = Engine.allCases.flatMap { engine in
            Reason.allCases.map { Ask(engine: engine, reason: $0) }
        }

        var testDescription: String { "\(engine.rawValue), \(reason.rawValue)" }
    }

    private struct Case {
        let folder: PrivateFolder
        let database: FailingDatabase
        let scene: Scene

        /// Nil where there is no PostgreSQL.
        static func make(_ engine: Engine) async throws -> Case? {
            let folder = try PrivateFolder()
            guard let place = try engine.place(in: folder) else { return nil }
            let database = FailingDatabase(inner: try await place.open())
            let two = try RateLimit(burst: 2, interval: .seconds(3_600))
            let scene = try await Scene(database) {
                $0.limits.signUps = two
                $0.codes = try CodePolicy(sentFromAddress: two)
            }
            return Case(folder: folder, database: database, scene: scene)
        }

        /// Has a request refused before it leaves anything at its destination.
        func refused(
            _ reason: Reason, _ member: String, _ ask: () async throws -> Scene.Answer
        ) async throws {
            switch reason {
            case .client:
                for number in 0..<2 {
                    _ = try await scene.call("POST /signup", "{}", client: RefusedRequestTests.own)
                    _ = try await scene.call(
                        "POST /otp", "{\"email\":\"n\(number)@company.example\"}",
                        client: RefusedRequestTests.own)
                }
            case .messages:
                // As often as strangers may ask, for other purposes.
                for _ in 0..<3 {
                    let path = member.contains("phone") ? "/otp" : "/recover"
                    let asked = try await scene.call(
                        "POST \(path)", "{\(member),\"create_user\":false}")
                    #expect(asked.status == 200)
                }
            case .outage: database.fails.withLock { $0 = true }
            }
            #expect(try await ask().status == (reason == .outage ? 503 : 429))
            database.fails.withLock { $0 = false }
            // By then a further message may go there.
            try await scene.pass(1_201)
        }

        /// Enters the code that came, as foreign clients do.
        func verify(
            _ type: String, _ member: String, at destination: String,
            from client: String = RefusedRequestTests.own
        ) async throws -> Scene.Answer {
            let code = try #require(await scene.code(to: destination))
            return try await scene.call(
                "POST /verify", "{\"type\":\"\(type)\",\(member),\"token\":\"\(code)\"}",
                client: client)
        }
    }

    @Test("A stranger's later sign-up is not confirmed by its owner's code", arguments: Ask.all)
    func signUp(_ ask: Ask) async throws {
        let member = "\"email\":\"\(Scene.email)\""
        for (path, members) in [
            ("/signup", ",\"password\":\"of the owner\""), ("/otp", ""),
            ("/otp", ",\"data\":{\"name\":\"Ann\"}"),
        ] {
            guard let one = try await Case.make(ask.engine) else { return }
            try await one.refused(ask.reason, member) {
                try await one.scene.call(
                    "POST \(path)", "{\(member)\(members)}", client: Self.own)
            }
            let stranger = try await one.scene.call(
                "POST /signup", "{\(member),\(Self.prepared)}", client: Self.stranger)
            #expect(stranger.status == 200)
            let grant = try await one.verify("signup", member, at: Scene.email)
            #expect(grant.status == 200 && grant.passwordSet == false, "\(path)")
            #expect(grant.json["user"]?["user_metadata"] == [:], "\(path)")
            let signIn = try await one.scene.password("of the attacker")
            #expect(signIn.code == "invalid_credentials")
        }
    }

    @Test("A number goes to no account that asked later than its owner's", arguments: Ask.all)
    func change(_ ask: Ask) async throws {
        guard let one = try await Case.make(ask.engine) else { return }
        let (scene, member) = (one.scene, "\"phone\":\"\(Scene.phone)\"")
        let own = try await scene.signIn(Scene.email)
        let stranger = try await scene.call("POST /signup", "{}", client: Self.stranger)
        try await one.refused(ask.reason, member) {
            try await scene.call(
                "PUT /user", "{\(member)}", bearer: own.accessToken, client: Self.own)
        }
        let asked = try await scene.call(
            "PUT /user", "{\(member)}", bearer: stranger.accessToken, client: Self.stranger)
        #expect(asked.status == 200)
        let taken = try await one.verify("phone_change", member, at: "+" + Scene.phone)
        #expect(taken.status == 403 && taken.code == "otp_expired")
        for grant in [own, stranger] {
            let user = try await scene.call("GET /user", bearer: grant.accessToken)
            #expect(user.json["phone"]?.stringValue == "")
        }
        // An hour after the owner's request nothing of it is left.
        try await scene.pass(3_601)
        let again = try await scene.call(
            "PUT /user", "{\(member)}", bearer: stranger.accessToken, client: Self.stranger)
        #expect(again.status == 200)
        let later = try await one.verify("phone_change", member, at: "+" + Scene.phone)
        #expect(later.status == 200 && later.userID == stranger.userID)
    }

    @Test("The same asked for again is granted", arguments: Engine.allCases)
    func again(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let (scene, member) = (one.scene, "\"email\":\"\(Scene.email)\"")
        let body = "{\(member),\"password\":\"correct horse\",\"data\":{\"name\":\"Ann\"}}"
        try await one.refused(.messages, member) {
            try await scene.call("POST /signup", body, client: Self.own)
        }
        #expect(try await scene.call("POST /signup", body, client: Self.own).status == 200)
        let grant = try await one.verify("signup", member, at: Scene.email)
        #expect(
            grant.passwordSet == true && grant.json["user"]?["user_metadata"] == ["name": "Ann"])
        #expect(try await scene.password("correct horse").status == 200)
        let guest = try await scene.call("POST /signup", "{}", client: "192.0.2.1")
        let phone = "\"phone\":\"\(Scene.phone)\""
        let ask = {
            try await scene.call(
                "PUT /user", "{\(phone)}", bearer: guest.accessToken, client: "192.0.2.1")
        }
        try await one.refused(.messages, phone, ask)
        #expect(try await ask().status == 200)
        let taken = try await one.verify("phone_change", phone, at: "+" + Scene.phone)
        #expect(taken.status == 200 && taken.userID == guest.userID)
    }

    @Test(
        "A client that is refused without end adds no rows, and is still known to have asked",
        arguments: Engine.allCases)
    func bounded(_ engine: Engine) async throws {
        guard let one = try await Case.make(engine) else { return }
        let scene = one.scene
        let signUp = { (email: String, password: String, client: String) in
            try await scene.call(
                "POST /signup", "{\"email\":\"\(email)\",\"password\":\"\(password)\"}",
                client: client)
        }
        for _ in 0..<2 { _ = try await scene.call("POST /signup", "{}", client: Self.own) }
        for number in 0..<100 {
            let refused = try await signUp("n\(number)@company.example", "of no one", Self.own)
            #expect(refused.code == "over_request_rate_limit")
        }
        let rows: SQLStatement = "SELECT count(*) FROM signet_gotrue_pending"
        #expect(try await scene.count(rows) == 100)
        // The owner, behind the same address, and others there.
        for email in [Scene.email, "bob@company.example", "carol@company.example"] {
            let refused = try await signUp(email, "of the owner", Self.own)
            #expect(refused.code == "over_request_rate_limit")
            #expect(try await scene.count(rows) == 101)
        }
        #expect(try await signUp(Scene.email, "of the attacker", Self.stranger).status == 200)
        let member = "\"email\":\"\(Scene.email)\""
        let grant = try await one.verify("signup", member, at: Scene.email)
        #expect(grant.status == 200 && grant.passwordSet == false)
        #expect(try await scene.password("of the attacker").code == "invalid_credentials")
        // Elsewhere, and an hour later there too, a person who asks alone sets a password.
        for (email, client) in [("dan@company.example", "192.0.2.1"), ("eve@x.example", Self.own)] {
            if client == Self.own { try await scene.pass(3_601) }
            #expect(try await signUp(email, "correct horse", client).status == 200)
            let alone = try await one.verify(
                "signup", "\"email\":\"\(email)\"", at: email, from: client)
            #expect(alone.passwordSet == true)
        }
    }
}

/// A database that is away when a message is written.
struct FailingDatabase: AccountDatabase {
    private struct Transaction: AccountTransaction {
        let inner: any AccountTransaction
        let fails: Bool

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            if fails, statement.source.description.contains("INSERT INTO signet_outbox") {
                throw AccountError(.unavailable, "The database is away.")
            }
            return try await inner.run(statement, values: values)
        }
    }

    let inner: any AccountDatabase
    let fails = Locked(false)

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let fails = fails.withLock { $0 }
        return try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Transaction(inner: transaction, fails: fails))
        }
    }
}
