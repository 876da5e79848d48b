// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn

extension OneTimeCodes {
    // A client enters a code, here called a guess, for a destination (a phone number or an e-mail
    // address). It may show the challenge, the name of its code, which `send` gave it:
    //
    //     try await codes.verify(
    //         code, sentTo: .email(mailbox), for: .signIn, challenge: challenge, from: address)
    //
    // A guess is the code's own client's if it shows the challenge, or comes from the address that
    // asked for the code. Strangers' guesses count against a limit of their own.
    // The steps, all in the transaction of `work`:
    // 1. findComparedCode: the code that the guess is compared with.
    // 2. countGuess: counts the guess as if it were wrong, or refuses to compare it.
    // 3. `useStatement` compares, and uses up a right code.
    // 4. giveBackGuess: a right code does not count.

    /// Uses a code up and, if it is right, runs `work` in the same transaction.
    ///
    /// If several calls bring the right code at once, exactly one succeeds. A guess is compared
    /// with a single code: the code of its challenge; without a challenge, the newest code that its
    /// address asked for, or else the newest. The rules of `FACTORS.md` say which limit a wrong
    /// code counts against. A guess that is compared with nothing, because no code is live, tells
    /// nothing and does not count.
    ///
    /// - Parameters:
    ///   - code: what the person typed.
    ///   - destination: the phone number or the address.
    ///   - purpose: what the code is for; it is good for nothing else.
    ///   - challenge: the ``Sent/challenge``, if the client still has it. With it the first guess at
    ///     a live code is always compared, whatever strangers at other addresses do. Later guesses,
    ///     among them those from the address that asked for the code, are compared until the code's
    ///     tries end or the limit of wrong codes of such clients is reached.
    ///   - address: the client's address; nil if requests have no address.
    ///   - work: what follows, such as finding or adding the account. It receives the request whose
    ///     code was used, whether or not the client has shown its challenge. If it throws, nothing
    ///     counts and the code is still good.
    /// - Throws: `wrongCode` for a code that is wrong, used or expired, and for a wrong purpose or
    ///   an unknown destination; `tooManyRequests` with `retryAfter` after too many wrong codes of
    ///   clients that show no challenge and asked for no code; the errors of `work` and of the
    ///   database.
    public func verify<Value: Sendable>(
        _ code: OneTimeCode, sentTo destination: CodeDestination, for purpose: CodePurpose,
        challenge: CodeChallenge? = nil, from address: ClientAddress? = nil,
        then work:
            @escaping @Sendable (any AccountTransaction, CodeRequest) async throws(AccountError) ->
            Value
    ) async throws(AccountError) -> Value {
        let value = try await database.transaction {
            (transaction) throws(AccountError) -> Value? in
            // A wrong code must be counted, so the transaction commits and the error is thrown
            // afterwards.
            guard
                let request = try await useUp(
                    code, sentTo: destination, for: purpose, challenge: challenge, from: address,
                    in: transaction)
            else { return nil }
            return try await work(transaction, request)
        }
        guard let value else {
            throw AccountError(
                .wrongCode, "This code is wrong, or no longer good. Please ask for a new one.")
        }
        return value
    }

    /// Uses a code up, and does nothing more in its transaction.
    ///
    /// - Throws: `wrongCode`, `tooManyRequests` and the database's errors, by the rules of
    ///   ``verify(_:sentTo:for:challenge:from:then:)``.
    public func verify(
        _ code: OneTimeCode, sentTo destination: CodeDestination, for purpose: CodePurpose,
        challenge: CodeChallenge? = nil, from address: ClientAddress? = nil
    ) async throws(AccountError) {
        _ = try await verify(
            code, sentTo: destination, for: purpose, challenge: challenge, from: address
        ) { (_, _) throws(AccountError) in true }
    }

