// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetCrypto
internal import SignetEmail
internal import SignetSignIn

/// Codes, limits and second factors over the database of a check. They use a secret of their own,
/// so no other check's rows have the same names, which are HMACs under it.
///
///     try await FactorScope.run(scope) { own in
///         let issued = try await own.issueCode()
///         try await own.pass(.seconds(3600))
///         try scope.expect(try await own.enter(issued.code, of: issued), is: false, named: "…")
///     }
struct FactorScope: Sendable {
    let scope: AccountCheckScope
    let secret: AccountSecret
    let phone: CodeDestination
    let sender = KeepingSender()
    /// The names of the rows that were written, to find them again.
    private let names = Locked(Set<[UInt8]>())

    init(_ scope: AccountCheckScope) throws {
        self.scope = scope
        secret = try AccountSecret(SecretKey.generate())
        phone = .phone(try PhoneNumber("+1415\(UInt32.random(in: 1_000_000...9_999_999))"))
    }

    /// Runs a check and removes its rows.
    static func run(
        _ scope: AccountCheckScope, _ body: (FactorScope) async throws -> Void
    ) async throws {
        let own = try FactorScope(scope)
        do { try await body(own) } catch {
            // The finding matters more than an error of the clean-up.
            try? await own.removeEverything()
            throw error
        }
        try await own.removeEverything()
    }

    /// The first object for even numbers, the second for odd numbers. Notes the names of its rows.
    func database(_ number: Int) -> any AccountDatabase {
        NotingDatabase(inner: scope.database(number), names: names)
    }

    func limits(_ number: Int = 0) -> RateLimits {
        RateLimits(database(number), secret: secret)
    }

    func codes(_ number: Int = 0) -> OneTimeCodes {
        OneTimeCodes(database(number), secret: secret)
    }

    func outbox(_ number: Int) throws -> Outbox {
        try Outbox(database(number), secret: secret, sender: sender)
    }

    /// The challenge and the code that a client has after its request.
    typealias Issued = (sent: OneTimeCodes.Sent, code: OneTimeCode)

    /// Has a code sent: to a new client, or to the client of an earlier code that is shown.
    func issueCode(
        _ purpose: CodePurpose = .signIn, from address: String? = nil,
        device: DeviceSecret? = nil, showing earlier: Issued? = nil, on number: Int = 0
    ) async throws -> Issued {
        try await codes(number).issue(
            to: phone, for: purpose, from: address.flatMap(ClientAddress.init), device: device,
            challenge: earlier?.sent.challenge)
    }

    /// Enters a code for the client that asked for it: false for `wrongCode`. Every other error is
    /// rethrown. A right code is used up.
    func enter(
        _ code: OneTimeCode, of issued: Issued, purpose: CodePurpose = .signIn, on number: Int = 0
    ) async throws -> Bool {
        try await enter(code, purpose: purpose, showing: issued.sent.challenge, on: number)
    }

    /// Enters a code for a client that shows this challenge, or none: false for `wrongCode`.
    func enter(
        _ code: OneTimeCode, purpose: CodePurpose = .signIn, showing challenge: CodeChallenge?,
        from address: String? = nil, on number: Int = 0
    ) async throws -> Bool {
        try await AccountCheck.isTaken {
            try await codes(number).verify(
                code, sentTo: phone, for: purpose, challenge: challenge,
                from: address.flatMap(ClientAddress.init))
        }
    }

    /// Has a code with a link sent to a mailbox, and returns the message.
    func issueLink(_ purpose: CodePurpose) async throws -> CodeMessage {
        let page = "https://app.example/confirm"
        _ = try await codes().send(
            to: .email(try Mailbox("\(scope.name)@example.com")), for: purpose, from: nil,
            linkingTo: LinkPage(page, allowedBy: RedirectURIs([page])))
        try await outbox(0).deliver()
        if let message = sender.messages.last { return message }
        throw AccountError(.corrupt, "The message of a link did not arrive.")
    }

    /// Uses a message's link, or its code: false for `wrongCode`. Every other error is rethrown.
    func enter(_ message: CodeMessage, byLink: Bool, on number: Int) async throws -> Bool {
        let codes = codes(number)
        let purpose = message.purpose
        return try await AccountCheck.isTaken {
            guard byLink, let text = message.link?.split(separator: "token_hash=").last,
                let token = LinkToken(String(text))
            else {
                return try await codes.verify(
                    message.code, sentTo: message.destination, for: purpose)
            }
            try await codes.verify(link: token, for: purpose) { (_, _, _) throws(AccountError) in }
        }
    }

    /// Makes every row of this check older, as if the time had passed.
    func pass(_ time: Duration) async throws(AccountError) {
        try await runForEachName(
            [
                """
                UPDATE signet_codes SET sent_at = sent_at - $1, ends_at = ends_at - $1
                WHERE key = $2
                """,
                "UPDATE signet_limits SET full_until = full_until - $1 WHERE key = $2",
                "UPDATE signet_known_clients SET ends_at = ends_at - $1 WHERE key = $2",
                """
                UPDATE signet_outbox SET due_at = due_at - $1, ends_at = ends_at - $1
                WHERE key = $2
                """,
            ], values: [.integer(Int64(time / .milliseconds(1)))])
    }

    private func removeEverything() async throws(AccountError) {
        try await runForEachName(
            [
                "DELETE FROM signet_codes WHERE key = $1",
                "DELETE FROM signet_limits WHERE key = $1",
                "DELETE FROM signet_known_clients WHERE key = $1",
                "DELETE FROM signet_outbox WHERE key = $1",
            ], values: [])
    }

    /// Runs each statement with the values and, after them, the name of each row.
    private func runForEachName(_ statements: [SQLStatement], values: [SQLValue])
        async throws(AccountError)
    {
        for name in names.withLock({ $0 }) {
            for statement in statements {
                try await scope.run(statement, values: values + [.bytes(name)])
            }
        }
    }

    /// A wrong code: the number of `code`, which has six digits, plus `step`.
    static func wrongCode(_ code: OneTimeCode, step: Int = 1) throws -> OneTimeCode {
        let number = code.exposedText.utf8.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        let text = String((number + step) % 1_000_000)
        return try OneTimeCode(String(repeating: "0", count: 6 - text.utf8.count) + text)
    }
}

/// Keeps the messages instead of sending them.
final class KeepingSender: MessageSender {
    private let keptMessages = Locked([CodeMessage]())
    private let keptNotices = Locked([NoticeMessage]())

    var messages: [CodeMessage] { keptMessages.withLock { $0 } }
    var notices: [NoticeMessage] { keptNotices.withLock { $0 } }

    func send(_ message: CodeMessage) async throws(AccountError) {
        keptMessages.withLock { $0.append(message) }
    }

    func send(_ notice: NoticeMessage) async throws(AccountError) {
        keptNotices.withLock { $0.append(notice) }
    }
}
