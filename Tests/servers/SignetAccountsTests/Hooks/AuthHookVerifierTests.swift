// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetJSON
import SignetSignIn
import TestPrograms
import TestSupport
import Testing

/// A server of hooks on a database whose clock a test sets.
struct HookScene {
    let database: ClockedDatabase
    let folder: PrivateFolder
    let clock = ManualClock()
    let sent = Locked([String]())

    init() async throws {
        folder = try PrivateFolder()
        database = try await ClockedDatabase.open(folder)
        try await AccountSchema.migrate(database, steps: AuthHookVerifier.steps)
    }

    func hooks(
        _ setting: String = GoTrueHook.setting(), in other: (any AccountDatabase)? = nil
    ) throws -> AuthHookVerifier {
        try AuthHookVerifier(
            other ?? database, secrets: SecretBytes(copying: setting.utf8), clock: clock.source)
    }

    /// The answer to a hook of messages to phones, after work that notes them.
    func answer(
        _ hook: GoTrueHook, by hooks: AuthHookVerifier? = nil,
        _ work: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> AuthHookAnswer {
        let hooks = try hooks ?? self.hooks()
        return await hooks.answerSMS(try hook.fields(), body: hook.body) { sms in
            try await work()
            sent.withLock { $0.append("\(sms.phone.e164) \(sms.code.exposedText)") }
        }
    }

    func emails(_ hook: GoTrueHook) async throws -> (AuthHookAnswer, [AuthHookEmail]) {
        let emails = Locked([AuthHookEmail]())
        let answer = await (try hooks()).answerEmail(try hook.fields(), body: hook.body) { email in
            emails.withLock { $0.append(email) }
        }
        return (answer, emails.withLock { $0 })
    }
}

extension AuthHookAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// What GoTrue makes of this answer, by its rules: "done", "again" for a retry, else the status
    /// that its client gets, and the sentence.
    var read: String {
        let types = fields.filter { $0.name == "Content-Type" }.map(\.value)
        switch status {
        case 200 where types == ["application/json"] && body.count <= 204_800:
            guard let root = try? JSONDocument(body).root, root.isObject else { return "500" }
            guard let error = root.member("error"),
                let message = error.member("message")?.text?.swiftString(), !message.isEmpty
            else { return "done" }
            return "\(error.member("http_code")?.int64Value ?? 500) \(message)"
        case 429, 503: return fields.contains { $0.name == "Retry-After" } ? "again" : "500"
        default: return "500 (\(status))"
        }
    }
}

@Suite("Hooks of a Supabase project")
struct AuthHookVerifierTests {
    @Test("A hook as GoTrue writes it is verified, by either of two secrets, and answered")
    func verified() async throws {
        let scene = try await HookScene()
        let answer = try await scene.answer(.sms())
        #expect(answer.read == "done" && answer.text == "{}")
        #expect(scene.sent.withLock { $0 } == ["+14155551234 314159"])
        for (number, secrets) in ([[1], [2], [9, 2], [2, 9], [9, 9, 1]] as [[UInt8]])
            .enumerated()
        {
            var hook = GoTrueHook.sms(otp: "10000\(number)")
            hook.secrets = secrets
            #expect(try await scene.answer(hook).read == "done", "\(secrets)")
        }
        #expect(scene.sent.withLock { $0.count } == 6)
    }

