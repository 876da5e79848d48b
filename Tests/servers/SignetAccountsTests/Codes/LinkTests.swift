// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetEmail
import SignetIdentity
import SignetJSON
import SignetSignIn
import TestSupport
import Testing

@Suite("Links in messages", .serialized, .timeLimit(.minutes(20)))
struct LinkTests {
    static let page = "https://app.example/confirm"

    /// A database, and a reader of messages.
    private struct LinkScene {
        let database: any AccountDatabase
        let codes: OneTimeCodes
        let sender = RecordingSender()
        let email: CodeDestination

        init(_ database: any AccountDatabase) throws {
            self.database = database
            codes = OneTimeCodes(database, secret: try .test())
            email = .email(try Mailbox("ann@company.example"))
        }

        /// Asks for a code with a link, and gives what arrives.
        func message(
            to destination: CodeDestination? = nil, for purpose: CodePurpose = .signIn,
            page: String = LinkTests.page, challenge: CodeChallenge? = nil
        ) async throws -> (message: CodeMessage, sent: OneTimeCodes.Sent) {
            let sent = try await codes.send(
                to: destination ?? email, for: purpose, from: nil, challenge: challenge,
                linkingTo: LinkPage(page, allowedBy: RedirectURIs([page]), type: "email"))
            try await Outbox(database, secret: .test(), sender: sender).deliver()
            let name = try sent.challenge.messageID()
            return (try #require(sender.messages.last { $0.id == name }), sent)
        }

        /// Why a link was refused; nil where it was used.
        func use(
            _ link: String?, for purpose: CodePurpose = .signIn
        ) async throws -> AccountError? {
            let token = try LinkTests.token(in: link)
            return await accountError { () throws(AccountError) in
                try await codes.verify(link: token, for: purpose) {
                    (_, _, destination) throws(AccountError) in
                    #expect(destination == email)
                    return true
                }
            }
        }

        func use(_ code: OneTimeCode) async throws -> AccountError? {
            await accountError { () throws(AccountError) in
                try await codes.verify(code, sentTo: email, for: .signIn)
            }
        }
    }

    /// The token of a link, as a page reads it.
    static func token(in link: String?) throws -> LinkToken {
        let query = try #require(link?.split(separator: "?").last)
        let parameters = try #require(FormEncoding.decode(String(query)))
        let values = parameters.filter { $0.name.isEqual(to: "token_hash") }.map(\.value)
        #expect(values.count == 1)
        return try #require(LinkToken(values.first?.swiftString() ?? ""))
    }

    @Test("A link leads to its page, with 256 bits that are not made from the code")
    func address() async throws {
        let scene = try LinkScene(try await SQLiteAccounts.inMemory())
        let first = try await scene.message().message
        let link = try #require(first.link)
        #expect(link.hasPrefix("https://app.example/confirm?token_hash="))
        #expect(link.hasSuffix("&type=email") && link.utf8.count == 93)
        #expect(!link.contains(first.code.exposedText))
        let second = try await scene.message(page: "https://app.example/confirm?tenant=1").message
        #expect(second.link?.hasPrefix("https://app.example/confirm?tenant=1&token_hash=") == true)
        #expect(
            second.link?.split(separator: "token_hash=").last
                != link.split(separator: "token_hash=").last)
        let printed = "\(first) \(try Self.token(in: link))"
        #expect(!printed.contains("token_hash") && !printed.contains(link.suffix(54)))
    }

