// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("Codes by phone, through Twilio")
struct TwilioMessageSenderTests {
    static let code = "314159"

    static func message(_ to: String = "+14155551234") throws -> CodeMessage {
        CodeMessage(
            id: "bWVzc2FnZS1pZC0xMjM0NQ", destination: .phone(try PhoneNumber(to)),
            purpose: .signIn, code: try OneTimeCode(code))
    }

    /// Why a message was not sent; nil where it was.
    private func failure(
        _ sender: TwilioMessageSender, _ to: String = "+14155551234"
    ) async throws -> AccountError? {
        let message = try Self.message(to)
        let error = await accountError { () throws(AccountError) in try await sender.send(message) }
        let text = "\(error.map(String.init(describing:)) ?? "") \(error?.message ?? "")"
        for secret in [Self.code, to, "4155551234", TwilioStub.secret] {
            #expect(!text.contains(secret))
        }
        return error
    }

    @Test("A message is a POST of three fields, with the account's or a key's Basic authentication")
    func fields() async throws {
        let stub = TwilioStub()
        for (key, user) in [(nil, TwilioStub.account), (TwilioStub.key, TwilioStub.key)] {
            for sender in [TwilioStub.service, TwilioStub.number, "54321", "My App"] {
                #expect(try await failure(stub.sender(key: key, from: sender)) == nil)
                #expect(
                    stub.sent.last
                        == TwilioStub.Sent(
                            to: "+14155551234", sender: sender,
                            body: "\(Self.code) & more: 50 % + ü",
                            credentials: "\(user):\(TwilioStub.secret)"))
            }
        }
        let dublin = "https://api.dublin.ie1.twilio.com"
        let other = TwilioStub(server: dublin)
        #expect(try await failure(other.sender(server: EndpointURL(dublin))) == nil)
        #expect(other.sent.count == 1)
    }

    @Test("Twilio's test numbers, a wrong secret and an overlong text are refused or put off")
    func refusals() async throws {
        let stub = TwilioStub()
        for to in ["+15005550001", "+15005550004", "+15005550009"] {
            #expect(try await failure(stub.sender(), to)?.code == .messageRefused)
        }
        // No route, and a region that the account does not send to: its settings can change.
        for to in ["+15005550002", "+15005550003"] {
            #expect(try await failure(stub.sender(), to)?.code == .unavailable)
        }
        let error = try await failure(stub.sender(secret: "wrong"))
        #expect(error?.code == .unavailable && error?.message.contains("20003") == true)
        let long = try TwilioMessageSender(
            account: TwilioStub.account, secret: SecretBytes(copying: TwilioStub.secret.utf8),
            from: TwilioStub.service, transport: stub
        ) { _ throws(AccountError) in String(repeating: "a", count: 1_601) }
        #expect(try await failure(long)?.code == .messageRefused)
        #expect(stub.sent.isEmpty)
    }

    @Test("Each code of the table ends the message or puts it off, and no other code ends one")
    func table() async throws {
        let rows = try ProviderTable.read()
        #expect(rows.count > 25)
        let stub = TwilioStub()
        let sender = try stub.sender()
        for row in rows {
            // 201 is the status of a message that Twilio took, and then did not send.
            let failed = #"{"status":"failed","error_code":\#(row.code)}"#
            let answer =
                row.status == 201
                ? TwilioStub.response(201, failed) : TwilioStub.refusal(row.status, row.code)
            stub.answer([.success(answer)])
            let error = try await failure(sender)
            #expect(
                error?.code == (row.isFinal ? .messageRefused : .unavailable), "\(row.code)")
            #expect(error?.message.contains("\(row.code)") == true)
        }
        let final = Set(rows.filter(\.isFinal).map(\.code))
        // A person can change what these depend on, while the code lives.
        #expect(final.isDisjoint(with: [21408, 21608, 21612]))
        for code in [20_000..<22_000, 30_000..<31_000].joined() where !final.contains(code) {
            stub.answer([.success(TwilioStub.refusal(400, code))])
            guard try await failure(sender)?.code != .unavailable else { continue }
            Issue.record("\(code) ends a message, and is not in the table")
        }
        #expect(stub.sent.isEmpty)
    }

    @Test(
        "Anything else that is no yes puts the message off",
        arguments: [
            .success(TwilioStub.response(500, "")),
            .success(TwilioStub.response(503, "<html>away</html>")),
            // A code that ends a message, from a server that fails.
            .success(TwilioStub.refusal(502, 21610)),
            .success(TwilioStub.response(429, "{}")),
            .success(TwilioStub.response(302, "")),
            .success(TwilioStub.response(400, #"{"code":"21610"}"#)),
            .success(TwilioStub.response(400, #"{"code":21610,"code":21610}"#)),
            .success(TwilioStub.response(201, #"{"status":"failed","error_code":30001}"#)),
            .failure(TransportFailure(.timedOut, "No complete answer in time.")),
            .failure(TransportFailure(.unreachable, "Nobody listens.")),
            .failure(TransportFailure(.bodyTooLarge, "The body is too long.")),
            .failure(TransportFailure(.notTrusted, "The certificate is of another name.")),
        ] as [TwilioStub.FakeAnswer])
    func putOff(_ answer: TwilioStub.FakeAnswer) async throws {
        let stub = TwilioStub()
        stub.answer([answer])
        #expect(try await failure(stub.sender())?.code == .unavailable)
    }

    @Test("A message that Twilio took and did not send is refused; any other yes counts as sent")
    func taken() async throws {
        let stub = TwilioStub()
        stub.answer([
            .success(TwilioStub.response(201, #"{"status":"failed","error_code":30006}"#))
        ])
        #expect(try await failure(stub.sender())?.code == .messageRefused)
        for body in ["", "{}", "rubbish", #"{"status":"accepted","error_code":null}"#] {
            stub.answer([.success(TwilioStub.response(201, body))])
            #expect(try await failure(stub.sender()) == nil)
        }
        stub.answer([.failure(TransportFailure(.cancelled, "The caller gave up."))])
        #expect(try await failure(stub.sender())?.code == .cancelled)
    }

    @Test("A mailbox is refused, before anything is asked")
    func mailbox() async throws {
        let stub = TwilioStub()
        let message = CodeMessage(
            id: "a", destination: .email(try Mailbox("ann@example.com")), purpose: .signIn,
            code: try OneTimeCode(Self.code))
        await #expect(throws: AccountError(.messageRefused, "")) {
            try await stub.sender().send(message)
        }
        #expect(stub.sent.isEmpty)
    }

    @Test("A notice fits into one message of 160 characters, or is the program's own")
    func notices() async throws {
        let stub = TwilioStub()
        let phone = CodeDestination.phone(try PhoneNumber("+14155551234"))
        let changes: [AccountChange] = [
            .email, .phone, .password, .passwordRemoved, .providerAdded, .providerRemoved,
            .factorAdded,
            .factorRemoved, .recoveryCodes, .recoveryCodeUsed, .emailRemoved, .phoneRemoved,
            "of-the-program",
        ]
        for change in changes {
            let notice = NoticeMessage(id: "a", destination: phone, change: change)
            try await stub.sender().send(notice)
            let body = try #require(stub.sent.last?.body)
            #expect(body.utf8.count <= 160 && body.utf8.allSatisfy { (0x20...0x7e).contains($0) })
        }
        #expect(Set(stub.sent.map(\.body)).count == changes.count)
        let own = try TwilioMessageSender(
            account: TwilioStub.account, secret: SecretBytes(copying: TwilioStub.secret.utf8),
            from: TwilioStub.service, transport: stub,
            text: { _ throws(AccountError) in "none" },
            notice: { notice throws(AccountError) in "Changed: \(notice.change.name)" })
        try await own.send(NoticeMessage(id: "a", destination: phone, change: .password))
        #expect(stub.sent.last?.body == "Changed: password")
    }

    @Test("An impossible account, key, secret, sender or server is refused")
    func configuration() throws {
        let stub = TwilioStub()
        let url = try EndpointURL("https://twilio.example?a=b")
        let (key, secret) = (TwilioStub.key, TwilioStub.secret)
        for (key, secret, sender, server) in [
            (TwilioStub.account, secret, TwilioStub.service, nil),
            ("SK/../../evil", secret, TwilioStub.service, nil),
            (key, "", TwilioStub.service, nil), (key, "a\r\nb", TwilioStub.service, nil),
            (key, String(repeating: "a", count: 1_025), TwilioStub.service, nil),
            (key, secret, "", nil), (key, secret, "App\n", nil),
            (key, secret, TwilioStub.service, url),
        ] as [(String, String, String, EndpointURL?)] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try stub.sender(key: key, secret: secret, from: sender, server: server)
            }
        }
        for account in [
            "", "AC", TwilioStub.account + "0", TwilioStub.key, "AC" + "../" + "29 more",
        ] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try TwilioMessageSender(
                    account: account, secret: SecretBytes(copying: TwilioStub.secret.utf8),
                    from: TwilioStub.service, transport: stub
                ) { _ throws(AccountError) in "" }
            }
        }
        var dumped = "\(try stub.sender())"
        dump(try stub.sender(), to: &dumped)
        #expect(!dumped.contains(TwilioStub.secret) && !dumped.contains(TwilioStub.account))
    }
}
