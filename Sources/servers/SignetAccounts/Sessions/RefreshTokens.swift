// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetIdentity
internal import SignetJOSE

/// Server-side sessions, and their refresh tokens (RFC 6749, section 6; RFC 9700, section 4.14.2).
///
/// ```swift
/// let sessions = try RefreshTokens(database: accounts, issuer: issuer, options: options)
/// // After a sign-in: the user and the session, together or not at all.
/// let issued = try await accounts.transaction { (transaction) throws(AccountError) in
///     try await AccountUsers.add("user-1093", in: transaction)
///     return try await sessions.begin(for: "user-1093", device: "Pixel 9", in: transaction)
/// }
/// print("expires in", issued.expiresIn, "seconds")
/// // POST /token: what the client sent, and the next pair.
/// let next = try await sessions.rotate(issued.refreshToken)
/// ```
///
/// A refresh token is 256 random bits; the database stores only a hash. It is exchanged once, for
/// an access token and its successor. If several exchanges run at once, one takes place, and all
/// others get the same successor, as does a client that missed the response and asks again within
/// the grace.
///
/// A lost response never ends a session: a client that asks again later, however late, gets a
/// second successor beside the first, as long as neither has been used. Every later retry returns
/// that second successor again. The first of the two to be used wins. Presenting the losing
/// successor, or, after its grace, the token itself once more, ends the session: one of its two
/// holders is a thief.
///
/// A session ends by its lifetimes, by ``end(_:of:)`` and similar calls, by reuse, by a ban of its
/// user, and with its user. Its access tokens are valid until they expire, unless ``SessionCutOff`` checks them too.
public final class RefreshTokens: Sendable {
    /// Reads the claims that the application adds to an access token (RFC 9068, section 2.2.3), in
    /// the transaction of the sign-in or refresh, which waits for it.
    public typealias Claims =
        @Sendable (AccountSession, any AccountTransaction) async throws(AccountError) ->
        any Encodable & Sendable

    let database: any AccountDatabase
    let options: RefreshTokenOptions
    let claims: Claims
    /// The present issuer; a change of its keys replaces it.
    private let issuing: Locked<SessionTokenIssuer>

    /// Sessions in a database.
    ///
    /// - Parameters:
    ///   - database: where the rows are kept.
    ///   - issuer: issues the access tokens. Their lifetime is at most the idle lifetime; an hour
    ///     is usual (`.seconds(3600)`).
    ///   - options: the lifetimes, the grace, and the receiver of events.
    ///   - claims: reads the application's claims (``Claims``); none by default.
    /// - Throws: `invalidParameter` for an option, or a lifetime of access tokens, out of range.
    public init(
        database: any AccountDatabase, issuer: SessionTokenIssuer,
        options: RefreshTokenOptions = .init(),
        claims: @escaping Claims = { _, _ in [String: String]() }
    ) throws(AccountError) {
        try options.check()
        try Self.check(issuer, against: options)
        self.database = database
        self.options = options
        self.claims = claims
        issuing = Locked(issuer)
    }

    /// The present issuer of access tokens.
    public var issuer: SessionTokenIssuer { issuing.withLock { $0 } }

    /// Replaces the issuer of access tokens, for example after a rotation of keys.
    ///
    /// - Throws: `invalidParameter` for tokens that outlive a session.
    public func use(_ issuer: SessionTokenIssuer) throws(AccountError) {
        try Self.check(issuer, against: options)
        issuing.withLock { $0 = issuer }
    }

    private static func check(
        _ issuer: SessionTokenIssuer, against options: RefreshTokenOptions
    ) throws(AccountError) {
        guard issuer.lifetime <= options.idleLifetime else {
            throw AccountError(
                .invalidParameter,
                "The issuer's lifetime, \(issuer.lifetime), is over the sessions' idleLifetime, "
                    + "\(options.idleLifetime).")
        }
    }

