// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetSMTP
import SignetSignIn
import TestSupport
import Testing

@Suite(
    "Codes by e-mail at real mail servers", .tags(.interop),
    .enabled(if: MailServer.isAvailable, "\(MailServer.absence)"), .timeLimit(.minutes(20)))
struct SMTPMessageSenderTests {
    static let code = "314159"
    static let name = "Jürgen's App, \"ÄÖÜ\" <evil@x.example>"
    static let body = "Ihr Code: 314159 — für Sie.\n.\n..\n\tLine \u{1F511}\r\nend"

    let servers: MailServer

    init() async throws { servers = try await MailServer() }

    func sender(
        _ server: SMTPServer, name: String = "", subject: String = "Ihr Code für die App",
        body: String = SMTPMessageSenderTests.body, trusting: Bool = true
    ) throws -> SMTPMessageSender {
        var server = server
        if trusting { server.authorities = servers.authority }
        return try SMTPMessageSender(
            server, from: Mailbox("no-reply@app.example"), name: name,
            clock: .fixed(secondsSince1970: 1_800_000_000)
        ) { _ throws(AccountError) in try MessageText(subject: subject, body: body) }
    }

    static func message(_ to: String, id: String = "bWVzc2FnZS1pZC0xMjM0NQ") throws -> CodeMessage {
        let options = Mailbox.Options(allowsQuotedLocalPart: true, allowsUnicodeLocalPart: true)
        return CodeMessage(
            id: id, destination: .email(try Mailbox(to, options: options)), purpose: .signIn,
            code: try OneTimeCode(code))
    }

    /// Why a message was not sent; nil where it was.
    func failure(_ sender: SMTPMessageSender, _ to: String) async throws -> AccountError? {
        let message = try Self.message(to)
        do throws(AccountError) {
            try await sender.send(message)
            return nil
        } catch {
            #expect(!"\(error)".contains(Self.code) && !"\(error)".contains("company.example"))
            return error
        }
    }

    func tls() -> SMTPServer { .tls("localhost", port: servers.port("tls")) }
    func startTLS(_ name: String = "starttls") -> SMTPServer {
        .startTLS("localhost", port: servers.port(name))
    }
    func plain() -> SMTPServer { .unencryptedOnThisMachine(port: servers.port("plain")) }

