// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// A code on its way to a person. Printing shows nothing of it.
public struct CodeMessage: Sendable, Redacted {
    /// The name of the message, the same for each attempt to send it, for services that take an
    /// idempotency key.
    public let id: String
    /// The destination.
    public let destination: CodeDestination
    /// The purpose of the code, which the text should state.
    public let purpose: CodePurpose
    /// The code.
    public let code: OneTimeCode
    /// The link that does the same as the code, for the text; nil without.
    public let link: String?

    package init(
        id: String, destination: CodeDestination, purpose: CodePurpose, code: OneTimeCode,
        link: String? = nil
    ) {
        self.id = id
        self.destination = destination
        self.purpose = purpose
        self.code = code
        self.link = link
    }
}

/// Sends messages: a provider of short messages, a mail server, or ``FileMessageSender``.
public protocol MessageSender: Sendable {
    /// Sends a message. After ``Outbox/sendingTime`` it is cancelled and retried. Take credentials
    /// from a store, and never log code or destination.
    ///
    /// - Throws: `messageRefused` for a message that must not be retried; any other error retries
    ///   it later.
    func send(_ message: CodeMessage) async throws(AccountError)

    /// Sends a notice, by the same rules. There is no default implementation, because a sender that
    /// drops notices lets accounts change hands silently.
    ///
    /// - Throws: `messageRefused` for a notice that must not be retried; any other error retries it
    ///   later.
    func send(_ notice: NoticeMessage) async throws(AccountError)
}

extension AccountError.Code {
    /// The sending service will not send this message.
    public static var messageRefused: Self { Self(rawValue: "messageRefused") }
}
