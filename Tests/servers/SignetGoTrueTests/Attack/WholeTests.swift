// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetJOSE
import Testing

@Suite("Requests that change several things change all or none", .serialized)
struct WholeTests {
    private static let new = "new@company.example"

    /// An account whose sign-in is old, and a code of `/reauthenticate`.
    private static func stale(
        _ scene: Scene, client: String? = nil
    ) async throws -> (grant: Scene.Answer, nonce: String) {
        let grant = try await scene.signUp()
        try await scene.pass(601)
        let asked = try await scene.call(
            "GET /reauthenticate", bearer: grant.accessToken, client: client)
        #expect(asked.status == 200)
        return (grant, try #require(await scene.code(to: Scene.email)))
    }

    private static func body(_ nonce: String) -> String {
        "{\"password\":\"battery staple\",\"email\":\"\(new)\",\"data\":{\"a\":1},"
            + "\"nonce\":\"\(nonce)\"}"
    }

    @Test("No code can be sent to the new address: nothing changes, and the nonce is still good")
    func tooManyCodes() async throws {
        let scene = try await Scene()
        let (grant, nonce) = try await Self.stale(scene)
        let other = try await scene.password("correct horse")
        // As many codes as strangers get went there just now.
        let guest = try await scene.call("POST /signup", "{}")
        for _ in 0..<3 {
            let first = try await scene.call(
                "PUT /user", "{\"email\":\"\(Self.new)\"}", bearer: guest.accessToken)
            #expect(first.status == 200)
        }
        let refused = try await scene.call(
            "PUT /user", Self.body(nonce), bearer: grant.accessToken)
        #expect(refused.status == 429 && refused.code == "over_email_send_rate_limit")
        #expect(refused.field("Retry-After") != nil)
        #expect(try await scene.password("battery staple").code == "invalid_credentials")
        let user = try await scene.call("GET /user", bearer: other.accessToken)
        #expect(user.status == 200 && user.json["user_metadata"] == [:])
        // As if time had passed, but not for the nonce, the second of all codes.
        _ = try await scene.count("DELETE FROM signet_limits RETURNING 1")
        _ = try await scene.count(
            """
            DELETE FROM signet_codes WHERE challenge NOT IN
                (SELECT challenge FROM signet_codes ORDER BY sent_at LIMIT 2) RETURNING 1
            """)
        let done = try await scene.call(
            "PUT /user", Self.body(nonce), bearer: grant.accessToken)
        #expect(done.status == 200 && done.json["new_email"]?.stringValue == Self.new)
        #expect(done.json["user_metadata"] == ["a": 1])
        #expect(try await scene.password("battery staple").status == 200)
        let again = try await scene.call(
            "PUT /user", Self.body(nonce), bearer: grant.accessToken)
        #expect(again.status == 422 && again.code == "reauthentication_not_valid")
        // Both had asked, so neither account gets the address.
        let code = try #require(await scene.code(to: Self.new))
        let taken = try await scene.call(
            "POST /verify",
            "{\"type\":\"email_change\",\"email\":\"\(Self.new)\",\"token\":\"\(code)\"}")
        #expect(taken.code == "otp_expired")
    }

    @Test("A wrong nonce sends no code, and leaves nothing that waits")
    func wrongNonce() async throws {
        let scene = try await Scene()
        let (grant, nonce) = try await Self.stale(scene, client: "192.0.2.1")
        let wrong = nonce == "000000" ? "000001" : "000000"
        let before = scene.sender.messages.count
        for _ in 0..<2 {
            let refused = try await scene.call(
                "PUT /user", Self.body(wrong), bearer: grant.accessToken, client: "192.0.2.1")
            #expect(refused.status == 422 && refused.code == "reauthentication_not_valid")
        }
        #expect(try await scene.code(to: Self.new) == nil)
        #expect(scene.sender.messages.count == before)
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_pending") == 0)
        #expect(try await scene.count("SELECT max(tries) FROM signet_codes") == 2)
        let done = try await scene.call(
            "PUT /user", Self.body(nonce), bearer: grant.accessToken)
        #expect(done.status == 200)
        // The new address, with its code.
        let code = try #require(await scene.code(to: Self.new))
        let changed = try await scene.call(
            "POST /verify",
            "{\"type\":\"email_change\",\"email\":\"\(Self.new)\",\"token\":\"\(code)\"}")
        #expect(changed.status == 200 && changed.userID == grant.userID)
        #expect(try await scene.password("battery staple", Self.new).status == 200)
    }

    @Test("Addresses with an account and without run the same statements, with and without a nonce")
    func statements() async throws {
        let noting = NotingDatabase(try await SQLiteAccounts.inMemory())
        let scene = try await Scene(noting)
        try await scene.signIn("bob@company.example")
        for withNonce in [true, false] {
            var (logs, answers) = ([[String]](), [Scene.Answer]())
            for address in ["bob@company.example", "eve@company.example"] {
                try await scene.pass(100_000)
                let grant = try await scene.signIn(Scene.email)
                var member = ""
                if withNonce {
                    try await scene.pass(601)
                    _ = try await scene.call("GET /reauthenticate", bearer: grant.accessToken)
                    let nonce = try #require(await scene.code(to: Scene.email))
                    member = ",\"nonce\":\"\(nonce)\""
                }
                _ = noting.taken()
                answers.append(
                    try await scene.call(
                        "PUT /user", "{\"email\":\"\(address)\"\(member)}",
                        bearer: grant.accessToken))
                logs.append(noting.taken())
            }
            #expect(answers.allSatisfy { $0.status == 200 })
            #expect(!logs[0].isEmpty && logs[0] == logs[1])
        }
    }

    @Test(
        "A session that ends during the request changes nothing, with the right nonce either",
        arguments: ["PUT", "DELETE"])
    func endedMeanwhile(_ method: String) async throws {
        let database = RacedDatabase(
            inner: try await SQLiteAccounts.inMemory(), before: "UPDATE signet_codes",
            "DELETE FROM signet_sessions")
        let scene = try await Scene(database)
        let (grant, nonce) = try await Self.stale(scene)
        database.isOn.withLock { $0 = true }
        let refused = try await scene.call(
            "\(method) /user", "{\"password\":\"battery staple\",\"nonce\":\"\(nonce)\"}",
            bearer: grant.accessToken)
        database.isOn.withLock { $0 = false }
        #expect(refused.status == 403 && refused.code == "session_not_found")
        #expect(try await scene.password("battery staple").code == "invalid_credentials")
        #expect(try await scene.password("correct horse").status == 200)
    }

    @Test("A session that ends during the request changes no metadata either")
    func endedBeforeMetadata() async throws {
        let database = RacedDatabase(
            inner: try await SQLiteAccounts.inMemory(), before: "SELECT id FROM signet_users",
            "DELETE FROM signet_sessions")
        let scene = try await Scene(database)
        let grant = try await scene.signIn()
        database.isOn.withLock { $0 = true }
        let refused = try await scene.call(
            "PUT /user", "{\"data\":{\"a\":1}}", bearer: grant.accessToken)
        database.isOn.withLock { $0 = false }
        #expect(refused.status == 403 && refused.code == "session_not_found")
        let written: SQLStatement =
            "SELECT count(*) FROM signet_gotrue_users WHERE metadata <> '{}'"
        #expect(try await scene.count(written) == 0)
    }

    @Test("A code that went to an address which is replaced meanwhile confirms nothing")
    func replacedMeanwhile() async throws {
        let database = RacedDatabase(
            inner: try await SQLiteAccounts.inMemory(), before: "UPDATE signet_codes",
            "UPDATE signet_identities SET subject = 'new@company.example'")
        let scene = try await Scene(database)
        let (grant, nonce) = try await Self.stale(scene)
        database.isOn.withLock { $0 = true }
        let refused = try await scene.call(
            "PUT /user", "{\"password\":\"battery staple\",\"nonce\":\"\(nonce)\"}",
            bearer: grant.accessToken)
        database.isOn.withLock { $0 = false }
        #expect(refused.status == 422 && refused.code == "reauthentication_not_valid")
    }

    @Test("A database that fails after the exchange of a refresh token loses no session")
    func refreshed() async throws {
        let database = RacedDatabase(
            inner: try await SQLiteAccounts.inMemory(),
            failingAfter: "UPDATE signet_sessions SET current_hash")
        let scene = try await Scene(database)
        let grant = try await scene.signIn()
        database.isOn.withLock { $0 = true }
        let next = try await scene.refresh(grant.refreshToken)
        database.isOn.withLock { $0 = false }
        // Later than the grace of the exchanged token.
        try await scene.pass(61)
        let kept = next.status == 200 ? next.refreshToken : grant.refreshToken
        #expect(try await scene.refresh(kept).status == 200)
    }

    @Test("A database that fails after a change does not hide that it was made")
    func changed() async throws {
        let database = RacedDatabase(
            inner: try await SQLiteAccounts.inMemory(),
            failingAfter: "UPDATE signet_gotrue_users SET metadata")
        let scene = try await Scene(database)
        let (grant, nonce) = try await Self.stale(scene)
        database.isOn.withLock { $0 = true }
        let answer = try await scene.call(
            "PUT /user", Self.body(nonce), bearer: grant.accessToken)
        database.isOn.withLock { $0 = false }
        #expect(answer.status == 200 && answer.json["new_email"]?.stringValue == Self.new)
    }
}

/// A database in which something happens at the worst moment: another transaction comes in before a
/// statement, or every transaction fails after the one that had a statement.
struct RacedDatabase: AccountDatabase {
    private struct Transaction: AccountTransaction {
        let inner: any AccountTransaction
        let outer: RacedDatabase
        let hasRun: Locked<Bool>

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            if statement.source.description.contains(outer.text), outer.isOn.withLock({ $0 }) {
                hasRun.withLock { $0 = true }
                if let other = outer.other { try await inner.run(other, values: []) }
            }
            return try await inner.run(statement, values: values)
        }
    }

    let isOn = Locked(false)
    private let hasFailed = Locked(false)
    private let inner: any AccountDatabase
    private let text: String
    private let other: SQLStatement?

    init(inner: any AccountDatabase, before text: String, _ other: SQLStatement) {
        (self.inner, self.text, self.other) = (inner, text, other)
    }

    init(inner: any AccountDatabase, failingAfter text: String) {
        (self.inner, self.text, other) = (inner, text, nil)
    }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let (hasRun, fails) = (Locked(false), hasFailed)
        guard !isOn.withLock({ $0 }) || !fails.withLock({ $0 }) else {
            // Once: the next one succeeds.
            fails.withLock { $0 = false }
            throw AccountError(.unavailable, "It fails after the change.")
        }
        let answer = try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Transaction(inner: transaction, outer: self, hasRun: hasRun))
        }
        if other == nil, hasRun.withLock({ $0 }) { fails.withLock { $0 = true } }
        return answer
    }
}
