// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// A service over SQLite in memory, a provider in the process, and a reader of messages that acts
/// like a person.
struct Scene {
    static let email = "ann@company.example"
    static let phone = "14155551234"
    static let key = "sb_publishable_3kf9aJd0"
    static let redirect = "https://app.example/signed-in"

    let database: any AccountDatabase
    let service: GoTrueService
    let provider: StubProvider
    let sender = RecordingSender()
    let errors = Locked([AccountError.Code]())
    /// How often it was reported that requests have no address. Most of the tests have none.
    let addressReports = Locked(0)
    private let secret: AccountSecret

    init(
        _ database: (any AccountDatabase)? = nil, place: String = "https://project.example/auth/v1",
        clock: TimeSource = .still, sender: SenderRule = .bearerOnly,
        refusesHeldBackKeys: Bool = false, signInStore: (any SignInStore)? = nil,
        change: (inout GoTrueOptions) throws -> Void = { _ in }
    ) async throws {
        self.database =
            if let database { database } else { try await SQLiteAccounts.inMemory() }
        provider = try StubProvider(redirectURI: place + "/callback/keycloak")
        secret = try AccountSecret(SecretKey(copying: [UInt8](repeating: 1, count: 32)))
        var options = try GoTrueOptions()
        options.publishableKeys = [Self.key]
        options.allowsGuests = true
        // The database has the system's clock: the longest time that a busy machine may take.
        options.sessions.grace = .seconds(60)
        options.passwords = try PasswordHasher(.scrypt(logCost: 4), concurrency: 2)
        options.redirects = try RedirectURIs(
            [Self.redirect, "app.example:/callback", "http://127.0.0.1/callback"],
            loopbackPorts: .any)
        let (errors, addressReports) = (errors, addressReports)
        options.report = { error in
            guard error.code != .noClientAddress else {
                return addressReports.withLock { $0 += 1 }
            }
            errors.withLock { $0.append(error.code) }
        }
        try change(&options)
        let keys = try SessionKeyRing(SigningKey.generate(.es256, keyID: "signing"))
        service = try await GoTrueService.open(
            self.database, secret: secret,
            issuer: SessionTokenIssuer(
                issuer: place, audience: GoTrueService.audience, keys: keys,
                lifetime: .seconds(3600),
                sender: sender, clock: clock),
            providers: [
                "keycloak": GoTrueProvider(
                    provider.signIn(
                        refusesHeldBackKeys: refusesHeldBackKeys, store: signInStore))
            ],
            options: options)
    }

    /// What stood in the answer to a request.
    struct Answer {
        let response: GoTrueResponse
        let json: JSONValue

        var status: Int { response.status }
        /// GoTrue's code, in either shape.
        var code: String? {
            json["code"]?.stringValue ?? json["error_code"]?.stringValue
                ?? json["error"]?.stringValue
        }
        var accessToken: String { json["access_token"]?.stringValue ?? "" }
        var refreshToken: String { json["refresh_token"]?.stringValue ?? "" }
        var userID: String? { (json["user"] ?? json)["id"]?.stringValue }
        /// What the client keeps of a request.
        var challenge: String? { json["challenge"]?.stringValue }
        /// Whether a sign-up's password was set.
        var passwordSet: Bool? { json["password_set"]?.boolValue }

