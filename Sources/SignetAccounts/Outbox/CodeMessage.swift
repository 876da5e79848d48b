// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

/// A code on its way to a person. Printing it shows nothing of it.
public struct CodeMessage: Sendable, Redacted {
    /// The same for each try to send it: services that take an idempotency key want this.
    public let id: String
    /// Where it goes.
    public let destination: CodeDestination
    /// What the code is good for: the text should say so.
    public let purpose: CodePurpose
    /// The code.
    public let code: OneTimeCode

    package init(id: String, destination: CodeDestination, purpose: CodePurpose, code: OneTimeCode)
    {
        (self.id, self.destination, self.purpose, self.code) = (id, destination, purpose, code)
    }
}

/// What sends messages: a provider of short messages, a mail server, or ``FileMessageSender``.
public protocol MessageSender: Sendable {
    /// Hands one message on. It takes less than ``Outbox/sendingTime``, after which it is cancelled
    /// and the message tried again. Credentials come from a store, and code and destination reach
    /// no log.
    ///
    /// - Throws: `messageRefused` for a message that is not to be tried again; any other error lets
    ///   it be tried later.
    func send(_ message: CodeMessage) async throws(AccountError)
}

extension AccountError.Code {
    /// The service that sends messages will not send this one.
    public static var messageRefused: Self { Self(rawValue: "messageRefused") }
}