    /// Begins a session of a user who has signed in.
    ///
    /// - Parameters:
    ///   - userID: a user that ``AccountUsers`` knows; the `sub` of access tokens.
    ///   - device: what the device calls itself, shown in lists; the first 100 scalars of it are
    ///     kept, without control characters.
    ///   - clientID: the client that alone may refresh and revoke the session, 1 to 255 characters
    ///     of printable ASCII; nil for any.
    /// - Throws: `unknownUser`; `userBanned` (``AccountSupport/ban(_:until:by:reason:)``);
    ///   `tokenTooLarge`, and `invalidParameter` for claims that do not encode, or a client's
    ///   identifier outside these bounds; the database's errors.
    public func begin(
        for userID: String, device: String? = nil, clientID: String? = nil
    ) async throws(AccountError) -> IssuedTokens {
        try await database.transaction { (transaction) throws(AccountError) in
            try await self.begin(
                for: userID, device: device, clientID: clientID, in: transaction)
        }
    }

    /// Begins a session like ``begin(for:device:clientID:)``, in a transaction that does more: it
    /// adds the user, consumes a code, or stores the application's own data about the session.
    ///
    /// - Parameters:
    ///   - userID: a user that ``AccountUsers`` knows; the `sub` of access tokens.
    ///   - device: what the device calls itself, shown in lists.
    ///   - clientID: the client that alone may refresh and revoke the session; nil for any.
    ///   - transaction: the transaction that it belongs to.
    public func begin(
        for userID: String, device: String? = nil, clientID: String? = nil,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> IssuedTokens {
        let begun = try await add(
            for: userID, device: device, clientID: clientID, in: transaction)
        let claims = try await claims(begun.session, transaction)
        return try issue(begun, claims: claims)
    }

    /// Adds a session of a user who has signed in. The caller writes what it keeps of the session,
    /// reads what the claims say, and calls ``issue(_:claims:)``, all in the same transaction.
    package func add(
        for userID: String, device: String?, clientID: String? = nil,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> UnissuedTokens {
        guard (try? AccountUsers.check(userID)) != nil else { throw .unknownUser }
        if let clientID { try Self.check(clientID: clientID) }
        let token = try RefreshTokenValue()
        let label = device.flatMap(AccountSession.label)  // the kept part of the device's text
        let values: [SQLValue] = [
            .text(try randomIdentifier()), .text(userID), label.map(SQLValue.text) ?? .null,
            .bytes(try token.familyHash), .bytes(try token.hash),
            clientID.map(SQLValue.text) ?? .null,
        ]
        var rows = try await transaction.run(SessionStatements.begin, values: values)
        if rows.isEmpty {
            if try await AccountUsers.isBanned(userID, in: transaction) { throw .userBanned }
            // The ban may have ended, or been lifted, between the two statements.
            rows = try await transaction.run(SessionStatements.begin, values: values)
        }
        guard let row = rows.first else { throw .unknownUser }
        return UnissuedTokens(session: try AccountSession(row), refreshToken: token)
    }

    /// RFC 6749, appendix A.1.
    private static func check(clientID: String) throws(AccountError) {
        guard (1...255).contains(clientID.utf8.count),
            clientID.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else {
            throw AccountError(
                .invalidParameter,
                "The identifier of a client is 1 to 255 characters of printable ASCII.")
        }
    }

    /// The answer to a client: signed before the commit, so that a token that cannot be issued
    /// costs no session.
    package func issue(
        _ unissued: UnissuedTokens, claims: any Encodable & Sendable
    ) throws(AccountError) -> IssuedTokens {
        let session = unissued.session
        do {
            let access = try issuer.issue(
                subject: session.userID, sessionID: session.id, claims: claims)
            return IssuedTokens(
                access: access, refreshToken: unissued.refreshToken.text, session: session)
        } catch {
            let cause = error.underlying
            if (cause as? TokenError)?.code == .tooLarge || (cause as? JSONError)?.code == .tooLarge
            {
                throw .tokenTooLarge(error)
            }
            throw AccountError(
                .invalidParameter, underlying: error,
                "The access token was not issued: \(messageOf: error)")
        }
    }

    /// The idle and the absolute lifetime in milliseconds, in the order of the statements.
    var lifetimes: [SQLValue] {
        [
            .integer(options.idleLifetime.milliseconds),
            .integer(options.absoluteLifetime.milliseconds),
        ]
    }
}

extension AccountError {
    static var unknownUser: AccountError {
        AccountError(.unknownUser, "The user does not exist: deleted, or never added.")
    }
}
