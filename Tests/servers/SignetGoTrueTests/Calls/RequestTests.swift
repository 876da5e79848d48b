// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetGoTrue
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

@Suite("Requests to the service", .serialized)
struct RequestTests {
    private static let otp = "{\"phone\":\"14155551234\"}"

    @Test("Bodies must be strict JSON and declared as JSON")
    func bodies() async throws {
        let scene = try await Scene()
        for body in [
            "", "{", "[]", "null", "\"x\"", "{\"phone\":\"14155551234\",}", "\u{feff}{}",
            "{\"phone\":\"14155551234\",\"phone\":\"442071838750\"}",
            "{\"phone\":\"14155551234\",\"\\u0070hone\":\"442071838750\"}",
            "{\"phone\":\"14155551234\",\"x\":{\"a\":1,\"a\":2}}",
            "{\"phone\":\"14155551234\",\"x\":" + String(repeating: "[", count: 5_000),
            "{\"phone\":\"\\ud800\"}", "{\"phone\":\"14155551234\"} {}",
            "{\"phone\":\"14155551234\",\"x\":[" + String(repeating: "0,", count: 5_000) + "0]}",
        ] {
            let answer = try await scene.call("POST /otp", body)
            #expect(answer.status == 400 && answer.code == "bad_json", "\(body.prefix(60))")
        }
        for type in [
            "application/x-www-form-urlencoded", "text/plain", "", "application/jsonp",
            "multipart/form-data; application/json", "application/json, text/plain",
        ] {
            let answer = try await scene.call(
                "POST /otp", Self.otp, fields: [("Content-Type", type)])
            #expect(answer.status == 400 && answer.code == "bad_json", "\(type)")
        }
        let two = try await scene.call(
            "POST /otp", Self.otp,
            fields: [("Content-Type", "application/json"), ("content-type", "text/plain")])
        #expect(two.code == "bad_json")
        let long = try await scene.call(
            "POST /otp", "{\"x\":\"" + String(repeating: "a", count: 65_536) + "\"}")
        #expect(long.status == 413)
        let spelled = try await scene.call(
            "POST /otp", Self.otp, fields: [("Content-Type", "Application/JSON ; charset=utf-8")])
        #expect(spelled.status == 200)
        #expect(scene.errors.withLock { $0 }.isEmpty)
    }

    @Test("Only known routes answer, by method and exact path")
    func routes() async throws {
        let scene = try await Scene()
        for target in [
            "GET /", "GET /users", "POST /otp/", "POST //otp", "POST /OTP", "POST /%6ftp",
            "POST /otp;a", "GET /admin/users", "DELETE /admin/users/1", "POST /invite",
            "POST /magiclink", "GET /callback", "GET /callback/", "GET /callback/../user",
            "POST /factors/", "POST /factors/a/b/verify",
            "DELETE /user/identities", "DELETE /user/identities/a/b",
            "GET /user/identities/authorize",
            "GET /" + String(repeating: "a", count: 20_000),
        ] {
            #expect(try await scene.call(target).status == 404, "\(target.prefix(40))")
        }
        for target in [
            "GET /otp", "PATCH /user", "get /user", "OPTIONS /token", "PUT /callback/keycloak",
            "GET /factors", "GET /factors/a", "POST /factors/verify", "PUT /factors/a/verify",
            "GET /user/identities/a",
        ] {
            #expect(try await scene.call(target).status == 405, "\(target)")
        }
        for query in ["grant_type=password&grant_type=pkce", "grant_type=%ZZ", "grant_type=é"] {
            let answer = try await scene.call("POST /token?" + query, Self.otp)
            #expect(answer.code == "validation_failed", "\(query)")
        }
        #expect(try await scene.call("POST /token", Self.otp).code == "validation_failed")
    }

    @Test("Errors have the shape that the client asks for")
    func shapes() async throws {
        let scene = try await Scene()
        for (version, isNew) in [
            ("2024-01-01", true), ("2025-06-30", true), ("2023-12-31", false), ("", false),
            ("latest", false), ("2024-1-1", false), ("9999999999", true),
        ] {
            let request = GoTrueRequest(
                method: "POST", path: "/otp",
                fields: [
                    .init(name: "APIKEY", value: Scene.key),
                    .init(name: "x-supabase-api-version", value: version),
                    .init(name: "Content-Type", value: "application/json"),
                ], body: Array("{}".utf8), client: nil)
            let answer = try await scene.send(request)
            #expect(answer.field("x-sb-error-code") == "validation_failed")
            #expect((answer.field("X-Supabase-Api-Version") == "2024-01-01") == isNew, "\(version)")
            if isNew {
                #expect(answer.json["code"]?.stringValue == "validation_failed")
                // For a page that cannot read the version: auth-js, supabase-auth, supabase-swift.
                #expect(answer.json["error_code"]?.stringValue == "validation_failed")
                #expect(answer.json["message"]?.stringValue != nil)
            } else {
                #expect(answer.json["code"]?.integerValue == 400)
                #expect(answer.json["error_code"]?.stringValue == "validation_failed")
                #expect(answer.json["msg"]?.stringValue != nil)
            }
        }
    }

