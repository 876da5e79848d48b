// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

extension OneTimeCodes {
    /// Uses a code up, and does `work` in the same transaction where the code is right.
    ///
    /// Of any number of calls at once with the right code, one succeeds. A wrong code counts
    /// against its own tries and against the destination's ``CodePolicy/wrongCodes``; one that is
    /// compared with nothing, because there is no live code, tells nothing and does not count.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - destination: the phone number or the address.
    ///   - purpose: what the code is for; it is good for nothing else.
    ///   - challenge: what ``Sent/challenge`` was, where the client still has it: another code is
    ///     then wrong without a try. Nil takes the code that was sent last. Where clients have one,
    ///     require it of all: who may leave it out uses up the tries of others.
    ///   - work: what follows, such as finding or adding the account. When it throws, nothing
    ///     counts and the code is still good.
    /// - Throws: `wrongCode` for a code that is wrong, used, at its end, of another purpose, or of
    ///   an unknown destination; `tooManyRequests` with `retryAfter` after too many wrong ones,
    ///   also for the right one; what `work` and the database throw.
    public func verify<Answer: Sendable>(
        _ code: OneTimeCode, sentTo destination: CodeDestination, for purpose: CodePurpose,
        challenge: CodeChallenge? = nil,
        then work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        let answer = try await database.transaction {
            (transaction) throws(AccountError) -> Answer? in
            // A wrong code must be counted: the transaction ends well, and the error comes later.
            guard try await use(code, destination, purpose, challenge, transaction) else {
                return nil
            }
            return try await work(transaction)
        }
        guard let answer else {
            throw AccountError(
                .wrongCode, "This code is wrong, or no longer good. Please ask for a new one.")
        }
        return answer
    }

    /// Uses a code up.
    ///
    /// - Throws: as the form with `work`.
    public func verify(
        _ code: OneTimeCode, sentTo destination: CodeDestination, for purpose: CodePurpose,
        challenge: CodeChallenge? = nil
    ) async throws(AccountError) {
        _ = try await verify(code, sentTo: destination, for: purpose, challenge: challenge) {
            (_) throws(AccountError) in true
        }
    }

    private func use(
        _ code: OneTimeCode, _ destination: CodeDestination, _ purpose: CodePurpose,
        _ challenge: CodeChallenge?, _ transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let key = SQLValue.bytes(try key(destination, purpose))
        // Nothing is written for destinations that had no code lately: anyone can name millions.
        guard let found = try await transaction.run(Self.last, [key]).first?.bytes(0) else {
            return false
        }
        let challenge = challenge ?? CodeChallenge(bytes: found)
        // Before the code is looked at, so that guesses at once wait for each other here.
        try await limits.take(
            policy.wrongCodes, "wrong codes", for: .destination(destination), in: transaction)
        let mac = try mac(code, challenge, destination, purpose)
        let compared = try await transaction.run(
            Self.use,
            [
                .bytes(mac), key, .bytes(challenge.bytes), .integer(Int64(policy.tries)),
                .integer(Self.clockStep),
            ]
        ).first
        let isRight = try compared?.integer(0) == 1
        if compared == nil || isRight {
            try await limits.giveBack(
                policy.wrongCodes, "wrong codes", for: .destination(destination), in: transaction)
        }
        return isRight
    }

    /// Removes codes that have ended an hour ago. Call it once in a while.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(ended)
    }

    package var ended: [EndedRows] { [EndedRows(database, Self.sweep)] }

    /// A clock that is set back by more than this ends the codes: they would live for longer.
    private static var clockStep: Int64 { 60_000 }

    private static let last: SQLStatement = "SELECT challenge FROM signet_codes WHERE key = $1"
    /// What is compared is an HMAC: the time that the database takes tells nothing of the code.
    private static let use: SQLStatement = """
        UPDATE signet_codes
        SET tries = tries + 1, used = CASE WHEN code = $1 THEN 1 ELSE 0 END
        WHERE key = $2 AND challenge = $3 AND used = 0 AND tries < $4
            AND ends_at > {now} AND sent_at <= {now} + $5
        RETURNING used
        """
    private static let sweep: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_codes WHERE ends_at <= (SELECT {now} - 3600000)
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_codes
        WHERE key IN (SELECT key FROM ended) AND ends_at <= {now} - 3600000
        RETURNING 1
        """
}

extension AccountError.Code {
    /// A one-time code, or a code of a second factor, is wrong, used or at its end.
    public static var wrongCode: Self { Self(rawValue: "wrongCode") }
}
