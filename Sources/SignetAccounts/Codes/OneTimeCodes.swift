// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
public import SignetSignIn

/// Sends one-time codes and checks them, over any ``AccountDatabase``.
///
/// ```swift
/// let codes = OneTimeCodes(accounts, secret: secret)
/// let phone = try CodeDestination.phone(PhoneNumber("+14155551234"))
/// let sent = try await codes.send(to: phone, for: .signIn, from: client)
/// print("the next one in", sent.resendAfter)
/// ```
///
/// What the person typed:
///
/// ```swift
/// let typed = try OneTimeCode("123456")
/// do throws(AccountError) {
///     try await codes.verify(typed, sentTo: phone, for: .signIn)
/// } catch {
///     print(error.code, error.retryAfter ?? .zero)
/// }
/// ```
///
/// A code is bound to its destination and purpose, works once, ends after its lifetime, after a few
/// wrong tries and when the next one is sent. The database holds an HMAC of it under the
/// application's secret. Nothing that a client can see depends on whether a destination is known:
/// the same statements run in the same order, and the message is sent by an ``Outbox`` after the
/// answer.
public struct OneTimeCodes: Sendable {
    /// What was done, for the client.
    public struct Sent: Encodable, Sendable, Equatable {
        /// Names this code. A program that keeps it with the client and gives it to
        /// ``OneTimeCodes/verify(_:sentTo:for:challenge:then:)`` lets no one else use up its tries.
        public let challenge: CodeChallenge
        /// How long the code is good.
        public let lifetime: Duration
        /// How long until the next one may be asked for.
        public let resendAfter: Duration

        private enum CodingKeys: String, CodingKey {
            case challenge
            case lifetime = "expires_in"
            case resendAfter = "resend_after"
        }

