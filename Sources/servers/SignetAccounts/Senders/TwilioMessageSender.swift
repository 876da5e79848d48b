// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
public import SignetIdentity
internal import SignetSignIn

/// Sends codes and notices to phones, through Twilio's Messages resource.
///
/// ```swift
/// let sender = try TwilioMessageSender(
///     account: accountSID, key: keySID, secret: SecretBytes(copying: keySecret),
///     from: "MG00112233445566778899aabbccddeeff", transport: .curl
/// ) { message throws(AccountError) in
///     "\(message.code.exposedText) signs you in. Give it to no one who asks for it."
/// }
/// ```
///
/// A message counts as sent when Twilio has taken it (201). Whether it reaches the phone, Twilio
/// tells later and elsewhere. Twilio has no idempotency key here: after a connection that breaks
/// before the response, the message is sent again, with the same code. Nothing of a message, its
/// code or its destination reaches a log or an error.
public struct TwilioMessageSender: MessageSender, Redacted {
    private static let byteCounts = 1...1_024

    private let url: EndpointURL
    private let user: String
    private let secret: SecretKey
    private let sender: (name: String, value: String)
    private let transport: any IdentityTransport
    private let text: @Sendable (CodeMessage) throws(AccountError) -> String
    private let notice: @Sendable (NoticeMessage) throws(AccountError) -> String

    /// Makes a sender for an account. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - account: the account's SID, `AC` and 32 hexadecimal digits.
    ///   - key: the SID of an API key, `SK…`, which can be revoked; nil to sign in as the account.
    ///   - secret: the key's secret, or without a key the account's auth token.
    ///   - sender: the SID of a Messaging Service, `MG…`; else a number, a short code or a name.
    ///   - server: the server of another region, such as `https://api.dublin.ie1.twilio.com`.
    ///   - transport: carries the requests, such as `SignetCurl`'s.
    ///   - text: makes a message's text, by its purpose: at most 1,600 characters.
    ///   - notice: makes a notice's text, by its change; by default a short text in English.
    /// - Throws: `invalidParameter` for a malformed SID, a server with a query, and a secret or a
    ///   sender that is empty, overlong or not printable ASCII.
    public init(
        account: String, key: String? = nil, secret: consuming SecretBytes, from sender: String,
        server: EndpointURL? = nil, transport: some IdentityTransport,
        text: @escaping @Sendable (CodeMessage) throws(AccountError) -> String,
        notice: (@Sendable (NoticeMessage) throws(AccountError) -> String)? = nil
    ) throws(AccountError) {
        guard Self.isSID(account, kind: "AC"), key.map({ Self.isSID($0, kind: "SK") }) ?? true
        else {
            throw Self.invalid("An SID is AC, or SK for a key, and 32 hexadecimal digits.")
        }
        // In place: a copy of the secret would stay in freed memory.
        let isSecret = secret.withExposedBytes { bytes in
            Self.byteCounts.contains(bytes.count)
                && bytes.indices.allSatisfy { (0x21...0x7e).contains(bytes[$0]) }
        }
        let isSender =
            Self.byteCounts.contains(sender.utf8.count)
            && sender.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        guard isSecret, isSender else {
            throw Self.invalid("Secret and sender have 1 to 1,024 characters of printable ASCII.")
        }
        do throws(IdentityConfigurationError) {
            let server = if let server { server } else { try EndpointURL("https://api.twilio.com") }
            url = try server.appending(path: "2010-04-01/Accounts/\(account)/Messages.json")
        } catch { throw Self.invalid("Twilio's server: \(messageOf: error)") }
        user = key ?? account
        self.secret = SecretKey(secret)
        let isService = Self.isSID(sender, kind: "MG")
        self.sender = (isService ? "MessagingServiceSid" : "From", sender)
        self.transport = transport
        self.text = text
        self.notice = notice ?? { "\($0.change.englishSentence) \(Self.advice)" }
    }

    /// Sends a message.
    ///
    /// - Throws: `messageRefused` for a mailbox, and if Twilio will never send the message to the
    ///   number; `unavailable` for anything that may pass: no response, a rejected secret, a limit,
    ///   a setting of the account, a code that is unknown here; `cancelled`; the errors of the
    ///   text.
    public func send(_ message: CodeMessage) async throws(AccountError) {
        try await post(try text(message), to: message.destination)
    }

    /// Sends a notice.
    ///
    /// - Throws: `messageRefused`, `unavailable` and `cancelled`, by the same rules as for a code;
    ///   the errors of the text.
    public func send(_ notice: NoticeMessage) async throws(AccountError) {
        try await post(try self.notice(notice), to: notice.destination)
    }

    private func post(_ text: String, to destination: CodeDestination) async throws(AccountError) {
        guard case .phone(let number) = destination else {
            throw AccountError(.messageRefused, "The destination is not a phone number.")
        }
        let form = FormEncoding.encode([("To", number.e164), sender, ("Body", text)])
        let request = ProviderRequest(
            url: url,
            body: .init(Array(form.utf8), contentType: "application/x-www-form-urlencoded"),
            authorization: authorization)
        let response = try await request.send(over: transport)
        switch TwilioAnswer(response) {
        case .taken: return
        case .refused(let code):
            throw AccountError(.messageRefused, "Twilio refuses the message (\(code)).")
        case .putOff(let code):
            throw AccountError(
                .unavailable,
                "Twilio does not take the message now (status \(response.status), code \(code ?? 0))."
            )
        }
    }

    /// Basic authentication (RFC 7617). An SID holds no colon.
    private var authorization: String {
        secret.withExposedBytes { bytes in
            "Basic "
                + Base64Text.encode(Array("\(user):".utf8) + bytes.indices.map { bytes[$0] })
        }
    }

    private static let advice =
        "If it was not you: sign in, end the other sessions, choose a new password."

    private static func isSID(_ text: String, kind: String) -> Bool {
        text.utf8.count == 34 && text.utf8.starts(with: kind.utf8)
            && text.utf8.dropFirst(2).allSatisfy { $0.hexValue != nil }
    }

    private static func invalid(_ message: ErrorMessage) -> AccountError {
        AccountError(.invalidParameter, message)
    }
}
