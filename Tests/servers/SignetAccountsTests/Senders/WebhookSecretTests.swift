// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import TestPrograms
import TestSupport
import Testing

@Suite("Secrets of hooks")
struct WebhookSecretTests {
    private static let body = Array(#"{"test": 2432232314, "text": "ü"}"#.utf8)
    private static let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private static let seconds = 1_614_265_330.0

    private func isSigned(
        _ signatures: String, id: String = id, timestamp: String = "1614265330",
        body: [UInt8] = body, at now: Double = seconds
    ) throws -> Bool {
        try WebhookMessageSenderTests.secret(1).isSigned(
            body, id: id, timestamp: timestamp, signatures: signatures,
            at: NumericDate(secondsSince1970: now))
    }

    /// HMAC-SHA-256 of the specification's text, made without the code that is tested.
    private func signature(
        _ id: String = id, _ timestamp: String = "1614265330", _ body: [UInt8] = body
    ) throws -> String {
        let key = try MACKey(
            SecretKey(copying: [UInt8](repeating: 1, count: 32)), hash: .sha256)
        let code = try key.authenticationCode(for: Array("\(id).\(timestamp).".utf8) + body)
        return "v1," + Base64Text.encode(code)
    }

    @Test("A signature counts for its name, time and body, within five minutes")
    func signatures() throws {
        let right = try signature()
        #expect(try isSigned(right))
        for offset in [-300.0, 300] { #expect(try isSigned(right, at: Self.seconds + offset)) }
        for offset in [-301.0, 301, 1e300, -1e300] {
            #expect(try !isSigned(right, at: Self.seconds + offset))
        }
        #expect(try !isSigned(right, id: "msg_other"))
        #expect(try !isSigned(right, timestamp: "1614265331"))
        #expect(try !isSigned(right, body: Self.body + [0x20]))
        for timestamp in ["", "now", "1614265330.0", "+1614265330", "1614265330\n", "1e9", "-1"] {
            let made = try signature(Self.id, timestamp)
            #expect(try !isSigned(made, timestamp: timestamp), "\(timestamp)")
        }
        // With a full stop in the name, two requests would have the same signature.
        let moved = try signature("a", "1614265330", Array("1.b".utf8))
        #expect(try !isSigned(moved, id: "a.1614265330", timestamp: "1", body: Array("b".utf8)))
    }

    @Test("One of several signatures is enough; others and other versions are left out")
    func several() throws {
        let right = try signature()
        let wrong = "v1," + Base64Text.encode([UInt8](repeating: 0, count: 32))
        for (text, isRight) in [
            ("\(wrong) \(right)", true), ("v1a,AAAA \(right)", true), (" \(right) ", true),
            ("", false), (wrong, false), ("v1,", false), ("v1a" + right.dropFirst(2), false),
            ("v2" + right.dropFirst(2), false), (String(right.dropFirst(3)), false),
            (right + "A", false), ("v1,\(right)", false),
            (String(repeating: wrong + " ", count: 15) + right, true),
            (String(repeating: wrong + " ", count: 16) + right, false),
        ] {
            #expect(try isSigned(text) == isRight, "\(text)")
        }
    }

    @Test("A secret is whsec_ and base64 of 24 to 64 bytes, with padding or without")
    func secrets() throws {
        for count in [24, 25, 26, 32, 64] {
            let text = "whsec_" + Base64Text.encode([UInt8](repeating: 0xfb, count: count))
            for text in [text, text.replacing("=", with: "")] {
                #expect(throws: Never.self) { try WebhookSecret(SecretBytes(copying: text.utf8)) }
            }
        }
        let right = WebhookMessageSenderTests.secretText(1)
        let short = "whsec_" + Base64Text.encode([UInt8](repeating: 1, count: 23))
        let long = "whsec_" + Base64Text.encode([UInt8](repeating: 1, count: 65))
        let urlSafe = "whsec_" + String(repeating: "-_", count: 22)
        for text in [
            "", "whsec_", String(right.dropFirst(6)), "v1," + right, right + "\n", right + "=",
            String(right.dropLast(2)) + "B=", short, long, urlSafe, "WHSEC_" + right.dropFirst(6),
        ] {
            #expect(throws: AccountError(.invalidParameter, ""), "\(text)") {
                try WebhookSecret(SecretBytes(copying: text.utf8))
            }
        }
    }

    @Test(
        "PyPI's standardwebhooks accepts our hooks and makes hooks that are accepted here",
        .needsStandardWebhooks, .tags(.interop))
    func standardWebhooks() async throws {
        let python = try PeerProgram.cryptography()
        // Its clock is given, so that no time is read.
        let script = """
            import datetime, sys
            from standardwebhooks import webhooks
            secret, other, id, seconds, body, signatures = sys.argv[1:]
            now = datetime.datetime.fromtimestamp(int(seconds), tz=datetime.timezone.utc)
            class Still(datetime.datetime):
                @classmethod
                def now(cls, tz=None):
                    return now
            webhooks.datetime = Still
            body = bytes.fromhex(body)
            fields = {"webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures}
            webhooks.Webhook(secret).verify(body, fields)
            webhooks.Webhook(other).verify(body, fields)
            for damaged in (b" " + body, body[:-1] + b" "):
                try:
                    webhooks.Webhook(secret).verify(damaged, fields)
                except webhooks.WebhookVerificationError:
                    print("refused")
            print(webhooks.Webhook(secret).sign(id, now, body.decode()))
            """
        let transport = FakeTransport(.status(204))
        let sender = try WebhookMessageSender(
            .init("https://messages.example/hook"),
            secrets: [WebhookMessageSenderTests.secret(1), WebhookMessageSenderTests.secret(2)],
            clock: .fixed(secondsSince1970: Self.seconds), transport: transport)
        try await sender.send(TwilioMessageSenderTests.message())
        let request = try #require(transport.requests.all.first)
        let values = request.fields.map(\.value)
        #expect(values.count == 3)
        let body = request.body?.bytes ?? []
        let lines = try await python.lines([
            "-c", script, WebhookMessageSenderTests.secretText(1),
            WebhookMessageSenderTests.secretText(2), values[0], values[1], hex(body), values[2],
        ])
        #expect(lines.prefix(2) == ["refused", "refused"] && lines.count == 3)
        #expect(try isSigned(lines.last ?? "", id: values[0], body: body))
        #expect(try !isSigned(lines.last ?? "", id: values[0], body: body + [0]))
    }
}