    @Test("A hook that no secret signed, or that was changed, costs no work and is a 401 with JSON")
    func refused() async throws {
        let scene = try await HookScene()
        var hooks = [GoTrueHook](repeating: .sms(), count: 8)
        hooks[0].secrets = [3]
        hooks[1].secrets = []
        hooks[2].timestamp = "1779999699"  // 301 s old
        hooks[3].timestamp = "1780000301"
        hooks[4].timestamp = "soon"
        hooks[5].id = "a.b"
        hooks[6].id = ""
        hooks[7].id = String(repeating: "a", count: 257)
        var requests = try hooks.map { ($0.body, try $0.fields()) }
        let good = try GoTrueHook.sms().fields()
        let body = GoTrueHook.sms().body
        requests.append((body + [0x20], good))
        requests.append((Array(body.dropLast()), good))
        for name in ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"] {
            requests.append((body, good.filter { $0.name != name }))
            requests.append((body, good + good.filter { $0.name == name }))
        }
        requests.append((body, []))
        var other = good
        other[2].value = GoTrueHook.sms().retried.id
        requests.append((body, other))
        for (number, request) in requests.enumerated() {
            let answer = await (try scene.hooks()).answerSMS(request.1, body: request.0) { sms in
                scene.sent.withLock { $0.append(sms.kind) }
            }
            #expect(answer.status == 401, "\(number)")
            #expect(
                answer.text
                    == #"{"error":{"http_code":401,"message":"The hook's signature is missing, wrong or too old."}}"#
            )
        }
        #expect(scene.sent.withLock { $0.isEmpty })
        for offset in [-300.0, 300] {
            scene.clock.now = NumericDate(secondsSince1970: 1_780_000_000 + offset)
            #expect(try await scene.answer(.sms()).read == "done")
        }
    }

    @Test("Signatures stand with blanks, or comma and blank, between them; 16 count")
    func separators() async throws {
        let scene = try await HookScene()
        for separator in [" ", ", ", "  ", ",  ", " , "] {
            var hook = GoTrueHook.sms()
            hook.separator = separator
            hook.secrets = [8, 9, 1]
            #expect(try await scene.answer(hook).read == "done", "\(separator)")
        }
        for (separator, count, isRight) in [
            (",", 1, false), (";", 1, false), (", ", 15, true), (", ", 16, false), (" ", 16, false),
        ] {
            var hook = GoTrueHook.sms()
            hook.separator = separator
            hook.secrets = [UInt8](repeating: 9, count: count) + [1]
            #expect(try await scene.answer(hook).status == (isRight ? 200 : 401), "\(count)")
        }
    }

    @Test("A setting is one secret or several, with v1 or without; no other kind is taken")
    func settings() async throws {
        let scene = try await HookScene()
        let one = GoTrueHook.setting([1])
        for text in [
            one, String(one.dropFirst(3)), "|\(one)||", "\(GoTrueHook.setting([7]))|\(one)",
            "\(one.dropFirst(3))|\(GoTrueHook.setting([7]))", GoTrueHook.setting(Array(1...8)),
        ] {
            #expect(try await scene.answer(.sms(), by: scene.hooks(text)).read == "done")
        }
        for text in [
            "", "|", "v1,", "v1,whsec_", "v1,v1,\(one.dropFirst(3))", "v1a,whpk_AAAA:whsk_AAAA",
            "\(one), \(one)", "\(one)|v1,whsec_AAAA", "\(one)\n", GoTrueHook.setting(Array(1...9)),
        ] {
            #expect(throws: AccountError(.invalidParameter, ""), "\(text)") {
                try scene.hooks(text)
            }
        }
        var dumped = ""
        dump(try scene.hooks(), to: &dumped)
        #expect(!dumped.contains("whsec") && !dumped.contains("AQEB"))
    }

    @Test("A body that is not this hook's costs no work, however large or deep")
    func bodies() async throws {
        let scene = try await HookScene()
        let deep = String(repeating: "[", count: 100_000)
        let large = String(repeating: " ", count: AuthHookVerifier.maximumBodyByteCount)
        for text in [
            "", "{", "[]", "{}", "null", "\u{0}", deep, #"{"user":\#(deep)"#,
            #"{"user":null,"sms":null}"#, #"{"user":{"id":7},"sms":{"otp":"314159"}}"#,
            #"{"user":{"id":"a","id":"b","phone":"14155551234"},"sms":{"otp":"314159"}}"#,
        ] {
            #expect(try await scene.answer(GoTrueHook(body: text)).status == 400)
        }
        for hook in [
            GoTrueHook.email(), .token(), .sms(otp: ""), .sms(otp: "31415"), .sms(otp: "31415x"),
            .sms(otp: "31415926535"), .sms(phone: "abc"), .sms(phone: "++14155551234"),
            .sms(phone: nil, user: GoTrueHook.user(phone: "")), .sms(phone: nil, kind: "mfa"),
        ] {
            #expect(try await scene.answer(hook).status == 400)
        }
        #expect(try await scene.answer(GoTrueHook(body: large + "{")).status == 413)
        #expect(scene.sent.withLock { $0.isEmpty })
        for hook in [GoTrueHook.sms(), .token(), .email(token: "x")] {
            let (answer, emails) = try await scene.emails(hook)
            #expect(answer.status == 400 && emails.isEmpty)
        }
        for hook in [GoTrueHook.sms(), .email(), GoTrueHook(body: #"{"user_id":"a","claims":[]}"#)]
        {
            let answer = await (try scene.hooks()).answerToken(
                try hook.fields(), body: hook.body
            ) { $0.claims }
            #expect(answer.status == 400)
        }
    }

    @Test("A code goes to the number that GoTrue names, with or without its plus")
    func numbers() async throws {
        let scene = try await HookScene()
        for (number, hook) in [
            GoTrueHook.sms(otp: "000001", phone: "+14155550001"),
            .sms(otp: "000002", phone: "14155550002", kind: "mfa"),
            .sms(otp: "000003", phone: nil, user: GoTrueHook.user(phone: "14155550003")),
            // A change that was not confirmed must not get another purpose's code.
            .sms(
                otp: "000004", phone: nil,
                user: GoTrueHook.user(
                    phone: "14155550004", more: #""new_phone":"14155559999","#)),
            .sms(otp: "00000005", phone: "14155550005"),
        ].enumerated() {
            #expect(try await scene.answer(hook).read == "done")
            let last = scene.sent.withLock { $0.last } ?? ""
            #expect(last.hasPrefix("+1415555000\(number + 1) 0"), "\(number)")
        }
    }

    @Test("Each address of a change gets its own code and hash, which GoTrue crosses")
    func emails() async throws {
        let scene = try await HookScene()
        let changing = GoTrueHook.user(more: #""new_email":"new@example.com","#)
        func lines(_ hook: GoTrueHook) async throws -> [String] {
            let (answer, emails) = try await scene.emails(hook)
            #expect(answer.read == "done")
            return emails.map { email in
                "\(email.address.text) \(email.code?.exposedText ?? "-") \(email.tokenHash ?? "-")"
            }
        }
        #expect(try await lines(.email()) == ["ann@example.com 271828 pkce_aa11"])
        #expect(
            try await lines(
                .email(
                    kind: "email_change", token: "111111", hash: "of-new", newToken: "222222",
                    newHash: "of-present", user: changing))
                == ["ann@example.com 111111 of-present", "new@example.com 222222 of-new"])
        #expect(
            try await lines(
                .email(kind: "email_change", token: "333333", hash: "of-new", user: changing))
                == ["new@example.com 333333 of-new"])
        // A change that is not confirmed yet gets no other purpose's code.
        #expect(
            try await lines(.email(kind: "recovery", token: "444444", user: changing))
                == ["ann@example.com 444444 pkce_aa11"])
        #expect(
            try await lines(
                .email(
                    kind: "email_changed_notification", token: "", hash: "",
                    oldEmail: "old@example.com")) == ["old@example.com - -"])
        let (answer, emails) = try await scene.emails(
            .email(token: "555555", user: GoTrueHook.user(email: "")))
        #expect(answer.status == 400 && emails.isEmpty)
    }

    @Test("A token's claims go back as the work has changed them")
    func claims() async throws {
        let scene = try await HookScene()
        let hook = GoTrueHook.token()
        let answer = await (try scene.hooks()).answerToken(
            try hook.fields(), body: hook.body
        ) { token in
            #expect(token.userID == GoTrueHook.userID && token.authenticationMethod == "password")
            var claims = token.claims
            claims["plan"] = "gold"
            return claims
        }
        #expect(answer.read == "done")
        let claims = try #require(try JSONDocument(answer.body).root.member("claims"))
        #expect(claims.member("plan")?.text?.isEqual(to: "gold") == true)
        #expect(claims.member("exp")?.int64Value == 1_780_003_600)
        #expect(claims.members.reduce(0) { count, _ in count + 1 } == 15)
        // GoTrue reads 200 KiB.
        let large = await (try scene.hooks()).answerToken(
            try hook.retried.fields(), body: hook.body
        ) { _ in ["a": .string(String(repeating: "a", count: 204_800))] }
        #expect(large.read == "500 The hook failed.")
    }

    @Test("Nothing of a hook is in a description, an error or the database")
    func redacted() async throws {
        let scene = try await HookScene()
        let texts = Locked("")
        func note(_ value: Any) {
            texts.withLock { text in
                text += "\(value) "
                dump(value, to: &text)
            }
        }
        note(
            await (try scene.hooks()).answerSMS(
                try GoTrueHook.sms().fields(), body: GoTrueHook.sms().body
            ) { sms in
                note(sms)
                throw AccountError(.messageRefused, "No.")
            })
        let (answer, emails) = try await scene.emails(.email())
        note(answer)
        note(emails)
        let hook = GoTrueHook.token()
        note(
            await (try scene.hooks()).answerToken(try hook.fields(), body: hook.body) { token in
                note(token)
                return token.claims
            })
        let rows = try await scene.database.run(
            "SELECT name, claim, sealed FROM signet_hook_answers")
        #expect(rows.count == 2)
        let stored = rows.flatMap(\.values).map { value -> String in
            guard case .bytes(let bytes) = value else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }.joined(separator: " ")
        for secret in ["314159", "14155551234", "271828", "pkce_aa11", "ann@", GoTrueHook.userID] {
            #expect(!texts.withLock { $0.contains(secret) } && !stored.contains(secret))
        }
    }

    @Test(
        "PyPI's standardwebhooks makes hooks that are accepted, and takes GoTrue's without a comma",
        .needsStandardWebhooks, .tags(.interop))
    func standardWebhooks() async throws {
        let scene = try await HookScene()
        let hook = GoTrueHook.sms()
        // Its clock is given, so that no time is read. It refuses a comma between signatures.
        let script = """
            import datetime, sys
            from standardwebhooks import webhooks
            secret, id, seconds, body, signatures = sys.argv[1:]
            now = datetime.datetime.fromtimestamp(int(seconds), tz=datetime.timezone.utc)
            class Still(datetime.datetime):
                @classmethod
                def now(cls, tz=None):
                    return now
            webhooks.datetime = Still
            body = bytes.fromhex(body)
            webhooks.Webhook(secret).verify(body, {
                "webhook-id": id, "webhook-timestamp": seconds,
                "webhook-signature": signatures.replace(", ", " ")})
            print(webhooks.Webhook(secret).sign(id, now, body.decode()))
            """
        let fields = try hook.fields()
        let lines = try await (try PeerProgram.cryptography()).lines([
            "-c", script, String(GoTrueHook.setting([2]).dropFirst(3)), hook.id, hook.timestamp,
            hex(hook.body), fields[4].value,
        ])
        #expect(lines.count == 1)
        var theirs = fields
        theirs[4].value = lines.last ?? ""
        let answer = await (try scene.hooks()).answerSMS(theirs, body: hook.body) { _ in }
        #expect(answer.read == "done")
    }
}
