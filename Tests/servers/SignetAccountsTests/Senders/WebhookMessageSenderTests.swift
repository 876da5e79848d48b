// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJSON
import SignetSignIn
import TestSupport
import Testing

@Suite("Messages handed to a signed hook")
struct WebhookMessageSenderTests {
    static let url = "https://messages.example/hook?tenant=1"
    static let id = "bWVzc2FnZS1pZC0xMjM0NQ"
    static let seconds = 1_800_000_000.0

    static func secret(_ byte: UInt8) throws -> WebhookSecret {
        try WebhookSecret(SecretBytes(copying: secretText(byte).utf8))
    }

    static func secretText(_ byte: UInt8) -> String {
        "whsec_" + Base64Text.encode([UInt8](repeating: byte, count: 32))
    }

    private func sender(
        _ transport: FakeTransport, secrets: [UInt8] = [1], at seconds: Double = seconds
    ) throws -> WebhookMessageSender {
        try WebhookMessageSender(
            EndpointURL(Self.url), secrets: try secrets.map(Self.secret),
            clock: .fixed(secondsSince1970: seconds), transport: transport)
    }

    private func field(_ name: String, of request: TransportRequest) throws -> String {
        let values = request.sentFields.filter { $0.name == name }.map(\.value)
        #expect(values.count == 1)
        return try #require(values.first)
    }

    private func isSigned(
        _ request: TransportRequest, by secret: WebhookSecret, at seconds: Double = seconds
    ) throws -> Bool {
        try secret.isSigned(
            request.body?.bytes ?? [], id: field("webhook-id", of: request),
            timestamp: field("webhook-timestamp", of: request),
            signatures: field("webhook-signature", of: request),
            at: NumericDate(secondsSince1970: seconds))
    }

    @Test("A code and a notice are posted with their own names, and signed by every secret")
    func posts() async throws {
        let transport = FakeTransport(.status(204))
        let sender = try sender(transport, secrets: [1, 2])
        let phone = CodeDestination.phone(try PhoneNumber("+14155551234"))
        let email = CodeDestination.email(try Mailbox("ann@example.com"))
        try await sender.send(
            CodeMessage(
                id: Self.id, destination: phone, purpose: .signIn, code: try OneTimeCode("314159"))
        )
        try await sender.send(
            NoticeMessage(
                id: "bm90aWNl", destination: email, change: .password, standsForOthers: true))
        let requests = transport.requests.all
        let bodies = requests.map { String(decoding: $0.body?.bytes ?? [], as: UTF8.self) }
        #expect(
            bodies == [
                #"{"data":{"code":"314159","phone":"+14155551234","purpose":"sign-in"},"type":"message.code"}"#,
                #"{"data":{"change":"password","email":"ann@example.com","stands_for_others":true},"type":"message.notice"}"#,
            ])
        #expect(try requests.map { try field("webhook-id", of: $0) } == [Self.id, "bm90aWNl"])
        for request in requests {
            #expect(request.url.text == Self.url && request.method == .post)
            #expect(try field("Content-Type", of: request) == "application/json")
            #expect(try field("webhook-timestamp", of: request) == "1800000000")
            #expect(try field("webhook-signature", of: request).split(separator: " ").count == 2)
            for (byte, isRight) in [(UInt8(1), true), (2, true), (3, false)] {
                #expect(try isSigned(request, by: Self.secret(byte)) == isRight)
            }
            #expect(!"\(request)".contains("314159"))
        }
    }

    @Test(
        "2xx is taken, 410 ends the message, and anything else is retried",
        arguments: [
            (200, nil), (202, nil), (204, nil), (299, nil), (410, .messageRefused),
            (199, .unavailable), (301, .unavailable), (307, .unavailable), (400, .unavailable),
            (401, .unavailable), (403, .unavailable), (404, .unavailable), (409, .unavailable),
            (422, .unavailable), (429, .unavailable), (500, .unavailable), (503, .unavailable),
        ] as [(Int, AccountError.Code?)])
    func statuses(_ status: Int, _ code: AccountError.Code?) async throws {
        let sender = try sender(FakeTransport(.status(status)))
        let message = try TwilioMessageSenderTests.message()
        let error = await accountError { () throws(AccountError) in try await sender.send(message) }
        #expect(error?.code == code)
        #expect(error == nil || error?.message.contains("\(status)") == true)
    }

    @Test("The outbox posts a row under one name, with one body, until the receiver takes it")
    func retried() async throws {
        let moments = try Moments()
        let start = try await moments.after(0)
        let codes = OneTimeCodes(start, secret: try .test())
        let sent = try await codes.send(to: CodeScene.destination(), for: .signIn, from: nil)
        let transport = FakeTransport(.failure(TransportFailure(.timedOut, "No answer.")))
        for (second, expected) in [(Int64(0), 0), (2, 0), (6, 1), (400, 0)] {
            if second == 2 { transport.set(.status(503)) }
            if second == 6 { transport.set(.status(200)) }
            let outbox = try Outbox(
                try await moments.after(second * 1_000), secret: .test(),
                sender: sender(transport, at: Self.seconds + Double(second)))
            #expect(try await outbox.deliver() == expected)
        }
        let requests = transport.requests.all
        #expect(requests.count == 3)
        let name = try sent.challenge.messageID()
        #expect(try requests.allSatisfy { try field("webhook-id", of: $0) == name })
        #expect(Set(requests.map { $0.body?.bytes }).count == 1)
        let times = try requests.map { try field("webhook-timestamp", of: $0) }
        #expect(times == ["1800000000", "1800000002", "1800000006"])
        await moments.close()
    }

    @Test("1 to 8 secrets sign, and a name that is not an outbox's is not sent")
    func configuration() async throws {
        let transport = FakeTransport(.status(200))
        for count in [0, 9] {
            #expect(throws: AccountError(.invalidParameter, "")) {
                try self.sender(transport, secrets: [UInt8](repeating: 1, count: count))
            }
        }
        let sender = try self.sender(transport, secrets: [UInt8](repeating: 1, count: 8))
        for id in ["a.b", "a b", "ä", "a\r\nwebhook-id: b"] {
            let message = CodeMessage(
                id: id, destination: try CodeScene.destination(), purpose: .signIn,
                code: try OneTimeCode("314159"))
            await #expect(throws: AccountError(.invalidParameter, "")) {
                try await sender.send(message)
            }
        }
        #expect(transport.count == 0)
        var dumped = "\(sender) \(try Self.secret(1))"
        dump(sender, to: &dumped)
        #expect(!dumped.contains("messages.example") && !dumped.contains("whsec"))
    }
}
