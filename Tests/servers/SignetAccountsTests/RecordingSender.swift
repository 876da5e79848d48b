// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetSignIn

/// Keeps what it is to send, and fails when it is told to.
final class RecordingSender: MessageSender {
    private let state = Locked(
        (messages: [CodeMessage](), notices: [NoticeMessage](), failures: [AccountError]()))

    var messages: [CodeMessage] { state.withLock { $0.messages } }
    var notices: [NoticeMessage] { state.withLock { $0.notices } }

    /// The error of the next calls.
    func fail(_ errors: [AccountError]) { state.withLock { $0.failures = errors } }

    func send(_ message: CodeMessage) async throws(AccountError) {
        try failOrNot()
        state.withLock { $0.messages.append(message) }
    }

    func send(_ notice: NoticeMessage) async throws(AccountError) {
        try failOrNot()
        state.withLock { $0.notices.append(notice) }
    }

    private func failOrNot() throws(AccountError) {
        let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
        if let failure { throw failure }
    }
}

/// Codes in a database, and a reader that acts like a person with a phone.
struct CodeScene {
    let codes: OneTimeCodes
    let sender = RecordingSender()
    let database: any AccountDatabase

    init(_ database: any AccountDatabase, _ policy: CodePolicy = .standard) throws {
        self.database = database
        codes = OneTimeCodes(database, secret: try .test(), policy: policy)
    }

    static let phone = "+14155551234"

    static func destination(_ text: String = phone) throws -> CodeDestination {
        .phone(try PhoneNumber(text))
    }

    /// Sends a code and gives what arrives.
    func code(
        _ destination: CodeDestination? = nil, _ purpose: CodePurpose = .signIn,
        from address: String? = nil, challenge: CodeChallenge? = nil
    ) async throws -> (code: OneTimeCode, sent: OneTimeCodes.Sent) {
        let destination = try destination ?? Self.destination()
        let sent = try await codes.send(
            to: destination, for: purpose, from: address.flatMap { ClientAddress($0) },
            challenge: challenge)
        let outbox = try Outbox(database, secret: try .test(), sender: sender)
        try await outbox.deliver()
        struct NothingCame: Error {}
        // Several that were waiting go out at once, in no order.
        let name = try sent.challenge.messageID()
        guard let message = sender.messages.last(where: { $0.id == name }) else {
            throw NothingCame()
        }
        return (message.code, sent)
    }

    /// Another code than this.
    static func wrong(_ code: OneTimeCode, _ step: Int = 1) throws -> OneTimeCode {
        let number = (Int(code.exposedText) ?? 0) + step
        let text = String(number % 1_000_000)
        return try OneTimeCode(String(repeating: "0", count: 6 - text.utf8.count) + text)
    }

    func verify(
        _ code: OneTimeCode, _ destination: CodeDestination? = nil,
        _ purpose: CodePurpose = .signIn,
        challenge: CodeChallenge? = nil, from address: String? = nil
    ) async throws -> AccountError? {
        let destination = try destination ?? Self.destination()
        return await accountError { () throws(AccountError) in
            try await codes.verify(
                code, sentTo: destination, for: purpose, challenge: challenge,
                from: address.flatMap { ClientAddress($0) })
            return true
        }
    }
}
