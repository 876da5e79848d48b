// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJSON
import SignetSignIn
import Testing

/// Twilio's Messages resource, as documented: it checks method, path, fields and `Authorization`, and
/// answers the numbers of Twilio's test credentials with their errors.
final class TwilioStub: IdentityTransport {
    static let account = "AC00112233445566778899aabbccddeeff"
    static let key = "SK00112233445566778899aabbccddeeff"
    static let service = "MG00112233445566778899aabbccddeeff"
    static let number = "+15005550006"
    static let secret = "s3cr3t"

    /// What a request sent, and as whom.
    struct Sent: Sendable, Equatable {
        let to, sender, body, credentials: String
    }

    private let server: String
    private let state = Locked((sent: [Sent](), next: [FakeAnswer]()))
    typealias FakeAnswer = Result<TransportResponse, TransportFailure>

    init(server: String = "https://api.twilio.com") { self.server = server }

    /// What was taken.
    var sent: [Sent] { state.withLock { $0.sent } }

    /// Answers the next requests in another way.
    func answer(_ answers: [FakeAnswer]) { state.withLock { $0.next = answers } }

    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        try request.validate()
        guard request.method == .post,
            request.url.text == "\(server)/2010-04-01/Accounts/\(Self.account)/Messages.json"
        else { return Self.refusal(404, 20404) }
        guard let credentials = credentials(request) else { return Self.refusal(401, 20003) }
        guard let form = form(request), let to = form["To"], let body = form["Body"],
            let sender = form["From"] ?? form["MessagingServiceSid"], form.count == 3
        else { return Self.refusal(400, 21603) }
        let next = state.withLock { $0.next.isEmpty ? nil : $0.next.removeFirst() }
        if let next { return try next.get() }
        // https://www.twilio.com/docs/iam/test-credentials
        let codes: [String: Int] = [
            "+15005550001": 21211, "+15005550002": 21612, "+15005550003": 21408,
            "+15005550004": 21610, "+15005550009": 21614,
        ]
        if let code = codes[to] { return Self.refusal(400, code) }
        if body.unicodeScalars.count > 1_600 { return Self.refusal(400, 21617) }
        state.withLock {
            $0.sent.append(Sent(to: to, sender: sender, body: body, credentials: credentials))
        }
        return Self.response(
            201,
            #"{"sid":"SM00112233445566778899aabbccddeeff","status":"queued","error_code":null}"#)
    }

    /// User and password of `Authorization`; nil unless they are the account's or its key's.
    private func credentials(_ request: TransportRequest) -> String? {
        let known = [Self.account, Self.key].map { "\($0):\(Self.secret)" }
        let values = request.sentFields.filter { $0.name == "Authorization" }.map(\.value)
        return known.first { values == ["Basic " + Base64Text.encode(Array($0.utf8))] }
    }

    /// The fields of the body; nil if one comes twice, or it is no form.
    private func form(_ request: TransportRequest) -> [String: String]? {
        let types = request.sentFields.filter { $0.name == "Content-Type" }.map(\.value)
        let text = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
        guard types == ["application/x-www-form-urlencoded"],
            let all = FormEncoding.decode(text)
        else { return nil }
        return Dictionary(
            all.map { ($0.name.swiftString(), $0.value.swiftString()) },
            uniquingKeysWith: { _, _ in "twice" })
    }

    /// An error in Twilio's form.
    static func refusal(_ status: Int, _ code: Int) -> TransportResponse {
        response(
            status,
            """
            {"code":\(code),"message":"No message to +14155551234.","status":\(status),
            "more_info":"https://www.twilio.com/docs/errors/\(code)"}
            """)
    }

    static func response(_ status: Int, _ body: String) -> TransportResponse {
        TransportResponse(status: status, body: Array(body.utf8))
    }

    /// A sender to this stub, whose text is the code.
    func sender(
        key: String? = nil, secret: String = secret, from sender: String = service,
        server: EndpointURL? = nil
    ) throws(AccountError) -> TwilioMessageSender {
        try TwilioMessageSender(
            account: Self.account, key: key, secret: SecretBytes(copying: secret.utf8),
            from: sender, server: server, transport: self
        ) { message throws(AccountError) in "\(message.code.exposedText) & more: 50 % + ü" }
    }
}