    @Test("A page that is not in the list gets no link")
    func pages() throws {
        let pages = try RedirectURIs([Self.page, "app:/confirm"], schemes: ["app"])
        for address in [
            "https://app.example/confirm/", "https://app.example/confirm?next=https://evil.example",
            "https://app.example.evil.example/confirm", "http://app.example/confirm",
            "https://APP.example/confirm", "", "https://app.example/confirm#a", "app:/other",
        ] {
            #expect(throws: AccountError(.invalidDestination, ""), "\(address)") {
                try LinkPage(address, allowedBy: pages)
            }
        }
        #expect(throws: Never.self) { try LinkPage("app:/confirm", allowedBy: pages) }
    }

    @Test("Using the code ends the link, and using the link ends the code")
    func oneChallenge() async throws {
        let scene = try LinkScene(try await SQLiteAccounts.inMemory())
        let first = try await scene.message().message
        #expect(try await scene.use(first.code) == nil)
        #expect(try await scene.use(first.link)?.code == .wrongCode)
        let second = try await scene.message().message
        #expect(try await scene.use(second.link) == nil)
        #expect(try await scene.use(second.link)?.code == .wrongCode)
        #expect(try await scene.use(second.code)?.code == .wrongCode)
    }

    @Test("Sending again ends neither, whoever asks")
    func again() async throws {
        let moments = try Moments()
        let scene = try LinkScene(try await moments.after(0))
        let (first, sent) = try await scene.message()
        let later = try LinkScene(try await moments.after(61_000))
        let second = try await later.message(challenge: sent.challenge).message
        let third = try await later.message().message
        #expect(try await later.use(first.link) == nil)
        #expect(try await later.use(second.code) == nil)
        #expect(try await later.use(third.link) == nil)
        await moments.close()
    }

    @Test("Wrong guesses end the code and not the link; both end after their time")
    func ends() async throws {
        let moments = try Moments()
        let scene = try LinkScene(try await moments.after(0))
        let (first, sent) = try await scene.message()
        for step in 1...5 {
            let error = await accountError { () throws(AccountError) in
                let wrong = try? CodeScene.wrong(first.code, step)
                try await scene.codes.verify(
                    wrong ?? first.code, sentTo: scene.email, for: .signIn,
                    challenge: sent.challenge)
            }
            #expect(error?.code == .wrongCode)
        }
        #expect(try await scene.use(first.code)?.code == .wrongCode)
        let inTime = try LinkScene(try await moments.after(299_999))
        #expect(try await inTime.use(first.link) == nil)
        let second = try await scene.message().message
        let late = try LinkScene(try await moments.after(300_000))
        #expect(try await late.use(second.link)?.code == .wrongCode)
        await moments.close()
    }

    @Test("A link is good for its purpose alone, and a failed step leaves it good")
    func purpose() async throws {
        let scene = try LinkScene(try await SQLiteAccounts.inMemory())
        let message = try await scene.message(for: .recovery).message
        #expect(try await scene.use(message.link, for: .signIn)?.code == .wrongCode)
        let token = try Self.token(in: message.link)
        let error = await accountError { () throws(AccountError) in
            try await scene.codes.verify(link: token, for: .recovery) {
                (_, _, _) throws(AccountError) -> Bool in
                throw AccountError(.conflict, "Not this time.")
            }
        }
        #expect(error?.code == .conflict)
        #expect(try await scene.use(message.link, for: .recovery) == nil)
    }

    @Test("Of code and link at once, exactly one is used")
    func atOnce() async throws {
        let folder = try PrivateFolder()
        let database = try await SQLiteAccounts.open(
            at: folder.path + "/a.db", busyTimeout: .seconds(60))
        let scene = try LinkScene(database)
        for _ in 0..<3 {
            let message = try await scene.message().message
            let results = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        number.isMultiple(of: 2)
                            ? try await scene.use(message.link) == nil
                            : try await scene.use(message.code) == nil
                    }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(results.count { $0 } == 1)
        }
        await database.close()
    }

    @Test("Malformed and unknown tokens find nothing")
    func tokens() async throws {
        let scene = try LinkScene(try await SQLiteAccounts.inMemory())
        let link = try #require(try await scene.message().message.link)
        let text = String(link.split(separator: "token_hash=")[1].prefix(43))
        for wrong in ["", text + "A", String(text.dropLast()), text + "=", "314159"] {
            #expect(LinkToken(wrong) == nil)
        }
        #expect(LinkToken(text) != nil)
        let other = (text.first == "A" ? "B" : "A") + text.dropFirst()
        #expect(try await scene.use("?token_hash=\(other)")?.code == .wrongCode)
        #expect(try await scene.use(link) == nil)
    }

    @Test("The database holds neither token nor mailbox, and a moved row is refused")
    func hidden() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let scene = try LinkScene(database)
        let first = try await scene.message().message
        let text = try #require(first.link?.split(separator: "token_hash=")[1].prefix(43))
        let rows = try await database.read { (transaction) throws(AccountError) in
            try await transaction.run("SELECT link, link_to FROM signet_codes", values: [])
        }
        let row = try #require(rows.first)
        let stored = try row.bytes(0) + row.bytes(1)
        #expect(rows.count == 1 && !String(decoding: stored, as: UTF8.self).contains("ann@"))
        #expect(LinkToken(Base64URL.encode(try row.bytes(0))) != nil)
        #expect(Base64URL.encode(try row.bytes(0)) != text)
        // Of another row: bound to the challenge of the one that it was made for.
        let second = try await scene.message().message
        _ = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(
                """
                UPDATE signet_codes SET link_to =
                    (SELECT link_to FROM signet_codes ORDER BY challenge LIMIT 1)
                """, values: [])
        }
        var codes: [AccountError.Code?] = []
        for link in [first.link, second.link] {
            codes.append(try await scene.use(link)?.code)
        }
        #expect(codes.filter { $0 == .corrupt }.count == 1 && codes.contains(nil))
    }

    @Test("An unknown mailbox and a phone get no link, by the same statements")
    func unknown() async throws {
        var logs: [[String]] = []
        for isKnown in [true, false] {
            let recording = RecordingDatabase(try await SQLiteAccounts.inMemory())
            let codes = OneTimeCodes(recording, secret: try .test())
            _ = try await codes.send(
                to: .email(Mailbox("ann@company.example")), for: .signIn, from: nil,
                linkingTo: LinkPage(Self.page, allowedBy: RedirectURIs([Self.page]))
            ) { (_, _) throws(AccountError) in isKnown }
            logs.append(recording.taken())
        }
        #expect(logs[0] == logs[1])
        let scene = try LinkScene(try await SQLiteAccounts.inMemory())
        let phone = try CodeScene.destination()
        #expect(try await scene.message(to: phone).message.link == nil)
    }

    @Test("A link stands in the file of messages, and in the body of a hook")
    func senders() async throws {
        let scene = try LinkScene(try await SQLiteAccounts.inMemory())
        let message = try await scene.message().message
        let folder = try PrivateFolder()
        let file = FileMessageSender(path: folder.path + "/codes.txt")
        try await file.send(message)
        let line = try String(contentsOfFile: folder.path + "/codes.txt", encoding: .utf8)
        #expect(line.hasSuffix("\t\(try #require(message.link))\n"))
        let transport = FakeTransport(.status(204))
        let hook = try WebhookMessageSender(
            .init("https://messages.example/hook"), secrets: [WebhookMessageSenderTests.secret(1)],
            clock: .fixed(secondsSince1970: 1_800_000_000), transport: transport)
        try await hook.send(message)
        let body = String(decoding: transport.requests.all.first?.body?.bytes ?? [], as: UTF8.self)
        #expect(body.contains(#""link":"https://app.example/confirm?token_hash="#))
    }
}
