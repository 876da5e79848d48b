// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import Testing

@Suite("Account takeover at the service", .serialized)
struct TakeoverTests {
    @Test("An address that a provider vouches for opens no account with that address")
    func providersAddress() async throws {
        let scene = try await Scene()
        let ann = try await scene.signIn(Scene.email)
        let eve = try await scene.call(
            "POST /token?grant_type=id_token",
            "{\"provider\":\"keycloak\",\"id_token\":\"\(scene.provider.idToken("eve"))\"}")
        #expect(eve.status == 200 && eve.userID != ann.userID)
        // Nor does its token say that it has the address.
        let claims = try scene.service.sessions.issuer.verify(eve.accessToken)
            .claims(as: JSONValue.self)
        #expect(claims["email"]?.stringValue == "")
        try await scene.pass(61)
        #expect(try await scene.signIn(Scene.email).userID == ann.userID)
    }

    @Test(
        "A stranger's sign-up before or in between sets no password", arguments: [true, false])
    func preparedPassword(first: Bool) async throws {
        let scene = try await Scene()
        let signUp = { (password: String) in
            try await scene.call(
                "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"\(password)\"}")
        }
        _ = try await signUp(first ? "of the attacker" : "of the victim")
        try await scene.pass(61)
        _ = try await signUp(first ? "of the victim" : "of the attacker")
        // Whichever code the victim types signs in, and no one's password counts.
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"signup\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        for password in ["of the attacker", "of the victim"] {
            #expect(try await scene.password(password).code == "invalid_credentials")
        }
    }

    @Test("A sign-in code confirms no stranger's password")
    func passwordBesideACode() async throws {
        let scene = try await Scene()
        _ = try await scene.call("POST /otp", "{\"email\":\"\(Scene.email)\"}")
        try await scene.pass(61)
        _ = try await scene.call(
            "POST /signup", "{\"email\":\"\(Scene.email)\",\"password\":\"of the attacker\"}")
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"email\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        #expect(try await scene.password("of the attacker").code == "invalid_credentials")
    }

    @Test("When two accounts want one number, neither gets it")
    func contestedNumber() async throws {
        let scene = try await Scene()
        let guests = [
            try await scene.call("POST /signup", "{}"), try await scene.call("POST /signup", "{}"),
        ]
        for guest in guests {
            let asked = try await scene.call(
                "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: guest.accessToken)
            #expect(asked.status == 200)
            try await scene.pass(61)
        }
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let answer = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        #expect(answer.status == 403 && answer.code == "otp_expired")
        for guest in guests {
            let user = try await scene.call("GET /user", bearer: guest.accessToken)
            #expect(user.json["phone"]?.stringValue == "")
        }
    }

    @Test(
        "A stranger can keep a number from its owner's account only by asking every hour")
    func contestedAgain() async throws {
        let scene = try await Scene()
        let (own, stranger) = (
            try await scene.call("POST /signup", "{}"), try await scene.call("POST /signup", "{}")
        )
        let body = "{\"phone\":\"\(Scene.phone)\"}"
        func owner() async throws -> Int {
            let asked = try await scene.call("PUT /user", body, bearer: own.accessToken)
            #expect(asked.status == 200)
            let code = try #require(await scene.code(to: "+" + Scene.phone))
            return try await scene.call(
                "POST /verify",
                "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}"
            ).status
        }
        for _ in 0..<3 {
            let asked = try await scene.call("PUT /user", body, bearer: stranger.accessToken)
            #expect(asked.status == 200)
            try await scene.pass(1_900)
            #expect(try await owner() == 403)
            try await scene.pass(1_900)
        }
        // The stranger's last request is an hour old.
        #expect(try await owner() == 200)
    }

    @Test("A request that makes no account does not block one that does")
    func notStopped() async throws {
        let scene = try await Scene()
        _ = try await scene.call("POST /otp", "{\"email\":\"\(Scene.email)\"}")
        try await scene.pass(61)
        _ = try await scene.call(
            "POST /otp", "{\"email\":\"\(Scene.email)\",\"create_user\":false}")
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"email\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        // And sending a code again reaches no one who should not get one.
        _ = try await scene.call(
            "POST /otp", "{\"phone\":\"\(Scene.phone)\",\"create_user\":false}")
        try await scene.pass(61)
        _ = try await scene.call(
            "POST /resend", "{\"type\":\"sms\",\"phone\":\"\(Scene.phone)\"}")
        #expect(try await scene.code(to: "+" + Scene.phone) == nil)
    }

    @Test("An owned number gets no code for another user's change, even when sent again")
    func numberOfAnother() async throws {
        let scene = try await Scene()
        try await scene.signIn()
        let guest = try await scene.call("POST /signup", "{}")
        let before = scene.sender.messages.count
        try await scene.pass(61)
        _ = try await scene.call(
            "PUT /user", "{\"phone\":\"\(Scene.phone)\"}", bearer: guest.accessToken)
        try await scene.pass(61)
        let again = try await scene.call(
            "POST /resend", "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\"}")
        #expect(again.status == 200)
        _ = try await scene.code(to: "+" + Scene.phone)
        #expect(scene.sender.messages.count == before)
    }

    @Test("A code of one purpose works for no other")
    func purposes() async throws {
        let scene = try await Scene()
        let grant = try await scene.signUp()
        try await scene.pass(61)
        _ = try await scene.call("GET /reauthenticate", bearer: grant.accessToken)
        let nonce = try #require(await scene.code(to: Scene.email))
        for type in ["email", "signup", "recovery", "email_change", "magiclink"] {
            let answer = try await scene.call(
                "POST /verify",
                "{\"type\":\"\(type)\",\"email\":\"\(Scene.email)\",\"token\":\"\(nonce)\"}")
            #expect(answer.code == "otp_expired")
        }
        let used = try await scene.call(
            "PUT /user", "{\"password\":\"battery staple\",\"nonce\":\"\(nonce)\"}",
            bearer: grant.accessToken)
        #expect(used.status == 200)
    }

    @Test("All spellings of an address are one account and share its limit")
    func spellings() async throws {
        let scene = try await Scene()
        let id = try await scene.signIn(Scene.email).userID
        for spelling in ["ANN@COMPANY.EXAMPLE", "Ann@company.example"] {
            let asked = try await scene.call("POST /otp", "{\"email\":\"\(spelling)\"}")
            #expect(asked.status == 200)
        }
        let fourth = try await scene.call("POST /otp", "{\"email\":\"ann@Company.example\"}")
        #expect(fourth.status == 429)
        try await scene.pass(1_201)
        _ = try await scene.call("POST /otp", "{\"email\":\"ANN@company.example\"}")
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"email\",\"email\":\"ann@COMPANY.example\",\"token\":\"\(code)\"}")
        #expect(grant.userID == id)
        // The Kelvin sign is no k, and no blank is taken away.
        for other in [
            "ann@company.example ", "\u{212a}ann@company.example", "<ann@company.example>",
        ] {
            let answer = try await scene.call("POST /otp", "{\"email\":\"\(other)\"}")
            #expect(answer.code == "validation_failed")
        }
    }

    @Test("Known and unknown addresses run the same statements")
    func statements() async throws {
        let noting = NotingDatabase(try await SQLiteAccounts.inMemory())
        let scene = try await Scene(noting)
        try await scene.signUp()
        try await scene.pass(100_000)
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
                { "{\"type\":\"recovery\",\"email\":\"\($0)\",\"token\":\"000000\"}" }
            ),
        ]
        for (target, body) in calls {
            var logs: [[String]] = []
            for email in [Scene.email, "bob@company.example"] {
                _ = noting.taken()
                _ = try await scene.call(target, body(email))
                logs.append(noting.taken())
                try await scene.pass(100_000)
            }
            #expect(!logs[0].isEmpty && logs[0] == logs[1], "\(target)")
        }
    }
}

/// Keeps which statements ran.
struct NotingDatabase: AccountDatabase {
    private struct Transaction: AccountTransaction {
        let inner: any AccountTransaction
        let log: Locked<[String]>

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            log.withLock { $0.append(statement.source.description) }
            return try await inner.run(statement, values: values)
        }
    }

    private let log = Locked([String]())
    private let inner: any AccountDatabase

    init(_ inner: any AccountDatabase) { self.inner = inner }

    var dialect: SQLDialect { inner.dialect }

    func taken() -> [String] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let log = log
        return try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Transaction(inner: transaction, log: log))
        }
    }
}