    @Test("A project key is required, except where browsers and servers come")
    func keys() async throws {
        let scene = try await Scene()
        let send = { (method: String, path: String, key: [UInt8]?) async throws -> Int in
            let fields = key.map { [GoTrueRequest.Field(name: "apikey", value: $0)] } ?? []
            return try await scene.send(
                GoTrueRequest(method: method, path: path, fields: fields, client: nil)
            ).status
        }
        let key = Array(Scene.key.utf8)
        for wrong in [nil, [], key + [0x41], Array(key.dropLast()), key + [0xff], [0x00]] {
            #expect(try await send("GET", "/settings", wrong) == 401)
            #expect(try await send("GET", "/user", wrong) == 401)
        }
        #expect(try await send("GET", "/settings", key) == 200)
        #expect(try await send("GET", "/health", nil) == 200)
        #expect(try await send("GET", "/.well-known/jwks.json", nil) == 200)
        let open = try await Scene { $0.publishableKeys = [] }
        let answer = try await open.send(
            GoTrueRequest(method: "GET", path: "/settings", client: nil))
        #expect(answer.status == 200)
    }

    @Test("The public documents are served")
    func documents() async throws {
        let scene = try await Scene()
        let settings = try await scene.call("GET /settings").json
        #expect(settings["external"]?["email"]?.boolValue == true)
        #expect(settings["external"]?["keycloak"]?.boolValue == true)
        #expect(settings["external"]?["google"] == nil)
        #expect(settings["disable_signup"]?.boolValue == false)
        #expect(settings["mailer_autoconfirm"]?.boolValue == false)
        let published = try await scene.call("GET /.well-known/jwks.json")
        #expect(published.field("Cache-Control") == "public, max-age=600")
        let keys = published.json
        let key = try #require(keys["keys"]?.arrayValue?.first)
        #expect(key["kid"]?.stringValue == "signing" && key["d"] == nil)
        let grant = try await scene.signIn()
        let verifier = try SessionTokenIssuer(
            issuer: "https://project.example/auth/v1", audience: "authenticated",
            keys: scene.service.sessions.issuer.keys, lifetime: .seconds(3600), clock: .still)
        #expect(try verifier.verify(grant.accessToken).subject == grant.userID)
    }

    @Test("An unreachable database is 503, logged, and recovers by itself")
    func outage() async throws {
        let flaky = FlakyDatabase(try await SQLiteAccounts.inMemory())
        let clock = ManualClock()
        let scene = try await Scene(flaky) { $0.healthClock = clock.source }
        let grant = try await scene.signIn()
        flaky.isOut.withLock { $0 = true }
        for target in ["GET /health", "POST /otp", "POST /verify"] {
            let body =
                target == "GET /health"
                ? nil : "{\"type\":\"sms\",\"phone\":\"442071838750\",\"token\":\"000000\"}"
            let answer = try await scene.call(target, body)
            #expect(answer.status == 503 && answer.field("Retry-After") != nil, "\(target)")
        }
        #expect(try await scene.refresh(grant.refreshToken).status == 503)
        #expect(scene.errors.withLock { $0 }.allSatisfy { $0 == .unavailable })
        flaky.isOut.withLock { $0 = false }
        #expect(try await scene.refresh(grant.refreshToken).status == 200)
        // The last answer is repeated for a second.
        clock.advance(by: .milliseconds(999))
        #expect(try await scene.call("GET /health").status == 503)
        clock.advance(by: .milliseconds(1))
        #expect(try await scene.call("GET /health").status == 200)
        flaky.isOut.withLock { $0 = true }
        #expect(try await scene.call("GET /health").status == 200)
    }

