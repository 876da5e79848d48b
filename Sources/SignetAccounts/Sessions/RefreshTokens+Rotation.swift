// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension RefreshTokens {
    private enum Outcome: Sendable {
        case issued(IssuedTokens)
        case expired
        case reused(AccountSession)
    }

    /// Exchanges a refresh token for an access token and its successor.
    ///
    /// When this returns, the successor is on the disk. If it throws `unavailable`, `cancelled` or
    /// `outcomeUnknown`, the client must retry with the token that it has.
    ///
    /// - Parameter presented: the text as received; any text is allowed.
    /// - Throws: `invalidGrant`, `sessionExpired` and `refreshTokenReused`, after which the client
    ///   must sign in again: the public answer to all three is `invalid_grant`; the database's
    ///   errors.
    public func rotate(_ presented: String) async throws(AccountError) -> IssuedTokens {
        try await rotate(presented) { (_, _) async throws(AccountError) in true }.tokens
    }

    /// The same, and reads what the answer needs in the same transaction: a failure in between
    /// would cost the client its token.
    package func rotate<Answer: Sendable>(
        _ presented: String,
        reading read:
            @escaping @Sendable (AccountSession, any AccountTransaction) async throws(AccountError)
            -> Answer
    ) async throws(AccountError) -> (tokens: IssuedTokens, answer: Answer) {
        let token = try RefreshTokenValue(presented: presented)
        let (outcome, answer) = try await database.transaction {
            (transaction) throws(AccountError) -> (Outcome, Answer?) in
            let outcome = try await self.rotate(token, transaction)
            guard case .issued(let tokens) = outcome else { return (outcome, nil) }
            return (outcome, try await read(tokens.session, transaction))
        }
        switch outcome {
        case .issued(let tokens):
            guard let answer else { throw .invalidGrant }
            return (tokens, answer)
        case .expired:
            throw AccountError(.sessionExpired, "The session has expired. Sign in again.")
        case .reused(let session):
            options.onEvent(.reused(session))
            throw AccountError(
                .refreshTokenReused,
                "The refresh token was exchanged before: its session was ended. Sign in again.")
        }
    }

    private func rotate(
        _ token: RefreshTokenValue, _ transaction: any AccountTransaction
    ) async throws(AccountError) -> Outcome {
        if let tokens = try await exchange(token, transaction) { return .issued(tokens) }
        // No longer the current one: used before, ended, expired, or never there.
        let family = SQLValue.bytes(try token.familyHash)
        let found = try await transaction.run(SessionStatements.ofFamily, [family] + lifetimes)
        guard let row = found.first else { throw .invalidGrant }
        guard try row.integer(6) == 1 else {
            try await transaction.run(SessionStatements.endFamily, [family])
            return .expired
        }
        let session = try AccountSession(row)
        if let successor = try await successor(of: token, session, transaction) {
            return .issued(try await issue(successor, session, transaction))
        }
        guard try row.bytes(5) != token.hash else {
            // Alive and current, and yet not exchanged: the clock was set back in between.
            throw AccountError(.unavailable, "The database's clock was set back. Try again.")
        }
        try await transaction.run(SessionStatements.endFamily, [family])
        return .reused(session)
    }

    /// The exchange, if the token is the current one of a session that is alive: decided by one
    /// statement.
    private func exchange(
        _ token: RefreshTokenValue, _ transaction: any AccountTransaction
    ) async throws(AccountError) -> IssuedTokens? {
        let successor = try token.successor()
        let (hash, family) = (SQLValue.bytes(try token.hash), SQLValue.bytes(try token.familyHash))
        let rows = try await transaction.run(
            SessionStatements.rotate, [.bytes(try successor.hash), family, hash] + lifetimes)
        guard let row = rows.first else { return nil }
        let session = try AccountSession(row)
        // Those whose grace has ended, while the row is in hand.
        try await transaction.run(
            SessionStatements.dropSuccessors, [.text(session.id), grace])
        try await transaction.run(
            SessionStatements.keepSuccessor,
            [.text(session.id), hash, .bytes(try token.seal(successor))])
        return try await issue(successor, session, transaction)
    }

    /// What the token was exchanged for, within its grace: only the token itself opens it.
    private func successor(
        of token: RefreshTokenValue, _ session: AccountSession,
        _ transaction: any AccountTransaction
    ) async throws(AccountError) -> RefreshTokenValue? {
        let rows = try await transaction.run(
            SessionStatements.successor, [.text(session.id), .bytes(try token.hash), grace])
        return try rows.first.map { (row) throws(AccountError) in
            try token.open(try row.bytes(0))
        }
    }

    private var grace: SQLValue { .integer(options.grace.wholeMilliseconds) }
}
