// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetGoTrue
import SignetJOSE
import Testing

@Suite("Accounts that a stranger prepares or adds a sign-in to", .serialized)
struct HijackTests {
    @Test(
        "A stranger's password is not confirmed by the owner's code",
        arguments: ["/otp", "/signup"])
    func refusedRequest(_ path: String) async throws {
        let scene = try await Scene()
        // As often as strangers may.
        for _ in 0..<3 {
            _ = try await scene.call(
                "POST /signup",
                "{\"email\":\"\(Scene.email)\",\"password\":\"of the attacker\"}")
        }
        let own = try await scene.call(
            "POST \(path)", "{\"email\":\"\(Scene.email)\",\"password\":\"of the victim\"}")
        #expect(own.status == 429)
        // Only the attacker's codes arrived.
        let code = try #require(await scene.code(to: Scene.email))
        let grant = try await scene.call(
            "POST /verify",
            "{\"type\":\"email\",\"email\":\"\(Scene.email)\",\"token\":\"\(code)\"}")
        #expect(grant.status == 200)
        for password in ["of the attacker", "of the victim"] {
            #expect(try await scene.password(password).code == "invalid_credentials")
        }
    }

    @Test("A number that a stranger asked for first goes to neither account")
    func refusedChange() async throws {
        let scene = try await Scene()
        let stranger = try await scene.call("POST /signup", "{}")
        let own = try await scene.signIn(Scene.email)
        let body = "{\"phone\":\"\(Scene.phone)\"}"
        for _ in 0..<3 {
            #expect(
                try await scene.call("PUT /user", body, bearer: stranger.accessToken).status == 200)
        }
        #expect(try await scene.call("PUT /user", body, bearer: own.accessToken).status == 429)
        let code = try #require(await scene.code(to: "+" + Scene.phone))
        let answer = try await scene.call(
            "POST /verify",
            "{\"type\":\"phone_change\",\"phone\":\"\(Scene.phone)\",\"token\":\"\(code)\"}")
        #expect(answer.status == 403 && answer.code == "otp_expired")
        for grant in [stranger, own] {
            let user = try await scene.call("GET /user", bearer: grant.accessToken)
            #expect(user.json["phone"]?.stringValue == "")
        }
    }

    @Test("Linking a provider needs a recent sign-in")
    func staleLink() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        try await scene.pass(601)
        let body =
            "{\"provider\":\"keycloak\",\"id_token\":\"\(try scene.provider.idToken("eve"))\","
            + "\"link_identity\":true}"
        let target = "POST /token?grant_type=id_token"
        let stale = try await scene.call(target, body, bearer: grant.accessToken)
        #expect(stale.status == 400 && stale.code == "reauthentication_needed")
        let user = try await scene.call("GET /user", bearer: grant.accessToken)
        #expect(user.json["identities"]?.arrayValue?.count == 1)
        let fresh = try await scene.signIn()
        let linked = try await scene.call(target, body, bearer: fresh.accessToken)
        #expect(linked.status == 200 && linked.userID == grant.userID)
    }

    @Test(
        "An address that a stolen session asked for goes away with the session",
        arguments: ["signed out", "another password", "deleted"])
    func waitingAddress(_ end: String) async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        try await scene.pass(61)
        let stolen = try await scene.signIn(Scene.email)
        let asked = try await scene.call(
            "PUT /user", "{\"email\":\"eve@example.com\"}", bearer: stolen.accessToken)
        #expect(asked.status == 200)
        let bearer = grant.accessToken
        switch end {
        case "signed out":
            #expect(try await scene.call("POST /logout", bearer: bearer).status == 204)
        case "another password":
            let changed = try await scene.call(
                "PUT /user", "{\"password\":\"of the owner 1\"}", bearer: bearer)
            #expect(changed.status == 200)
        default:
            #expect(try await scene.call("DELETE /user", bearer: bearer).status == 204)
        }
        let code = try #require(await scene.code(to: "eve@example.com"))
        let taken = try await scene.call(
            "POST /verify",
            "{\"type\":\"email_change\",\"email\":\"eve@example.com\",\"token\":\"\(code)\"}")
        #expect(taken.status == 403 && taken.code == "otp_expired")
        let waiting: SQLStatement =
            "SELECT count(*) FROM signet_gotrue_pending WHERE session_id IS NOT NULL"
        #expect(try await scene.count(waiting) == 0)
        // The code of the present address was the third message there.
        try await scene.pass(3_601)
        let own = try await scene.signIn(Scene.email)
        #expect(own.status == 200 && (own.userID == grant.userID) == (end != "deleted"))
    }

    @Test("An ended session asks for no address")
    func endedSession() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        _ = try await scene.count("DELETE FROM signet_sessions RETURNING 1")
        let asked = try await scene.call(
            "PUT /user", "{\"email\":\"eve@example.com\"}", bearer: grant.accessToken)
        #expect([401, 403].contains(asked.status), "\(asked.status) \(asked.code ?? "")")
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_pending") == 0)
    }

    @Test("Asking again does not extend a waiting address")
    func prolongedAddress() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        let asked = try await scene.call(
            "PUT /user", "{\"email\":\"eve@example.com\"}", bearer: grant.accessToken)
        #expect(asked.status == 200)
        let again = "{\"type\":\"email_change\",\"email\":\"eve@example.com\"}"
        try await scene.pass(3_500)
        #expect(try await scene.call("POST /resend", again).status == 200)
        try await scene.pass(101)
        let code = try #require(await scene.code(to: "eve@example.com"))
        let taken = try await scene.call(
            "POST /verify",
            "{\"type\":\"email_change\",\"email\":\"eve@example.com\",\"token\":\"\(code)\"}")
        #expect(taken.status == 403 && taken.code == "otp_expired")
    }

    @Test("Deleting an account needs a recent sign-in or a code")
    func staleDeletion() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn(Scene.email)
        try await scene.pass(601)
        // A refresh is not a sign-in.
        let refreshed = try await scene.call(
            "POST /token?grant_type=refresh_token",
            "{\"refresh_token\":\"\(grant.refreshToken)\"}")
        #expect(refreshed.status == 200)
        let token = refreshed.accessToken
        for body in [nil, "{}", "{\"nonce\":null}", "{\"nonce\":\"\"}"] {
            let stale = try await scene.call("DELETE /user", body, bearer: token)
            #expect(stale.status == 400 && stale.code == "reauthentication_needed")
        }
        #expect(try await scene.call("DELETE /user", "[", bearer: token).status == 400)
        #expect(try await scene.call("GET /reauthenticate", bearer: token).status == 200)
        let nonce = try #require(await scene.code(to: Scene.email))
        for bad in [nonce == "000000" ? "000001" : "000000", "x"] {
            let refused = try await scene.call(
                "DELETE /user", "{\"nonce\":\"\(bad)\"}", bearer: token)
            #expect(refused.status == 422 && refused.code == "reauthentication_not_valid")
        }
        // Another user's account is not deleted by it.
        let other = try await scene.signIn()
        let others = try await scene.call(
            "DELETE /user", "{\"nonce\":\"\(nonce)\"}", bearer: other.accessToken)
        #expect(others.code == "reauthentication_not_valid")
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 2)
        let gone = try await scene.call(
            "DELETE /user", "{\"nonce\":\"\(nonce)\"}", bearer: token)
        #expect(gone.status == 204)
        #expect(try await scene.call("DELETE /user", bearer: other.accessToken).status == 204)
        // A guest cannot sign in again, and may delete the account at any time.
        let guest = try await scene.call("POST /signup", "{}")
        try await scene.pass(86_400)
        #expect(try await scene.call("DELETE /user", bearer: guest.accessToken).status == 204)
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 0)
    }

    @Test("A password that is changed during its check signs no one in")
    func changedMeanwhile() async throws {
        let database = MeddledDatabase(inner: try await SQLiteAccounts.inMemory())
        let scene = try await Scene(database)
        try await scene.signUp()
        #expect(try await scene.password("correct horse").status == 200)
        let before = try await scene.count("SELECT count(*) FROM signet_sessions")
        database.meddles.withLock { $0 = true }
        #expect(try await scene.password("correct horse").code == "invalid_credentials")
        #expect(try await scene.count("SELECT count(*) FROM signet_sessions") == before)
    }
}

/// A database in which another transaction changes all passwords before one of them is read for the
/// second time.
struct MeddledDatabase: AccountDatabase {
    private struct Transaction: AccountTransaction {
        let inner: any AccountTransaction
        let meddles: Bool

        func run(
            _ statement: SQLStatement, values: [SQLValue]
        ) async throws(AccountError) -> [SQLRow] {
            let text = statement.source.description
            if meddles, text.contains("UPDATE signet_gotrue_passwords SET hash") {
                try await inner.run(
                    "UPDATE signet_gotrue_passwords SET hash = 'another'", values: [])
            }
            return try await inner.run(statement, values: values)
        }
    }

    let inner: any AccountDatabase
    let meddles = Locked(false)

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        let meddles = meddles.withLock { $0 }
        return try await inner.transaction { (transaction) throws(AccountError) in
            try await work(Transaction(inner: transaction, meddles: meddles))
        }
    }
}