        func field(_ name: String) -> String? {
            response.fields.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    func send(_ request: GoTrueRequest) async throws -> Answer {
        let response = await service.answer(request)
        let json =
            response.body.isEmpty
            ? JSONValue.null : try StrictJSON.decode(JSONValue.self, from: response.body)
        return Answer(response: response, json: json)
    }

    /// A call as a client of today makes it.
    func call(
        _ target: String, _ body: String? = nil, bearer: String? = nil, client: String? = nil,
        fields: [(String, String)] = []
    ) async throws -> Answer {
        try await send(
            Self.request(target, body, bearer: bearer, client: client, fields: fields))
    }

    static func request(
        _ target: String, _ body: String? = nil, bearer: String? = nil, client: String? = nil,
        fields: [(String, String)] = []
    ) -> GoTrueRequest {
        let parts = target.split(separator: " ", maxSplits: 1).map(String.init)
        let pieces = parts[1].split(separator: "?", maxSplits: 1).map(String.init)
        var all = [("apikey", key), ("X-Supabase-Api-Version", "2024-01-01")] + fields
        if body != nil, !fields.contains(where: { $0.0 == "Content-Type" }) {
            all.append(("Content-Type", "application/json;charset=UTF-8"))
        }
        if let bearer { all.append(("Authorization", "Bearer " + bearer)) }
        return GoTrueRequest(
            method: parts[0], path: pieces[0], query: pieces.count > 1 ? pieces[1] : "",
            fields: all.map { GoTrueRequest.Field(name: $0.0, value: $0.1) },
            body: Array((body ?? "").utf8),
            client: client.flatMap { ClientAddress($0) })
    }

    /// It sends one message at a time, so that the last one is the latest.
    private func outbox() throws -> Outbox {
        try Outbox(database, secret: secret, sender: sender, concurrentSendCount: 1)
    }

    /// The code that came to a person last; nil for none.
    func code(to destination: String) async throws -> String? {
        try await outbox().deliver()
        return sender.messages.last { message in
            message.destination.exposedText.utf8.elementsEqual(destination.utf8)
        }?.code.exposedText
    }

    /// The link that came to a mailbox last.
    func link(to email: String = email) async throws -> String {
        _ = try await code(to: email)
        let message = sender.messages.last { message in
            message.destination.exposedText.utf8.elementsEqual(email.utf8)
        }
        return try #require(message?.link)
    }

    /// The token in that link, as a page reads it.
    func linkToken(to email: String = email) async throws -> String {
        let query = try #require(try await link(to: email).split(separator: "?").last)
        let parameters = try #require(FormEncoding.decode(String(query)))
        let token = parameters.first { $0.name.isEqual(to: "token_hash") }
        return try #require(token?.value.swiftString())
    }

    /// The code of one request, by its challenge.
    func code(of challenge: String) async throws -> String? {
        try await outbox().deliver()
        // The proof follows, which only the client has.
        let name = try #require(CodeChallenge(String(challenge.prefix(22)))).messageID()
        return sender.messages.last { $0.id.utf8.elementsEqual(name.utf8) }?.code.exposedText
    }

    /// Time passes for all that is stored.
    func pass(_ seconds: Int64) async throws {
        let statements: [SQLStatement] = [
            "UPDATE signet_codes SET sent_at = sent_at - $1, ends_at = ends_at - $1",
            "UPDATE signet_limits SET full_until = full_until - $1",
            "UPDATE signet_used_refresh_tokens SET used_at = used_at - $1",
            "UPDATE signet_sessions SET begun_at = begun_at - $1",
            "UPDATE signet_known_clients SET ends_at = ends_at - $1",
            "UPDATE signet_gotrue_sessions SET at = at - $1",
            "UPDATE signet_gotrue_pending SET ends_at = ends_at - $1",
            "UPDATE signet_gotrue_flows SET ends_at = ends_at - $1",
            "UPDATE signet_gotrue_answers SET ends_at = ends_at - $1",
            "UPDATE signet_gotrue_challenges SET ends_at = ends_at - $1",
            "UPDATE signet_second_factors SET added_at = added_at - $1",
            "UPDATE signet_gotrue_address_changes SET ends_at = ends_at - $1",
            "UPDATE signet_gotrue_passwords SET set_at = set_at - $1",
            "UPDATE signet_identities SET linked_at = linked_at - $1",
        ]
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            for statement in statements {
                try await transaction.run(statement, values: [.integer(seconds * 1000)])
            }
        }
    }

    /// The first column of the first row.
    func count(_ statement: SQLStatement) async throws -> Int64 {
        try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: []).first?.integer(0) ?? 0
        }
    }

    /// Signs in, or up, with a code.
    @discardableResult
    func signIn(_ destination: String = phone) async throws -> Answer {
        let isPhone = !destination.contains("@")
        let member = isPhone ? "phone" : "email"
        _ = try await call("POST /otp", "{\"\(member)\":\"\(destination)\"}")
        let code = try await code(to: isPhone ? "+" + destination : destination) ?? ""
        let type = isPhone ? "sms" : "email"
        return try await call(
            "POST /verify",
            "{\"type\":\"\(type)\",\"\(member)\":\"\(destination)\",\"token\":\"\(code)\"}")
    }

    /// Signs up with a password and the code that comes.
    @discardableResult
    func signUp(_ email: String = email, password: String = "correct horse") async throws -> Answer
    {
        _ = try await call(
            "POST /signup", "{\"email\":\"\(email)\",\"password\":\"\(password)\"}")
        let code = try await code(to: email) ?? ""
        return try await call(
            "POST /verify", "{\"type\":\"signup\",\"email\":\"\(email)\",\"token\":\"\(code)\"}")
    }

    /// Enters the code of one end of a changed address.
    func confirmChange(to destination: String, code: String? = nil) async throws -> Answer {
        let code = if let code { code } else { try await self.code(to: destination) ?? "" }
        let member = destination.contains("@") ? "email" : "phone"
        return try await call(
            "POST /verify",
            "{\"type\":\"email_change\",\"\(member)\":\"\(destination)\",\"token\":\"\(code)\"}")
    }

    /// The notices so far: what changed, and where it was told, in the order of their names.
    func notices() async throws -> [String] {
        try await outbox().deliver()
        return sender.notices.map {
            "\($0.change.name) \($0.destination.exposedText)" + ($0.standsForOthers ? " +" : "")
        }.sorted()
    }

    func password(_ password: String, _ email: String = email) async throws -> Answer {
        try await call(
            "POST /token?grant_type=password",
            "{\"email\":\"\(email)\",\"password\":\"\(password)\"}")
    }

    func refresh(_ token: String) async throws -> Answer {
        try await call("POST /token?grant_type=refresh_token", "{\"refresh_token\":\"\(token)\"}")
    }
}

/// Keeps what it is to send.
final class RecordingSender: MessageSender {
    private let kept = Locked([CodeMessage]())
    private let told = Locked([NoticeMessage]())

    var messages: [CodeMessage] { kept.withLock { $0 } }
    var notices: [NoticeMessage] { told.withLock { $0 } }

    func send(_ message: CodeMessage) async throws(AccountError) {
        kept.withLock { $0.append(message) }
    }

    func send(_ notice: NoticeMessage) async throws(AccountError) {
        told.withLock { $0.append(notice) }
    }
}
