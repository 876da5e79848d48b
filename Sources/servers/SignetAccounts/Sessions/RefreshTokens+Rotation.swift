// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension RefreshTokens {
    // A client presents its refresh token, and gets an access token and the next refresh token, the
    // successor: `let issued = try await sessions.rotate(text)`. All refresh tokens of one sign-in
    // are a family. For a short time after an exchange, the grace, a client that has lost the
    // response may present the same token again.
    //
    // The first of these cases that fits a presented token decides:
    // 1. It is the current token of a live session, or the second token beside it. It is exchanged
    //    for its successor (`exchange`).
    // 2. Its session is not alive, or its user banned, now or when it began: the session ends.
    // 3. It was exchanged, within the grace. It gets the same successor (`repeatExchange`).
    // 4. It was exchanged before the grace, and no successor was used. It gets a second successor,
    //    beside the first (`repeatExchange`): the response was lost, or a thief has the token.
    // 5. It was exchanged, and a successor was used. Two clients have the token, so the session
    //    ends.

    /// What a transaction decided. `expired`, `banned` and `reused` ended the session, and the
    /// transaction commits that: their errors are thrown afterwards.
    private enum Outcome<Tokens: Sendable>: Sendable {
        /// - Parameter isLate: whether the token was presented again after its grace.
        case exchanged(Tokens, isLate: Bool)
        case expired
        case banned
        case reused(AccountSession)
    }

    /// The row of a session, as `SessionStatements.ofFamily` reads it.
    private struct StoredSession {
        let session: AccountSession
        let isAlive: Bool
        private let currentHash: [UInt8]
        /// The hash of the second successor of the token before; nil if there is none.
        private let secondHash: [UInt8]?
        /// Whether its user is banned now.
        let isBanned: Bool

        init(_ row: SQLRow) throws(AccountError) {
            session = try AccountSession(row)  // columns 0 to 5
            currentHash = try row.bytes(6)
            isAlive = try row.integer(7) == 1
            secondHash = row.isNull(8) ? nil : try row.bytes(8)
            isBanned = try row.integer(9) == 1
        }

        /// Whether the token with this hash is one of those that were not used yet.
        func isUnused(_ hash: [UInt8]) -> Bool { hash == currentHash || isSecond(hash) }

        func isSecond(_ hash: [UInt8]) -> Bool { hash == secondHash }
    }

    /// Exchanges a refresh token for an access token and its successor.
    ///
    /// When this returns, the successor is on the disk. If it throws `unavailable`, `cancelled` or
    /// `outcomeUnknown`, the client must retry with the token that it has.
    ///
    /// - Parameters:
    ///   - presented: the text as received; any text is allowed.
    ///   - clientID: the client that the request names, as received; nil if it names none.
    /// - Throws: `invalidGrant`, `sessionExpired` and `refreshTokenReused`, after which the client
    ///   must sign in again, and `userBanned`: the public answer to all four is `invalid_grant`;
    ///   `missingClient`, `otherClient` and `tokenTooLarge`, after which the session goes on; the
    ///   database's errors.
    public func rotate(
        _ presented: String, clientID: String? = nil
    ) async throws(AccountError) -> IssuedTokens {
        let readClaims = claims
        return try await rotate(presented, clientID: clientID) {
            (session, transaction) async throws(AccountError)
                -> (claims: any Encodable & Sendable, value: Void) in
            (claims: try await readClaims(session, transaction), value: ())
        }.tokens
    }

    /// Exchanges a refresh token, with claims and an answer from a single read.
    ///
    /// - Parameter read: reads the claims of the access token and what the answer needs beside
    ///   them; it replaces ``Claims``. It runs in the transaction that rotates, once the rotation
    ///   has locked the session's row. In a later transaction, a failure would cost the client its
    ///   token.
    package func rotate<Value: Sendable>(
        _ presented: String, clientID: String? = nil,
        reading read:
            @escaping @Sendable (AccountSession, any AccountTransaction) async throws(AccountError)
            -> (claims: any Encodable & Sendable, value: Value)
    ) async throws(AccountError) -> (tokens: IssuedTokens, value: Value) {
        let token = try RefreshTokenValue(presented: presented)
        let outcome = try await database.transaction {
            (transaction) throws(AccountError) -> Outcome<(tokens: IssuedTokens, value: Value)> in
            switch try await self.exchangeOrEnd(token, of: clientID, in: transaction) {
            case .exchanged(let unissued, let isLate):
                let (claims, value) = try await read(unissued.session, transaction)
                let tokens = try self.issue(unissued, claims: claims)
                return .exchanged((tokens: tokens, value: value), isLate: isLate)
            case .expired: return .expired
            case .banned: return .banned
            case .reused(let session): return .reused(session)
            }
        }
        switch outcome {
        case .exchanged(let issued, let isLate):
            if isLate { options.onEvent(.lateRetry(issued.tokens.session)) }
            return issued
        case .expired:
            throw AccountError(.sessionExpired, "The session has expired. Sign in again.")
        case .banned: throw .userBanned
        case .reused(let session):
            options.onEvent(.reused(session))
            throw AccountError(
                .refreshTokenReused,
                "The refresh token was exchanged before: its session was ended. Sign in again.")
        }
    }

    /// Exchanges the token if it is current, repeats the exchange of a token that was used before,
    /// and ends the session if neither is allowed. Of another client nothing is written: what the
    /// transaction did is undone.
    private func exchangeOrEnd(
        _ token: RefreshTokenValue, of clientID: String?, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Outcome<UnissuedTokens> {
        if let unissued = try await exchange(token, in: transaction) {
            try unissued.session.check(clientID)
            return .exchanged(unissued, isLate: false)
        }
        // No longer the current token: used before, ended, expired, or never there.
        let family = SQLValue.bytes(try token.familyHash)
        let found = try await transaction.run(
            SessionStatements.ofFamily, values: [family] + lifetimes)
        guard let row = found.first else { throw .invalidGrant }
        let stored = try StoredSession(row)
        try stored.session.check(clientID)
        guard !stored.isBanned else {
            try await transaction.run(SessionStatements.endFamily, values: [family])
            return .banned
        }
        guard stored.isAlive else {
            try await transaction.run(SessionStatements.endFamily, values: [family])
            return .expired
        }
        if let outcome = try await repeatExchange(of: token, session: stored, in: transaction) {
            return outcome
        }
        if stored.isUnused(try token.hash) {
            // Alive and current, and yet not exchanged: the clock was set back in between.
            throw AccountError(.unavailable, "The database's clock was set back. Try again.")
        }
        try await transaction.run(SessionStatements.endFamily, values: [family])
        return .reused(stored.session)
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
        of token: RefreshTokenValue, session stored: StoredSession,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Outcome<UnissuedTokens>? {
        let id = SQLValue.text(stored.session.id)
        let hash = SQLValue.bytes(try token.hash)
        let found = try await transaction.run(
            SessionStatements.successor, values: [id, hash, grace])
        guard let used = found.first else { return nil }
        // Only the token itself opens its sealed successor.
        let successor = try token.open(try used.bytes(0))
        let isWithinGrace = try used.integer(1) == 1
        if isWithinGrace {
            return .exchanged(
                UnissuedTokens(session: stored.session, refreshToken: successor), isLate: false)
        }
        let successorHash = try successor.hash
        guard stored.isUnused(successorHash) else { return nil }
        // The same successor to every late retry, so that no retry makes the answer to an earlier
        // retry worthless.
        let second = stored.isSecond(successorHash) ? successor : try token.successor()
        let updated = try await transaction.run(
            SessionStatements.addSecond, values: [id, .bytes(try second.hash)])
        try await transaction.run(
            SessionStatements.keepSecond, values: [id, hash, .bytes(try token.seal(second))])
        let refreshed = try updated.first.map(AccountSession.init) ?? stored.session
        return .exchanged(
            UnissuedTokens(session: refreshed, refreshToken: second), isLate: true)
    }

    private var grace: SQLValue { .integer(options.grace.milliseconds) }
}