    @Test("A message arrives unchanged, over TLS, STARTTLS and loopback")
    func arrives() async throws {
        for (server, isEncrypted) in [(tls(), true), (startTLS(), true), (plain(), false)] {
            let sender = try sender(server, name: Self.name)
            #expect(try await failure(sender, "alice@company.example") == nil)
            let message = try #require(try await servers.messages().first)
            #expect(message.isEncrypted == isEncrypted && message.defects == 0)
            #expect(message.from == "no-reply@app.example")
            #expect(message.recipients == ["alice@company.example"])
            #expect(message.greeting == "app.example")
            #expect(message.subject == "Ihr Code für die App" && message.type == "text/plain")
            #expect(message.sender.hasSuffix("<no-reply@app.example>"))
            #expect(message.sender.contains("Jürgen's App"))
            #expect(message.to.contains("alice@company.example"))
            #expect(message.id == "<bWVzc2FnZS1pZC0xMjM0NQ@app.example>")
            #expect(message.date == 1_800_000_000)
            let lines = Self.body.replacingOccurrences(of: "\r\n", with: "\n")
            #expect(message.body.replacingOccurrences(of: "\r\n", with: "\n") == lines)
            #expect(
                message.names == [
                    "date", "from", "to", "subject", "message-id", "auto-submitted",
                    "mime-version", "content-type", "content-transfer-encoding",
                ])
            for line in message.raw.split(separator: 0x0a) {
                #expect(line.count <= 78 && line.allSatisfy { $0 < 0x80 } && line.last == 0x0d)
            }
        }
    }

    @Test("The password is sent over TLS only, and a wrong one delays the message")
    func signsIn() async throws {
        for server in [tls(), startTLS("auth")] {
            let right = server.signingIn(as: "user", password: "p w")
            #expect(try await failure(sender(right), "alice@company.example") == nil)
            #expect(try await servers.messages().map(\.isSignedIn) == [true])
            let wrong = server.signingIn(as: "user", password: "secret-2")
            let error = try await failure(sender(wrong), "alice@company.example")
            #expect(error?.code == .unavailable && error?.message.contains("password") == true)
            #expect(!"\(error.map(String.init(describing:)) ?? "") \(wrong)".contains("secret-2"))
        }
        let error = try await failure(sender(startTLS("auth")), "alice@company.example")
        #expect(error?.code == .unavailable && error?.message.contains("(530)") == true)
        #expect(try await servers.messages().isEmpty)
    }

    @Test(
        "5xx drops a message; 4xx and a broken connection delay it",
        arguments: [
            ("r550", .messageRefused, "(550)"), ("d554", .messageRefused, "(554)"),
            ("r451", .unavailable, "(451)"), ("d452", .unavailable, "(452)"),
            ("cut", .unavailable, "connection broke"),
        ] as [(String, AccountError.Code, String)])
    func refusals(_ name: String, _ code: AccountError.Code, _ text: String) async throws {
        for server in [tls(), plain()] {
            let error = try await failure(sender(server), "\(name)@company.example")
            #expect(error?.code == code && error?.message.contains(text) == true, "\(error as Any)")
            #expect(try await servers.messages().isEmpty)
        }
    }

    @Test("An accepted message counts as sent once, whatever follows")
    func goodbye() async throws {
        // After QUIT the server waits for longer than a message may take.
        for name in ["quit", "multi"] {
            #expect(try await failure(sender(tls()), "\(name)@company.example") == nil)
            #expect(try await servers.messages().count == 1)
        }
    }

    @Test("A slow, silent or wrong server is given up in time, and can be cancelled")
    func slow() async throws {
        for port in ["starttls", "silent"] {
            var server = startTLS(port)
            server.timeout = .seconds(2)
            let error = try await failure(sender(server), "slow@company.example")
            #expect(error?.code == .unavailable && error?.message.contains("in time") == true)
        }
        for port in ["greeting", "flood", "rubbish"] {
            let server = SMTPServer.unencryptedOnThisMachine(port: servers.port(port))
            let error = try await failure(sender(server), "alice@company.example")
            // What the greeting says is not about the message.
            #expect(error?.code == .unavailable, "\(port): \(error as Any)")
        }
        let sender = try sender(SMTPServer.unencryptedOnThisMachine(port: servers.port("silent")))
        let task = Task { try await failure(sender, "alice@company.example") }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(try await task.value?.code == .cancelled)
    }

    @Test("Nothing is sent without trusted TLS")
    func trust() async throws {
        let cases: [(SMTPServer, Bool)] = [
            // Of an authority that the system does not know.
            (tls(), false), (startTLS(), false),
            // Of another name.
            (.tls("127.0.0.1", port: servers.port("tls")), true),
            (.startTLS("127.0.0.1", port: servers.port("starttls")), true),
            // Without STARTTLS, as if it were stripped on the path.
            (.startTLS("localhost", port: servers.port("plain")), true),
        ]
        for (server, trusting) in cases {
            let signed = server.signingIn(as: "user", password: "p w")
            let error = try await failure(
                sender(signed, trusting: trusting), "alice@company.example")
            #expect(error?.code == .unavailable, "\(server)")
            #expect(error?.message.contains("certificate") == true, "\(error as Any)")
        }
        #expect(try await servers.messages().isEmpty)
    }

    @Test("Ambiguous addresses and phone numbers are refused")
    func destinations() async throws {
        let sender = try sender(plain())
        for text in [
            #""a b"@company.example"#, #""x> SIZE=1"@company.example"#, "jürgen@company.example",
        ] {
            #expect(try await failure(sender, text)?.code == .messageRefused, "\(text)")
        }
        let phone = CodeMessage(
            id: "a", destination: .phone(try PhoneNumber("+14155550100")), purpose: .signIn,
            code: try OneTimeCode(Self.code))
        await #expect(throws: AccountError(.messageRefused, "")) { try await sender.send(phone) }
        let odd = try Self.message("alice@company.example", id: "a>\r\nBcc: x")
        await #expect(throws: AccountError(.invalidParameter, "")) { try await sender.send(odd) }
        #expect(try await servers.messages().isEmpty)
    }

    @Test("A notice goes out with a short text, or with the program's own")
    func notices() async throws {
        let mailbox = CodeDestination.email(try Mailbox("alice@company.example"))
        var server = plain()
        server.authorities = servers.authority
        let own = try SMTPMessageSender(
            server, from: Mailbox("no-reply@app.example"),
            clock: .fixed(secondsSince1970: 1_800_000_000)
        ) { _ throws(AccountError) in
            try MessageText(subject: "Code", body: "none")
        } notice: { notice throws(AccountError) in
            try MessageText(subject: "Changed", body: "Changed: \(notice.change.name)")
        }
        for (number, sender) in [try sender(plain()), own].enumerated() {
            try await sender.send(
                NoticeMessage(
                    id: "notice\(number)", destination: mailbox, change: .email,
                    standsForOthers: number == 0))
        }
        let messages = try await servers.messages()
        #expect(messages.map(\.subject) == ["Your account was changed", "Changed"])
        #expect(messages.first?.body.contains("There were other changes") == true)
        #expect(messages.last?.body.contains("Changed: email") == true)
        let phone = NoticeMessage(
            id: "a", destination: .phone(try PhoneNumber("+14155550100")), change: .email)
        await #expect(throws: AccountError(.messageRefused, "")) { try await own.send(phone) }
    }

    @Test("Each change has its own sentence, and what to do")
    func noticeTexts() throws {
        let mailbox = CodeDestination.email(try Mailbox("alice@company.example"))
        let changes: [AccountChange] = [
            .email, .phone, .password, .passwordRemoved, .providerAdded, .providerRemoved,
            .factorAdded,
            .factorRemoved, .recoveryCodes, .recoveryCodeUsed, .emailRemoved, .phoneRemoved,
            "of-the-program",
        ]
        for standsForOthers in [true, false] {
            // Redacted, so they are compared as an e-mail would hold them.
            let texts = try changes.map { change in
                let notice = NoticeMessage(
                    id: "a", destination: mailbox, change: change,
                    standsForOthers: standsForOthers)
                return try MessageText(notice).body
            }
            #expect(Set(texts).count == changes.count)
            #expect(texts.allSatisfy { $0.contains("other changes") == standsForOthers })
            #expect(texts.allSatisfy { !$0.contains("alice") })
        }
    }

    @Test("An outbox sends through it, drops rejected messages, and keeps the rest")
    func outbox() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let secret = try AccountSecret(SecretKey(copying: [UInt8](repeating: 1, count: 32)))
        let codes = OneTimeCodes(database, secret: secret)
        for name in ["alice", "r550", "r451"] {
            let to = CodeDestination.email(try Mailbox("\(name)@company.example"))
            _ = try await codes.send(to: to, for: .signIn, from: nil)
        }
        let outbox = try Outbox(database, secret: secret, sender: try sender(tls()))
        let reported = Locked([AccountError]())
        let sent = try await outbox.deliver { error in reported.withLock { $0.append(error) } }
        #expect(sent == 1)
        #expect(
            Set(reported.withLock { $0 }.map(\.code.rawValue)) == ["messageRefused", "unavailable"])
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT count(*) FROM signet_outbox", values: [])
        }
        #expect(try rows.first?.integer(0) == 1)
        #expect(try await servers.messages().count == 1)
        await database.close()
    }
}

