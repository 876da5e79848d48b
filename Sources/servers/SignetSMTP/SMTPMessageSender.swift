// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CurlBridge
public import SignetAccounts
internal import SignetBase
public import SignetEmail

/// Sends codes and notices by e-mail, through a mail server (RFC 5321).
///
/// ```swift
/// let server = SMTPServer.startTLS("smtp.example").signingIn(as: "app", password: "from a vault")
/// let sender = try SMTPMessageSender(
///     server, from: Mailbox("no-reply@app.example"), name: "App"
/// ) { message throws(AccountError) in
///     try MessageText(
///         subject: "Your code",
///         body: "\(message.code.exposedText) signs you in. Give it to no one who asks for it.\n")
/// }
/// let outbox = try Outbox(accounts, secret: secret, sender: sender)
/// ```
///
/// It uses one connection per message, over the system's libcurl. A message is sent once the server
/// has accepted it. If the connection breaks between the message's last line and that answer, the
/// message is sent again, with the same `Message-ID`. Nothing of a message, its code or its
/// destination reaches a log or an error.
public struct SMTPMessageSender: MessageSender, Redacted {
    private static let maximumNameByteCount = 128

    private let server: SMTPServer
    private let from: Mailbox
    private let name: String
    private let client: CurlClient
    private let clock: TimeSource
    private let text: @Sendable (CodeMessage) throws(AccountError) -> MessageText
    private let notice: @Sendable (NoticeMessage) throws(AccountError) -> MessageText

    /// Makes a sender for a mail server. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - server: the mail server.
    ///   - from: the sender's address, which also receives bounces.
    ///   - name: shown with the address; up to 128 bytes.
    ///   - clock: for the message's date.
    ///   - text: makes a message's text, by its purpose.
    ///   - notice: makes a notice's text, by its change; by default a short text in English.
    /// - Throws: `invalidParameter` for an impossible server or name, unreadable authorities, and
    ///   a sender's address that is quoted or not ASCII.
    public init(
        _ server: SMTPServer, from: Mailbox, name: String = "", clock: TimeSource = .system,
        text: @escaping @Sendable (CodeMessage) throws(AccountError) -> MessageText,
        notice: @escaping @Sendable (NoticeMessage) throws(AccountError) -> MessageText =
            MessageText.init
    ) throws(AccountError) {
        try server.check()
        guard Self.isSendable(from) else {
            throw SMTPServer.invalid("The sender's address is quoted, or not ASCII.")
        }
        guard name.utf8.count <= Self.maximumNameByteCount else {
            throw SMTPServer.invalid(
                "The sender's name has at most \(Self.maximumNameByteCount) bytes, not "
                    + "\(name.utf8.count).")
        }
        guard MessageText.isText(name) else {
            throw SMTPServer.invalid("The sender's name has a control character.")
        }
        client = try server.client()
        self.server = server
        self.from = from
        self.name = name
        self.clock = clock
        self.text = text
        self.notice = notice
    }

    /// Sends a message.
    ///
    /// - Throws: `messageRefused` if the server will never accept it (5xx to an address or to the
    ///   message), and for a phone number, or a quoted or non-ASCII local part; `unavailable` for
    ///   anything that may pass: no answer, 4xx, a certificate, a rejected password; `cancelled`;
    ///   the errors of ``MessageText``.
    public func send(_ message: CodeMessage) async throws(AccountError) {
        try await send(message.id, to: message.destination) { () throws(AccountError) in
            try text(message)
        }
    }

    /// Sends a notice.
    ///
    /// - Throws: `messageRefused`, `unavailable` and `cancelled`, by the same rules as for a code;
    ///   the errors of ``MessageText``.
    public func send(_ notice: NoticeMessage) async throws(AccountError) {
        try await send(notice.id, to: notice.destination) { () throws(AccountError) in
            try self.notice(notice)
        }
    }

    private func send(
        _ id: String, to destination: CodeDestination,
        _ text: () throws(AccountError) -> MessageText
    ) async throws(AccountError) {
        guard case .email(let recipient) = destination, Self.isSendable(recipient) else {
            throw AccountError(
                .messageRefused,
                "The destination is not an ASCII e-mail address without quotes.")
        }
        try MessageName.check(id)
        // The message with its head, as text lines (RFC 5322).
        let mail = MailMessage(
            from: from.text, name: name, to: recipient.text, text: try text(),
            id: id, domain: from.domain.text, date: clock.now())
        let request = MailRequest(
            protection: server.protection, sender: from.text, recipient: recipient.text,
            credentials: server.credentials, message: mail.bytes)
        let outcome = await client.exchange(
            CurlRequest(
                mail: request, url: server.url(from: from.domain.text), host: server.host,
                timeout: server.timeout))
        if case .failure(let failure) = outcome { throw Self.error(failure) }
    }

    /// Whether the address is printable ASCII without quotes, backslashes and angle brackets.
    /// Libcurl and many servers read other addresses in their own ways.
    private static func isSendable(_ mailbox: Mailbox) -> Bool {
        mailbox.text.utf8.allSatisfy {
            (0x21...0x7e).contains($0) && !"\"\\<>".utf8.contains($0)
        }
    }

    /// The error that says whether sending again may help: `messageRefused` if not.
    private static func error(_ failure: CurlFailure) -> AccountError {
        // 0 stands for no reply of the server.
        let reply: ErrorMessage = failure.reply == 0 ? "" : " (\(failure.reply))"
        return switch failure.reason {
        case .cancelled: AccountError(.cancelled, "The message was not sent: cancelled.")
        case .messageRefused:
            AccountError(.messageRefused, "The mail server refuses the message\(reply).")
        case .messagePutOff:
            AccountError(.unavailable, "The mail server postpones the message\(reply).")
        case .notSignedIn:
            AccountError(
                .unavailable,
                "The mail server rejects user and password, or requires them\(reply).")
        case .notTrusted, .notPinned:
            AccountError(
                .unavailable,
                "The mail server's certificate is not trusted, or it has no TLS: nothing was sent.")
        case .timedOut: AccountError(.unavailable, "The mail server did not answer in time.")
        case .unsendable: AccountError(.invalidParameter, "The message cannot be sent over SMTP.")
        case .unavailable, .unreachable, .bodyTooLarge, .invalidResponse, .compressed:
            AccountError(
                .unavailable,
                "The mail server is unavailable, or the connection broke (libcurl's code \(failure.code))."
            )
        }
    }
}