    @Test("A full disk is 503, also for /health, and recovers by itself")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let clock = ManualClock()
            let database = try await SQLiteAccounts.open(at: folder.path + "/accounts")
            let scene = try await Scene(database) { $0.healthClock = clock.source }
            #expect(try await scene.call("GET /health").status == 200)
            clock.advance(by: .seconds(1))
            _ = signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 4_096, rlim_max: rlim_t.max)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let otp = "{\"phone\":\"14155551234\"}"
            for (target, body) in [("POST /otp", otp), ("GET /health", nil)] {
                let answer = try await scene.call(target, body)
                #expect(answer.status == 503 && answer.field("Retry-After") != nil, "\(target)")
            }
            #expect(scene.errors.withLock { $0 } == [.unavailable, .unavailable])
            limit.rlim_cur = rlim_t.max
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            clock.advance(by: .seconds(1))
            #expect(try await scene.call("GET /health").status == 200)
            #expect(try await scene.call("POST /otp", otp).status == 200)
        }
    }

    @Test("Impossible times in the database crash no process")
    func strangeTimes() async throws {
        let columns: [SQLStatement] = [
            "UPDATE signet_sessions SET begun_at = $1",
            "UPDATE signet_sessions SET refreshed_at = $1",
            "UPDATE signet_users SET added_at = $1",
            "UPDATE signet_gotrue_users SET updated_at = $1",
            "UPDATE signet_gotrue_users SET signed_in_at = $1",
            "UPDATE signet_identities SET linked_at = $1",
            "UPDATE signet_gotrue_sessions SET at = $1", "UPDATE signet_limits SET full_until = $1",
            "UPDATE signet_codes SET sent_at = $1",
        ]
        for time in [Int64.max, .min, -1, 1 << 53] {
            for column in columns {
                let scene = try await Scene()
                let answer = try await scene.signIn()
                try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
                    // So that the session's own time counts.
                    try await transaction.run("DELETE FROM signet_gotrue_sessions", values: [])
                    try await transaction.run(column, values: [.integer(time)])
                }
                let refreshed = try await scene.refresh(answer.refreshToken)
                #expect((200...599).contains(refreshed.status))
                for target in ["GET /user", "POST /logout"] {
                    let answer = try await scene.call(target, bearer: answer.accessToken)
                    #expect((200...599).contains(answer.status))
                }
                let again = try await scene.signIn()
                #expect((200...599).contains(again.status))
            }
        }
    }

    @Test("After a key rotation older tokens verify until they end")
    func rotation() async throws {
        let scene = try await Scene()
        let before = try await scene.signIn()
        let issuer = scene.service.sessions.issuer
        let ring = try issuer.keys.rotated(
            to: SigningKey.generate(.es256, keyID: "next"),
            earlierUntil: NumericDate(secondsSince1970: 4_000_000_000))
        try scene.service.sessions.use(issuer.using(ring))
        let after = try await scene.refresh(before.refreshToken)
        for token in [before.accessToken, after.accessToken] {
            #expect(try await scene.call("GET /user", bearer: token).status == 200)
        }
        let keys = try await scene.call("GET /.well-known/jwks.json").json["keys"]?.arrayValue
        #expect(keys?.compactMap { $0["kid"]?.stringValue } == ["next", "signing"])
        // A secret has no public half.
        let secret = SecretKey(copying: [UInt8](repeating: 7, count: 32))
        let shared = try SessionKeyRing(
            HMACKey(secret: secret, algorithm: .hs256, keyID: "shared"))
        try scene.service.sessions.use(issuer.using(shared))
        let none = try await scene.call("GET /.well-known/jwks.json")
        #expect(none.status == 200 && none.json["keys"]?.arrayValue == [])
        #expect(try await scene.call("GET /user", bearer: after.accessToken).code == "bad_jwt")
    }

    @Test("Every request gets an answer that is not a server error")
    func noise() async throws {
        let scene = try await Scene()
        let grant = try await scene.signIn()
        var random = SeededGenerator(seed: 19)
        let targets = [
            ("POST", "/otp"), ("POST", "/verify"), ("POST", "/token"), ("POST", "/signup"),
            ("PUT", "/user"), ("POST", "/logout"), ("GET", "/authorize"), ("POST", "/recover"),
            ("POST", "/resend"), ("GET", "/callback/keycloak"), ("POST", "/callback/keycloak"),
        ]
        let pieces = [
            "{", "}", "\"phone\"", "\"email\"", ":", ",", "null", "\"\"", "1e400", "[", "]",
            "\"14155551234\"", "\"a@b.example\"", "\"\\u0000\"", "\"data\"", "{\"a\":1}", "true",
            "\"type\"", "\"token\"", "\"e\u{301}\u{301}\"", "\"password\"", "\"nonce\"", "&", "=",
            "grant_type", "pkce", "id_token", "%00", "%zz", "+", "scope", "\u{0}", "-1",
        ]
        for _ in 0..<600 {
            let (method, path) = targets.randomElement(using: &random) ?? ("GET", "/")
            var parts: [String] = []
            for _ in 0..<Int.random(in: 0...9, using: &random) {
                parts.append(pieces.randomElement(using: &random) ?? "")
            }
            let isObject = Bool.random(using: &random)
            let text = parts.joined()
            let answer = await scene.service.answer(
                GoTrueRequest(
                    method: method, path: path, query: text,
                    fields: [
                        .init(name: "apikey", value: Scene.key),
                        .init(name: "Content-Type", value: "application/json"),
                        .init(name: "Authorization", value: "Bearer " + grant.accessToken),
                        .init(name: "Cookie", value: text), .init(name: "User-Agent", value: text),
                    ], body: Array((isObject ? "{\(text)}" : text).utf8), client: nil))
            #expect(answer.status < 500, "\(method) \(path) \(text)")
        }
        #expect(scene.errors.withLock { $0 }.isEmpty)
    }

    @Test("Invalid options are refused")
    func options() async throws {
        for change in [
            { (options: inout GoTrueOptions) in options.freshness = .zero },
            { (options: inout GoTrueOptions) in options.publishableKeys = [""] },
        ] {
            await #expect(throws: AccountError(.invalidParameter, "")) {
                _ = try await Scene(change: change)
            }
        }
    }

    @Test("Ended rows are swept")
    func sweeps() async throws {
        let scene = try await Scene()
        _ = try await scene.call("POST /otp", Self.otp)
        try await scene.pass(8_000)
        try await scene.service.sweep()
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_pending") == 0)
        #expect(try await scene.count("SELECT count(*) FROM signet_codes") == 0)
        // Of a clock that has been set back since.
        _ = try await scene.call("POST /otp", Self.otp)
        try await scene.pass(-86_400)
        try await scene.service.sweep()
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_pending") == 0)
    }

    @Test("A guest whose session is over is swept with everything that the service kept of it")
    func sweepsGuests() async throws {
        let deleted = Locked([String]())
        let scene = try await Scene {
            $0.guestRetention = try GuestRetention(.seconds(86_400)) { id in
                deleted.withLock { $0.append(id) }
            }
        }
        let (gone, live) = (
            try await scene.call("POST /signup", #"{"data":{"a":1}}"#),
            try await scene.call("POST /signup", #"{"data":{"b":2}}"#)
        )
        let person = try await scene.signIn()
        let (id, guest) = (try #require(gone.userID), try #require(live.userID))
        // It asks for a code, which ends with it.
        let asked = try await scene.call(
            "PUT /user", #"{"phone":"14155550000"}"#, bearer: gone.accessToken)
        #expect(asked.status == 200)
        try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run("UPDATE signet_users SET added_at = 1", values: [])
            try await transaction.run(
                "UPDATE signet_sessions SET refreshed_at = 1 WHERE user_id = $1",
                values: [.text(id)])
        }
        try await scene.service.sweep()
        #expect(deleted.withLock { $0 } == [id])
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_users") == 2)
        #expect(try await scene.count("SELECT count(*) FROM signet_users") == 2)
        #expect(try await scene.count("SELECT count(*) FROM signet_profiles") == 2)
        #expect(try await scene.count("SELECT count(*) FROM signet_gotrue_sessions") == 2)
        #expect(
            try await scene.count(
                "SELECT count(*) FROM signet_gotrue_pending WHERE user_id IS NOT NULL") == 0)
        for (token, status) in [
            (gone.refreshToken, 400), (live.refreshToken, 200), (person.refreshToken, 200),
        ] { #expect(try await scene.refresh(token).status == status) }
        #expect(try await scene.call("GET /user", bearer: gone.accessToken).status == 403)
        #expect(guest != id)
    }

    @Test("Nothing printed shows a token or a code")
    func printing() async throws {
        let scene = try await Scene()
        let request = Scene.request("POST /otp", Self.otp, bearer: "secret")
        let response = try await scene.signIn().response
        var text = ""
        dump(request, to: &text)
        dump(response, to: &text)
        text += "\(request) \(response)"
        #expect(!text.contains("14155551234") && !text.contains("secret") && !text.contains("ey"))
    }
}

/// A database that is out of reach while a test says so.
struct FlakyDatabase: AccountDatabase {
    let isOut = Locked(false)
    private let inner: any AccountDatabase

    init(_ inner: any AccountDatabase) { self.inner = inner }

    var dialect: SQLDialect { inner.dialect }

    func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        guard !isOut.withLock({ $0 }) else { throw AccountError(.unavailable, "As told.") }
        return try await inner.transaction(work)
    }
}