    /// Counts the guess, and uses the code up if it is right.
    ///
    /// - Returns: the request whose code was right; nil for a wrong code.
    private func useUp(
        _ code: OneTimeCode, sentTo destination: CodeDestination, for purpose: CodePurpose,
        challenge: CodeChallenge?, from address: ClientAddress?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> CodeRequest? {
        let comparedCode = try await findComparedCode(
            at: destination, for: purpose, challenge: challenge, from: address, in: transaction)
        // Nothing is written for destinations that had no code lately: anyone can name millions.
        guard let found = comparedCode else { return nil }
        // Counted before the codes are compared, so that simultaneous guesses wait for each other.
        let mayCompare = try await countGuess(found, at: destination, in: transaction)
        guard mayCompare else { return nil }
        let guessMAC = try mac(
            code, challenge: found.request.challenge, sentTo: destination, for: purpose)
        let rows = try await transaction.run(
            Self.useStatement,
            values: [
                // Strangers do not use up the tries of a code.
                .integer(found.isOwn ? 1 : 0), .bytes(guessMAC),
                .bytes(found.request.challenge.bytes),
            ])
        let isRight = try rows.first?.integer(0) == 1
        guard isRight else { return nil }
        try await giveBackGuess(found, at: destination, in: transaction)
        return found.request
    }

    /// The code that a guess is compared with.
    private struct ComparedCode {
        let request: CodeRequest
        /// Whether the guess comes from the client that asked for the code, by its challenge or its
        /// address.
        let isOwn: Bool
        /// How the client of the code is known: as a device only if the guess shows the challenge.
        /// A guess without it from the device's address does not count against the device.
        let kind: CodeClient
        /// The guesses of that client so far.
        let tries: Int64
    }

    /// The live code of the challenge; without a challenge, the newest code that the address asked
    /// for, or else the newest of the destination. A code is live until it is used, has no tries
    /// left, or has ended.
    private func findComparedCode(
        at destination: CodeDestination, for purpose: CodePurpose, challenge: CodeChallenge?,
        from address: ClientAddress?, in transaction: any AccountTransaction
    ) async throws(AccountError) -> ComparedCode? {
        let asker = try askerKey(destination, from: address)  // an HMAC of the address
        let rows = try await transaction.run(
            Self.findStatement,
            values: [
                .bytes(try rowKey(of: destination, for: purpose)), .bytes(challenge?.bytes ?? []),
                .integer(challenge == nil ? 1 : 0), .integer(Int64(policy.tries)),
                .integer(Self.clockStep), .bytes(asker),
            ])
        guard let row = rows.first else { return nil }
        // The columns of the statement: the challenge of the code, that of its client's first
        // request, the address that asked, how the client is known, its guesses so far.
        let foundChallenge = CodeChallenge(bytes: try row.bytes(0))
        let client = CodeChallenge(bytes: try row.bytes(1))
        let isFromAsker = try row.bytes(2) == asker
        var kind = CodeClient(rawValue: try row.integer(3)) ?? .other
        let tries = try row.integer(4)
        if challenge == nil, kind == .knownDevice { kind = .knownAddress }
        return ComparedCode(
            request: CodeRequest(challenge: foundChallenge, client: client),
            isOwn: challenge != nil || isFromAsker, kind: kind, tries: tries)
    }

    /// Counts a guess as if it were wrong.
    ///
    /// - Returns: whether the guess may be compared. Once the limit of own wrong codes is reached, a
    ///   code has a single try.
    private func countGuess(
        _ found: ComparedCode, at destination: CodeDestination,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let wrong = wrongCodeLimit(against: found)
        guard found.isOwn else {
            try await limits.take(
                wrong.limit, name: wrong.name, for: .destination(destination), in: transaction)
            return true
        }
        // The first guess of the code's own client is compared whatever the limit says.
        guard found.tries > 0 else {
            try await limits.record(
                wrong.limit, name: wrong.name, for: .destination(destination), in: transaction)
            return true
        }
        return try await takeIfFree(
            wrong.limit, name: wrong.name, at: destination, in: transaction)
    }

    /// Takes back what ``countGuess(_:at:in:)`` counted, because the code was right.
    private func giveBackGuess(
        _ found: ComparedCode, at destination: CodeDestination,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let wrong = wrongCodeLimit(against: found)
        try await limits.giveBack(
            wrong.limit, name: wrong.name, for: .destination(destination), in: transaction)
    }

    /// A limit of wrong codes, and the name under which its uses count.
    typealias WrongCodeLimit = (limit: RateLimit, name: StaticString)

    private func wrongCodeLimit(against found: ComparedCode) -> WrongCodeLimit {
        guard found.isOwn else { return (policy.wrongCodes, "wrong codes") }
        return ownWrongCodeLimit(of: found.kind)
    }

    /// The limit of wrong codes against codes that their own clients asked for.
    func ownWrongCodeLimit(of kind: CodeClient) -> WrongCodeLimit {
        switch kind {
        case .other: (policy.wrongCodes, "wrong codes of other clients")
        case .knownAddress: (policy.wrongCodesOfKnown, "wrong codes of known clients")
        case .knownDevice: (policy.wrongCodesOfKnown, "wrong codes of known devices")
        }
    }

    /// The limits of wrong codes for a destination.
    var limitsOfGuesses: [RateLimits.Named] {
        let wrongCodes: [WrongCodeLimit] = [
            (policy.wrongCodes, "wrong codes"), ownWrongCodeLimit(of: .other),
            ownWrongCodeLimit(of: .knownAddress), ownWrongCodeLimit(of: .knownDevice),
        ]
        return wrongCodes.map { RateLimits.Named($0.limit, name: $0.name) }
    }

    /// The limits of codes that are sent to a destination, in the order in which
    /// OneTimeCodes+Sending takes them.
    var limitsOfMessages: [RateLimits.Named] {
        [
            .init(policy.sentToDevices, name: "codes sent to known devices"),
            .init(policy.sentToKnown, name: "codes sent to known clients"),
            .init(policy.sentToAll, name: "codes sent"),
            .init(policy.sentWhileGuessing, name: "codes while guessing"),
        ]
    }

    /// Removes codes that ended at least an hour ago. Call it now and then.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(ended)
    }

