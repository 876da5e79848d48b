// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

extension RefreshTokens {
    /// A user's live sessions, the last used first, at most 1,000.
    public func sessions(of userID: String) async throws(AccountError) -> [AccountSession] {
        guard (try? AccountUsers.check(userID)) != nil else { return [] }
        return try await database.read { (transaction) throws(AccountError) in
            try await self.sessions(of: userID, in: transaction)
        }
    }

    /// A user's live sessions, in a transaction that does more.
    func sessions(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> [AccountSession] {
        let rows = try await transaction.run(
            SessionStatements.list, values: [.text(userID)] + lifetimes)
        return try rows.map(AccountSession.init)
    }

    /// Ends a session of this user, and never another user's session.
    ///
    /// - Returns: whether the user had that session.
    @discardableResult
    public func end(_ sessionID: String, of userID: String) async throws(AccountError) -> Bool {
        try await end(SessionStatements.end, names: [sessionID, userID]) > 0
    }

    /// Ends all sessions of a user.
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func endAll(of userID: String) async throws(AccountError) -> Int {
        try await end(SessionStatements.endAllBut, names: [userID, Self.nameOfNoSession])
    }

    /// Ends all sessions of a user but the given session: "sign out everywhere else".
    ///
    /// - Returns: how many there were.
    @discardableResult
    public func endAll(
        of userID: String, except sessionID: String
    ) async throws(AccountError) -> Int {
        try await end(SessionStatements.endAllBut, names: [userID, sessionID])
    }

    /// Like ``endAll(of:except:)``, in a transaction that does more, such as changing a password.
    public func endAll(
        of userID: String, except sessionID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            SessionStatements.endAllBut, values: [.text(userID), .text(sessionID)])
    }

    /// Like ``endAll(of:)``, in a transaction that does more.
    func endAll(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Int {
        try await transaction.run(
            SessionStatements.endAllBut, values: [.text(userID), .text(Self.nameOfNoSession)]
        ).count
    }

    /// Ends the sessions that began beside a ban of the user, in the transaction that lifts it.
    func endBesideBan(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(SessionStatements.endBesideBan, values: [.text(userID)])
    }

    /// Ends the session of a token (RFC 7009): of a refresh token, current or earlier, or of an
    /// access token that has not expired. Any other text is not an error, unless it may be a token
    /// that this instance does not know yet (`SessionTokenIssuer.mayAcceptLater(_:refusedFor:)`).
    ///
    /// - Parameters:
    ///   - presented: the text as received.
    ///   - clientID: the client that the request names, as received; nil if it names none.
    /// - Throws: `missingClient` and `otherClient`, and the session goes on; `unavailable` with
    ///   `retryAfter` for an access token that cannot be verified yet; the database's errors.
    public func revoke(
        _ presented: String, clientID: String? = nil
    ) async throws(AccountError) {
        let statement: SQLStatement
        let names: [SQLValue]
        if let token = try? RefreshTokenValue(presented: presented) {
            statement = SessionStatements.endFamily
            names = [.bytes(try token.familyHash)]
        } else if let session = try session(ofAccessToken: presented), Self.mayExist(session) {
            statement = SessionStatements.end
            names = [.text(session.sessionID), .text(session.subject)]
        } else {
            return
        }
        try await database.transaction { (transaction) throws(AccountError) in
            for row in try await transaction.run(statement, values: names) {
                // The error undoes what the statement did.
                try AccountSession(row).check(clientID)
            }
        }
    }

    /// How often instances usually read the keys of the others.
    private static let keyPause = Duration.seconds(60)

    /// The session of an access token; nil if the text is no valid one.
    private func session(ofAccessToken text: String) throws(AccountError) -> VerifiedSession? {
        // Read once: meanwhile another task may take a new ring in.
        let issuer = issuer
        do { return try issuer.verify(text) } catch {
            // A client must not take the session for ended where it is not (RFC 7009, section
            // 2.2.1).
            guard error.code == .libraryFailure || issuer.mayAcceptLater(text, refusedFor: error)
            else { return nil }
            throw AccountError(
                .unavailable, retryAfter: Self.keyPause, underlying: error,
                "The access token cannot be verified now.")
        }
    }

    /// Deletes sessions whose lifetimes have ended, with their tokens. Call it every hour, for
    /// example. Nothing depends on it but the size of the database.
    public func sweep() async throws(AccountError) {
        try await EndedRows.delete(ended)
    }

    package var ended: [EndedRows] {
        [EndedRows(database, statement: SessionStatements.sweepSessions, values: lifetimes)]
    }

    /// No session has this name: with it as the exception, all sessions end.
    private static let nameOfNoSession = ""

    /// - Returns: how many sessions the statement ended.
    private func end(
        _ statement: SQLStatement, names: [String]
    ) async throws(AccountError) -> Int {
        // No name of ours has a zero byte, and no database takes one.
        guard !names.contains(where: { $0.utf8.contains(0) }) else { return 0 }
        return try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: names.map(SQLValue.text)).count
        }
    }
}
