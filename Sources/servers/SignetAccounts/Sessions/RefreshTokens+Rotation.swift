// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension RefreshTokens {
    /// What a transaction decided. The last two ended the session, and the transaction commits
    /// that: their errors are thrown afterwards.
    private enum Outcome<Tokens: Sendable>: Sendable {
        case exchanged(Tokens, isLate: Bool)
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
        let claims = claims
        return try await rotate(presented) {
            (session, transaction) async throws(AccountError)
                -> (claims: any Encodable & Sendable, value: Void) in
            (claims: try await claims(session, transaction), value: ())
        }.tokens
    }

    /// Exchanges a refresh token, with claims and an answer from a single read.
    ///
    /// - Parameter read: reads the claims of the access token and what the answer needs beside
    ///   them; it replaces ``Claims``. It runs in the transaction that rotates, once the rotation
    ///   has locked the session's row. In a later transaction, a failure would cost the client its
    ///   token.
    package func rotate<Value: Sendable>(
        _ presented: String,
        reading read:
            @escaping @Sendable (AccountSession, any AccountTransaction) async throws(AccountError)
            -> (claims: any Encodable & Sendable, value: Value)
    ) async throws(AccountError) -> (tokens: IssuedTokens, value: Value) {
        let token = try RefreshTokenValue(presented: presented)
        let outcome = try await database.transaction {
            (transaction) throws(AccountError) -> Outcome<(tokens: IssuedTokens, value: Value)> in
            switch try await self.rotate(token, in: transaction) {
            case .exchanged(let unissued, let isLate):
                let (claims, value) = try await read(unissued.session, transaction)
                let tokens = try self.issue(unissued, claims: claims)
                return .exchanged((tokens: tokens, value: value), isLate: isLate)
            case .expired: return .expired
            case .reused(let session): return .reused(session)
            }
        }
        switch outcome {
        case .exchanged(let issued, let isLate):
            if isLate { options.onEvent(.lateRetry(issued.tokens.session)) }
            return issued
        case .expired:
            throw AccountError(.sessionExpired, "The session has expired. Sign in again.")
        case .reused(let session):
            options.onEvent(.reused(session))
            throw AccountError(
                .refreshTokenReused,
                "The refresh token was exchanged before: its session was ended. Sign in again.")
        }
    }

    /// Exchanges the token if it is current, repeats the exchange of a token that was used before,
    /// and ends the session if neither is allowed.
    private func rotate(
        _ token: RefreshTokenValue, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Outcome<UnissuedTokens> {
        if let unissued = try await exchange(token, in: transaction) {
            return .exchanged(unissued, isLate: false)
        }
        // No longer the current token: used before, ended, expired, or never there.
        let family = SQLValue.bytes(try token.familyHash)
        let found = try await transaction.run(
            SessionStatements.ofFamily, values: [family] + lifetimes)
        guard let row = found.first else { throw .invalidGrant }
        let isAlive = try row.integer(6) == 1
        guard isAlive else {
            try await transaction.run(SessionStatements.endFamily, values: [family])
            return .expired
        }
        if let outcome = try await repeatExchange(of: token, session: row, in: transaction) {
            return outcome
        }
        let hash = try token.hash
        guard try !Self.unusedHashes(row).contains(hash) else {
            // Alive and current, and yet not exchanged: the clock was set back in between.
            throw AccountError(.unavailable, "The database's clock was set back. Try again.")
        }
        let session = try AccountSession(row)
        try await transaction.run(SessionStatements.endFamily, values: [family])
        return .reused(session)
    }

    /// Exchanges the token, if it is the current token of a session that is alive, or the second
    /// token beside it. A single statement decides, and makes the other token of the two worthless.
    private func exchange(
        _ token: RefreshTokenValue, in transaction: any AccountTransaction
    ) async throws(AccountError) -> UnissuedTokens? {
        let successor = try token.successor()
        let hash = SQLValue.bytes(try token.hash)
        let family = SQLValue.bytes(try token.familyHash)
        let rows = try await transaction.run(
            SessionStatements.rotate,
            values: [.bytes(try successor.hash), family, hash] + lifetimes)
        guard let row = rows.first else { return nil }
        let session = try AccountSession(row)
        try await transaction.run(
            SessionStatements.dropSuccessors, values: [.text(session.id), grace])
        try await transaction.run(
            SessionStatements.keepSuccessor,
            values: [.text(session.id), hash, .bytes(try token.seal(successor))])
        return UnissuedTokens(session: session, refreshToken: successor)
    }

    /// The outcome for a token that was exchanged before: within its grace the same successor,
    /// later a second successor beside the first. Nil if the token was never exchanged, and once a
    /// successor has been used: then only a thief still presents the token.
    private func repeatExchange(
        of token: RefreshTokenValue, session row: SQLRow, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Outcome<UnissuedTokens>? {
        let session = try AccountSession(row)
        let id = SQLValue.text(session.id)
        let hash = SQLValue.bytes(try token.hash)
        let found = try await transaction.run(
            SessionStatements.successor, values: [id, hash, grace])
        guard let used = found.first else { return nil }
        // Only the token itself opens its sealed successor.
        let successor = try token.open(try used.bytes(0))
        let isWithinGrace = try used.integer(1) == 1
        guard !isWithinGrace else {
            return .exchanged(
                UnissuedTokens(session: session, refreshToken: successor), isLate: false)
        }
        let successorHash = try successor.hash
        guard let position = try Self.unusedHashes(row).firstIndex(of: successorHash) else {
            return nil
        }
        // The same successor to every late retry, so that no retry makes the answer to an earlier
        // retry worthless.
        let isSecondAlready = position > 0
        let second = isSecondAlready ? successor : try token.successor()
        let updated = try await transaction.run(
            SessionStatements.addSecond, values: [id, .bytes(try second.hash)])
        try await transaction.run(
            SessionStatements.keepSecond, values: [id, hash, .bytes(try token.seal(second))])
        let refreshed = try updated.first.map(AccountSession.init) ?? session
        return .exchanged(
            UnissuedTokens(session: refreshed, refreshToken: second), isLate: true)
    }

    /// The hashes of a session's current token and, if there is one, of the second token: columns 5
    /// and 7 of `SessionStatements.ofFamily`.
    private static func unusedHashes(_ row: SQLRow) throws(AccountError) -> [[UInt8]] {
        row.isNull(7) ? [try row.bytes(5)] : [try row.bytes(5), try row.bytes(7)]
    }

    private var grace: SQLValue { .integer(options.grace.milliseconds) }
}
