// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import NIOCore
    import SignetAccounts
    import SignetBase
    import SignetEmail
    import SignetHummingbird
    import SignetHummingbirdAccounts
    import SignetIdentity
    import SignetJOSE
    import SignetSignIn
    import TestSupport

    /// A server of accounts, with a route that signs in who it is told, and a clock that the test
    /// sets.
    final class AccountFixture: Sendable {
        typealias Guest = GuestContext<VerifiedSession>

        static let issuer = "https://api.example"

        let clock = ManualClock()
        let database: SQLiteAccounts
        let sessions: RefreshTokens
        let people: People
        private let cutOff: SessionCutOff
        private let folder: PrivateFolder

        init(issuer: String = AccountFixture.issuer) async throws {
            folder = try PrivateFolder()
            database = try await Self.open(folder)
            sessions = try RefreshTokens(
                database: database,
                issuer: SessionTokenIssuer(
                    issuer: issuer, audience: "session",
                    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600),
                    clock: clock.source))
            people = People(database)
            cutOff = try SessionCutOff(sessions, clock: clock.source)
        }

        /// With a row for the time.
        private static func open(_ folder: PrivateFolder) async throws -> SQLiteAccounts {
            let path = folder.path + "/accounts.db"
            let plain = try await SQLiteAccounts.open(at: path)
            try await plain.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run(
                    "CREATE TABLE test_clock (at INTEGER NOT NULL)", values: [])
                try await transaction.run("INSERT INTO test_clock (at) VALUES ({now})", values: [])
            }
            await plain.close()
            var dialect = SQLDialect(
                now: "(SELECT at FROM test_clock)", bytes: "BLOB", integer: "INTEGER")
            dialect.strict = "STRICT"
            dialect.parameterPrefix = "?"
            return try await SQLiteAccounts.open(
                at: path, busyTimeout: .milliseconds(50), dialect: dialect)
        }

        /// Lets time pass, for the tokens and in the database.
        func pass(_ time: Duration) async throws {
            clock.advance(by: time)
            let milliseconds = SQLValue.integer(time.components.seconds * 1_000)
            try await database.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run(
                    "UPDATE test_clock SET at = at + $1", values: [milliseconds])
            }
        }

        /// Runs `body` while another process writes to the database, and does not end.
        func interrupted(_ body: @escaping @Sendable () async -> Void) async throws {
            let other = try await SQLiteAccounts.open(at: folder.path + "/accounts.db")
            try await other.transaction { (transaction) throws(AccountError) -> Void in
                try await transaction.run("UPDATE test_clock SET at = at", values: [])
                await body()
            }
            await other.close()
        }

        /// The server.
        func application() throws -> some ApplicationProtocol {
            let router = Router(context: Guest.self)
            router.add(middleware: ErrorAnswers())
            try router.addTokens(of: sessions, people: people, checking: cutOff)
            router.post("sign-in") { [people, sessions] request, _ -> Response in
                let body = try await request.strictJSON(SignInBody.self)
                let found = try await people.findOrAdd(.email(try Mailbox(body.email)))
                let tokens = try await sessions.begin(
                    for: found.user.id, device: "phone", clientID: body.client)
                return try Response(json: TokenAnswer(tokens))
            }
            router.group().add(middleware: Authentication(cutOff))
                .group("api/me", context: MemberContext<Guest>.self)
                .get { _, context in context.signedIn.subject }
            return Application(router: router)
        }
    }

    private struct SignInBody: Decodable {
        let email: String
        let client: String?
    }

    /// What a client reads of an answer with tokens.
    struct Tokens: Decodable {
        let accessToken, refreshToken, tokenType: String
        let expiresIn: Int

        private enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case tokenType = "token_type"
            case expiresIn = "expires_in"
        }
    }

    extension TestResponse {
        var text: String { String(buffer: body) }

        func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try StrictJSON.decode(type, from: body.readableBytesView)
        }

        /// `error` of a refusal.
        var oauthError: String? { (try? json(as: [String: String].self))?["error"] }
    }

    extension TestClientProtocol {
        func get(_ path: String, token: String? = nil) async throws -> TestResponse {
            try await executeRequest(
                uri: path, method: .get, headers: .bearer(token), body: nil)
        }

        func post(
            _ path: String, _ body: String = "", type: String = "application/json",
            fields: HTTPFields = [:]
        ) async throws -> TestResponse {
            var fields = fields
            if !body.isEmpty { fields[.contentType] = type }
            return try await executeRequest(
                uri: path, method: .post, headers: fields, body: ByteBuffer(string: body))
        }

        func post(
            _ path: String, form: [(name: String, value: String)], fields: HTTPFields = [:]
        ) async throws -> TestResponse {
            try await post(
                path, FormEncoding.encode(form), type: "application/x-www-form-urlencoded",
                fields: fields)
        }

        func signIn(_ client: String? = nil, email: String = "ada@company.example") async throws
            -> Tokens
        {
            let member = client.map { #","client":"\#($0)""# } ?? ""
            return try await post("/sign-in", #"{"email":"\#(email)"\#(member)}"#).json()
        }

        func refresh(_ token: String, client: String? = nil) async throws -> TestResponse {
            let form = [("grant_type", "refresh_token"), ("refresh_token", token)]
            return try await post(
                "/oauth/token", form: form + (client.map { [("client_id", $0)] } ?? []))
        }

        func revoke(_ token: String, client: String? = nil) async throws -> TestResponse {
            try await post(
                "/oauth/revoke",
                form: [("token", token)] + (client.map { [("client_id", $0)] } ?? [])
            )
        }
    }

    extension HTTPFields {
        static func bearer(_ token: String?) -> HTTPFields {
            token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        }
    }
#endif