@Suite("The text of an e-mail message")
struct MessageTextTests {
    @Test(
        "A control character is refused anywhere",
        arguments: ["\r", "\n", "\r\nBcc: eve@evil.example", "\0", "\u{7f}", "\u{85}", "\u{2028}"])
    func controls(_ text: String) throws {
        #expect(throws: AccountError(.invalidParameter, "")) {
            try MessageText(subject: "a\(text)b", body: "x")
        }
        #expect(throws: AccountError(.invalidParameter, "")) {
            try SMTPMessageSender(
                .unencryptedOnThisMachine(), from: Mailbox("a@app.example"), name: "a\(text)b",
                clock: .still
            ) { _ throws(AccountError) in try MessageText(subject: "s", body: "b") }
        }
        // A password may hold characters that a message line may not.
        guard text.utf8.count == 1 || text.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        #expect(throws: AccountError(.invalidParameter, "")) {
            try SMTPMessageSender(
                .tls("smtp.example").signingIn(as: "u\(text)", password: "p"),
                from: Mailbox("a@app.example"), clock: .still
            ) { _ throws(AccountError) in try MessageText(subject: "s", body: "b") }
        }
    }

    @Test("A body with bad lines is refused", arguments: ["a\rb", "a\0", "\u{1b}[2J", ""])
    func bodies(_ body: String) throws {
        #expect(throws: AccountError(.invalidParameter, "")) {
            try MessageText(subject: "s", body: body)
        }
    }

    @Test(
        "An invalid server is refused",
        arguments: [
            .tls("smtp.example/x"), .tls("a b"), .tls("u@smtp.example"), .tls(""),
            .startTLS("smtp.example", port: 0), .startTLS("smtp.example", port: 65_536),
            .startTLS("smtp.example\r\n"), .tls("smtp.example").signingIn(as: "", password: "p"),
        ] as [SMTPServer])
    func servers(_ server: SMTPServer) throws {
        #expect(throws: AccountError(.invalidParameter, "")) {
            try SMTPMessageSender(server, from: Mailbox("a@app.example"), clock: .still) {
                _ throws(AccountError) in try MessageText(subject: "s", body: "b")
            }
        }
    }

    @Test("A password is not printed")
    func redacted() throws {
        let server = SMTPServer.tls("smtp.example").signingIn(as: "u", password: "s3cret")
        var dumped = ""
        dump(server, to: &dumped)
        #expect(!"\(server)".contains("s3cret") && !dumped.contains("s3cret"))
        let text = try MessageText(subject: "314159", body: "314159")
        dump(text, to: &dumped)
        #expect(!"\(text) \(dumped)".contains("314159"))
    }
}

@Suite(
    "Mail servers are required where SIGNET_REQUIRE_INTEROP asks for them",
    .tags(.interop), .enabled(if: MailServer.isRequired))
struct MailServerAvailabilityTests {
    @Test("aiosmtpd is here") func isHere() { #expect(MailServer.isAvailable) }
}