        /// Writes `challenge`, and `expires_in` and `resend_after` in seconds.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(challenge, forKey: .challenge)
            try members.encode(lifetime.components.seconds, forKey: .lifetime)
            try members.encode(resendAfter.components.seconds, forKey: .resendAfter)
        }
    }

    /// How codes are made.
    public let policy: CodePolicy
    let database: any AccountDatabase
    let secret: AccountSecret
    let limits: RateLimits

    /// Codes in a database. An ``Outbox`` with the same database and secret sends them.
    public init(
        _ database: any AccountDatabase, secret: AccountSecret, policy: CodePolicy = .standard
    ) {
        self.policy = policy
        (self.database, self.secret) = (database, secret)
        limits = RateLimits(database, secret: secret)
    }

    /// Makes a code, which ends the one before, and puts its message into the outbox, in one
    /// transaction.
    ///
    /// - Parameters:
    ///   - destination: the phone number or the address.
    ///   - purpose: what the code is for; it is good for nothing else.
    ///   - address: whose limit counts; nil where requests have no address, and then none does.
    ///   - isKnown: whether a message is to go there, asked in the same transaction. It runs the
    ///     same statements whatever it finds. For an unknown destination all is done the same, but
    ///     the message goes nowhere, and no code is right.
    /// - Throws: `tooManyRequests` with `retryAfter`, also before ``CodePolicy/resendAfter`` is
    ///   over; what the database throws. Nothing is sent then.
    public func send(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        isKnown: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Bool = {
            _ in true
        }
    ) async throws(AccountError) -> Sent {
        try await issue(to: destination, for: purpose, from: address, isKnown: isKnown).sent
    }

    /// The same in a transaction of the caller's, which must not be committed after an error.
    @discardableResult
    package func send(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        isKnown: Bool, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Sent {
        try await issue(
            to: destination, for: purpose, from: address, isKnown: isKnown, in: transaction
        ).sent
    }

    /// The same, with the code, for checks.
    package func issue(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        isKnown: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Bool
    ) async throws(AccountError) -> (sent: Sent, code: OneTimeCode) {
        try await database.transaction { (transaction) throws(AccountError) in
            let isKnown = try await isKnown(transaction)
            return try await issue(
                to: destination, for: purpose, from: address, isKnown: isKnown, in: transaction)
        }
    }

    private func issue(
        to destination: CodeDestination, for purpose: CodePurpose, from address: ClientAddress?,
        isKnown: Bool, in transaction: any AccountTransaction
    ) async throws(AccountError) -> (sent: Sent, code: OneTimeCode) {
        let challenge = CodeChallenge(bytes: try Self.random(16))
        let code = try Self.randomCode(policy.digitCount)
        let key = try key(destination, purpose)
        // Drawn, so that it is the HMAC of no code.
        let (right, none) = (
            try mac(code, challenge, destination, purpose), try Self.random(32)
        )
        try await limits.take(
            policy.sentToDestination, "codes sent", for: .destination(destination),
            in: transaction)
        if let address {
            try await limits.take(
                policy.sentFromAddress, "codes asked for", for: .address(address),
                in: transaction)
        }
        try await replace(key, challenge, isKnown ? right : none, transaction)
        try await OutboxRow(
            message: CodeMessage(
                id: challenge.text, destination: destination, purpose: purpose, code: code),
            isSent: isKnown
        ).insert(key: key, lifetime: policy.lifetime, secret: secret, transaction)
        let sent = Sent(
            challenge: challenge, lifetime: policy.lifetime, resendAfter: policy.resendAfter)
        return (sent, code)
    }

    private func replace(
        _ key: [UInt8], _ challenge: CodeChallenge, _ stored: [UInt8],
        _ transaction: any AccountTransaction
    ) async throws(AccountError) {
        let pause = policy.resendAfter.wholeMilliseconds
        let replaced = try await transaction.run(
            Self.replace,
            [
                .bytes(key), .bytes(challenge.bytes), .bytes(stored),
                .integer(policy.lifetime.wholeMilliseconds), .integer(pause),
            ])
        guard replaced.isEmpty else { return }
        let wait = try await transaction.run(Self.pause, [.integer(pause), .bytes(key)])
        throw .tooManyRequests(after: try wait.first?.integer(0) ?? pause)
    }

    func key(
        _ destination: CodeDestination, _ purpose: CodePurpose
    ) throws(AccountError) -> [UInt8] {
        try secret.code("code destination", [purpose.bytes, destination.bytes])
    }

    func mac(
        _ code: OneTimeCode, _ challenge: CodeChallenge, _ destination: CodeDestination,
        _ purpose: CodePurpose
    ) throws(AccountError) -> [UInt8] {
        try secret.code(
            "code",
            [purpose.bytes, destination.bytes, challenge.bytes, Array(code.exposedText.utf8)])
    }

    static func random(_ count: Int) throws(AccountError) -> [UInt8] {
        do throws(CryptographyError) {
            return try SecureRandom.bytes(count: count)
        } catch { throw .crypto(error) }
    }

    /// Digits drawn one by one and evenly: of a byte's values, those from 250 on are drawn again.
    package static func randomCode(_ digitCount: Int) throws(AccountError) -> OneTimeCode {
        var digits: [UInt8] = []
        while digits.count < digitCount {
            let even = try random(digitCount).filter { $0 < 250 }
            digits += even.prefix(digitCount - digits.count).map { UInt8(ascii: "0") + $0 % 10 }
        }
        do throws(SignInInputError) {
            return try OneTimeCode(
                String(decoding: digits, as: UTF8.self), digitCount: digitCount)
        } catch { throw AccountError(.invalidParameter, underlying: error, error.message) }
    }

    /// A code that was sent in the future is one of a clock that has been set back since.
    private static let replace: SQLStatement = """
        INSERT INTO signet_codes (key, challenge, code, sent_at, ends_at, tries, used)
        VALUES ($1, $2, $3, {now}, {now} + $4, 0, 0)
        ON CONFLICT (key) DO UPDATE SET
            challenge = $2, code = $3, sent_at = {now}, ends_at = {now} + $4, tries = 0, used = 0
        WHERE signet_codes.sent_at <= {now} - $5 OR signet_codes.sent_at > {now} + $5
        RETURNING ends_at
        """
    private static let pause: SQLStatement =
        "SELECT sent_at + $1 - {now} FROM signet_codes WHERE key = $2"
}
