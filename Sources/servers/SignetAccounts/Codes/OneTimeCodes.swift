// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetSignIn

/// Sends one-time codes and checks them, over any ``AccountDatabase``.
///
/// ```swift
/// let codes = OneTimeCodes(accounts, secret: secret)
/// let phone = try CodeDestination.phone(PhoneNumber("+14155551234"))
/// let sent = try await codes.send(to: phone, for: .signIn, from: client)
/// print("the next one in", sent.resendAfter)
/// // What a person typed.
/// let typed = try OneTimeCode("123456")
/// try await codes.verify(typed, sentTo: phone, for: .signIn)
/// ```
///
/// A code is bound to its destination and purpose, works once, and ends after its lifetime or a few
/// wrong tries. A new code does not end earlier codes: several clients may ask for the same
/// destination, and each has its own code, named by ``Sent/challenge``. Strangers cannot disturb a
/// client that shows its challenge.
///
/// The database holds an HMAC of a code under the application's secret. Nothing that a client can
/// see depends on whether a destination is known: the same statements run in the same order, and
/// the message is sent by an ``Outbox`` after the answer.
public struct OneTimeCodes: Sendable {
    /// The answer to a client that asked for a code.
    public struct Sent: Encodable, Sendable, Equatable {
        /// Names this code. The client keeps the challenge, and shows it with the code and with its
        /// next request. Nobody at a different address can use up the tries of that code.
        public let challenge: CodeChallenge
        /// How long the code is good.
        public let lifetime: Duration
        /// How long until this client may ask for the next code.
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
            try members.encode(lifetime.seconds, forKey: .lifetime)
            try members.encode(resendAfter.seconds, forKey: .resendAfter)
        }
    }

    /// The length, lifetime and limits of codes.
    public let policy: CodePolicy
    let database: any AccountDatabase
    let secret: AccountSecret
    let limits: RateLimits

    /// Codes in a database. An ``Outbox`` with the same database and secret sends them.
    public init(
        _ database: any AccountDatabase, secret: AccountSecret, policy: CodePolicy = .standard
    ) {
        self.policy = policy
        self.database = database
        self.secret = secret
        limits = RateLimits(database, secret: secret)
    }

    /// The column `key` of the table of codes: it names a destination and a purpose.
    func rowKey(
        of destination: CodeDestination, for purpose: CodePurpose
    ) throws(AccountError) -> [UInt8] {
        try secret.code("code destination", over: [purpose.bytes, destination.bytes])
    }

    /// The column `code`: an HMAC, so that the database holds no code.
    func mac(
        _ code: OneTimeCode, challenge: CodeChallenge, sentTo destination: CodeDestination,
        for purpose: CodePurpose
    ) throws(AccountError) -> [UInt8] {
        try secret.code(
            "code",
            over: [purpose.bytes, destination.bytes, challenge.bytes, Array(code.exposedText.utf8)])
    }

    /// Names an address at a destination. A missing address gets a random name, which equals no
    /// name of an address and no earlier random name.
    func askerKey(
        _ destination: CodeDestination, from address: ClientAddress?
    ) throws(AccountError) -> [UInt8] {
        guard let address else { return try .random(count: Self.macByteCount) }
        return try secret.code("code asker", over: [destination.limited, address.limited])
    }

    /// The length of an HMAC under the application's secret.
    static let macByteCount = 32

    /// A code whose digits are all equally likely. A byte's remainder by 10 is a digit only if the
    /// byte is less than 250: of all 256 bytes, the digits 0 to 5 would come more often.
    package static func randomCode(_ digitCount: Int) throws(AccountError) -> OneTimeCode {
        var digits: [UInt8] = []
        while digits.count < digitCount {
            let usable = try [UInt8].random(count: digitCount).filter { $0 < 250 }
            let missingCount = digitCount - digits.count
            digits += usable.prefix(missingCount).map { UInt8(ascii: "0") + $0 % 10 }
        }
        do {
            return try OneTimeCode(
                String(decoding: digits, as: UTF8.self), digitCount: digitCount)
        } catch { throw AccountError(.invalidParameter, underlying: error, "\(messageOf: error)") }
    }
}