    package var ended: [EndedRows] { [EndedRows(database, statement: Self.sweepStatement)] }

    /// `$2` is the shown challenge. If none is shown, `$3` is 1, and every code of the destination
    /// fits. `$4` is the number of tries, `$5` `clockStep`, and `$6` names who guesses. `{now}` is
    /// the database's clock in milliseconds; `{lock}` holds the row until the transaction ends.
    private static let findStatement: SQLStatement = """
        SELECT challenge, client, asker, known, tries FROM signet_codes
        WHERE key = $1 AND (challenge = $2 OR CAST($3 AS {integer}) = 1)
            AND used = 0 AND tries < $4 AND ends_at > {now} AND sent_at <= {now} + $5
        ORDER BY CASE WHEN asker = $6 THEN 0 ELSE 1 END, sent_at DESC LIMIT 1 {lock}
        """
    /// The database compares HMACs, so the time that it takes tells nothing of the code.
    private static let useStatement: SQLStatement = """
        UPDATE signet_codes
        SET tries = tries + $1, used = CASE WHEN code = $2 THEN 1 ELSE 0 END
        WHERE challenge = $3 AND used = 0
        RETURNING used
        """
    /// Codes that ended an hour (3,600,000 ms) ago. `{free}` leaves out rows that another
    /// transaction has locked.
    private static let sweepStatement: SQLStatement = """
        WITH ended AS (
            SELECT challenge FROM signet_codes WHERE ends_at <= (SELECT {now} - 3600000)
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_codes
        WHERE challenge IN (SELECT challenge FROM ended) AND ends_at <= {now} - 3600000
        RETURNING 1
        """
}

extension AccountError.Code {
    /// A one-time code, or a code of a second factor, is wrong, used or at its end.
    public static var wrongCode: Self { Self(rawValue: "wrongCode") }
}
