// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity
internal import SignetJOSE
internal import SignetSignIn

/// Reads and changes this service's user data, always in a transaction of the caller.
struct GoTrueUsers: Sendable {
    let people: People
    let factors: SecondFactors
    let providers: GoTrueProviders
    let hooks: GoTrueHooks

    /// - Throws: `unknownUser`; `userBanned`, which only a person may be told who has proved to be
    ///   the user; the database's errors.
    func user(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> GoTrueUser {
        guard let row = try await transaction.run(Self.readUser, values: [.text(id)]).first else {
            throw .noUser
        }
        guard try row.integer(5) == 0 else { throw .userBanned }
        let identities = try await transaction.run(Self.listIdentities, values: [.text(id)])
            .map { (row) throws(AccountError) in try identity(row) }
        // Most users have none, and a refresh need not look.
        let mayHaveFactors = try row.integer(4) == 1
        return GoTrueUser(
            id: id, createdAt: try row.time(0), updatedAt: try row.time(2),
            signedInAt: try row.time(3), metadata: try GoTrueMetadata(stored: try row.text(1)),
            identities: identities,
            factors: mayHaveFactors ? try await factors.factors(of: id, in: transaction) : [])
    }

    /// Stores what a provider says about a person. What it says no more stays: Apple says a name
    /// once.
    func store(
        _ data: ProviderData, of identity: UserIdentity, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        let key = [identity.issuer, identity.subject].map(SQLValue.text)
        try await transaction.run(Self.setData, values: key + data.values)
    }

    private func identity(_ row: SQLRow) throws(AccountError) -> GoTrueIdentity {
        let identity = UserIdentity(issuer: try row.text(0), subject: try row.text(1))
        // Only a provider's identity has data, and only since its first sign-in with this version.
        let data = row.isNull(6) ? nil : try ProviderData(row, from: 3)
        return GoTrueIdentity(
            identity: identity, provider: providers.name(ofIssuer: identity.issuer),
            linkedAt: try row.time(2), data: data)
    }

    /// Records a sign-in. The metadata apply only if the user has no row of this service yet.
    func recordSignIn(
        _ id: String, metadata: String?, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(Self.signIn, values: [.text(id), .text(metadata ?? "{}")])
    }

    /// Merges metadata into the user's stored metadata.
    ///
    /// - Returns: false, with the stored metadata unchanged, if the result would be too large.
    func merge(
        _ metadata: GoTrueMetadata, of id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        // Write first, so that this transaction holds the row's lock from here on.
        let row = try await transaction.run(Self.touchStatement, values: [.text(id)]).first
        guard let row else {
            throw AccountError(.corrupt, "The database did not give back a user's metadata.")
        }
        let merged = try GoTrueMetadata(stored: try row.text(0)).merged(metadata)
        guard let text = merged.stored else { return false }
        try await transaction.run(Self.setMetadata, values: [.text(id), .text(text)])
        return true
    }

    /// Makes the present time the time of the user's last change.
    func touch(_ id: String, in transaction: any AccountTransaction) async throws(AccountError) {
        try await transaction.run(Self.touchStatement, values: [.text(id)])
    }

    /// Records how a session began.
    ///
    /// - Parameter earlier: the session whose factor counts in the new one too; nil for none.
    func recordBeginning(
        of session: AccountSession, by method: String, withFactorOf earlier: String?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> SessionBeginning {
        try SessionBeginning(
            await transaction.run(
                Self.addBeginning, values: [.text(session.id), .text(method), .text(earlier)]
            ).first,
            of: session)
    }

    /// Records that a second factor was shown in a session, which is at the assurance level 2 from
    /// now on, for as long as the user has the factor.
    func recordFactor(
        _ factorID: String, in session: AccountSession, transaction: any AccountTransaction
    ) async throws(AccountError) -> SessionBeginning {
        // For a session that began by a call of `RefreshTokens`.
        let unknown = try SessionBeginning(nil, of: session)
        return try SessionBeginning(
            await transaction.run(
                Self.addFactor,
                values: [
                    .text(session.id), .text(unknown.method), .integer(unknown.at * 1000),
                    .text(factorID),
                ]
            ).first, of: session)
    }

    /// When a second factor that the user still has was shown in a session, in seconds since 1970;
    /// nil for none.
    func factorTime(
        in sessionID: String, transaction: any AccountTransaction
    ) async throws(AccountError) -> Int64? {
        try await transaction.run(Self.factorOfSession, values: [.text(sessionID)]).first
            .map { (row) throws(AccountError) in try row.integer(0) / 1000 }
    }

    /// The user of a session, and the claims for its access tokens.
    func contents(
        of session: AccountSession, isRefresh: Bool, in transaction: any AccountTransaction
    ) async throws(AccountError) -> (claims: JSONValue, user: GoTrueUser) {
        let user = try await user(session.userID, in: transaction)
        let beginning = try SessionBeginning(
            await transaction.run(Self.beginning, values: [.text(session.id)]).first, of: session)
        let claims = try claims(
            of: user, session: session, beginning: beginning, isRefresh: isRefresh,
            in: transaction)
        return (claims, user)
    }

    /// The claims for an access token of a session that the hooks allow.
    ///
    /// - Throws: `hookUnasked` until they have.
    func claims(
        of user: GoTrueUser, session: AccountSession, beginning: SessionBeginning, isRefresh: Bool,
        in transaction: any AccountTransaction
    ) throws(AccountError) -> JSONValue {
        let own = try user.claims(of: session, beginning: beginning)
        return try hooks.claims(
            of: GoTrueHooks.Session(
                userID: user.id, isNewUser: HookedTransaction.isNew(user.id, in: transaction),
                isRefresh: isRefresh,
                methods: [beginning.factorMethod, beginning.method].compactMap { $0 },
                level: GoTrueUser.level(of: beginning)),
            addedTo: own, in: transaction)
    }

    /// The user of an identity, who is added if there is none: then the program adds its own rows.
    func findOrAdd(
        _ identity: UserIdentity, profile: ProfileValues = .init(),
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> People.Found {
        let found = try await people.findOrAdd(
            identity, profile: profile, newID: HookedTransaction.reservedID(in: transaction),
            in: transaction)
        if found.isNew {
            try await hooks.tell(of: found.user.id, with: identity, in: transaction)
        }
        return found
    }

    /// Adds a guest, and lets the program add its own rows.
    func addGuest(in transaction: any AccountTransaction) async throws(AccountError) -> String {
        let id = try await people.addGuest(
            newID: HookedTransaction.reservedID(in: transaction), in: transaction
        ).id
        try await hooks.tell(of: id, with: nil, in: transaction)
        return id
    }

    private static let readUser: SQLStatement = """
        SELECT u.added_at, COALESCE(g.metadata, '{}'), COALESCE(g.updated_at, u.added_at),
            COALESCE(g.signed_in_at, u.added_at),
            CASE WHEN EXISTS (SELECT 1 FROM signet_second_factors f WHERE f.user_id = u.id)
                THEN 1 ELSE 0 END,
            CASE WHEN u.banned_until > {now} THEN 1 ELSE 0 END
        FROM signet_users u LEFT JOIN signet_gotrue_users g ON g.user_id = u.id WHERE u.id = $1
        """
    /// The earliest first, as `People.identities(of:in:)`.
    private static let listIdentities: SQLStatement = """
        SELECT i.issuer, i.subject, i.linked_at, d.name, d.picture, d.email, d.email_verified
        FROM signet_identities i LEFT JOIN signet_gotrue_identities d
            ON d.issuer = i.issuer AND d.subject = i.subject
        WHERE i.user_id = $1 ORDER BY i.linked_at, i.issuer, i.subject LIMIT 1000
        """
    private static let setData: SQLStatement = """
        INSERT INTO signet_gotrue_identities
            (issuer, subject, name, picture, email, email_verified)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (issuer, subject) DO UPDATE SET
            name = COALESCE(excluded.name, signet_gotrue_identities.name),
            picture = COALESCE(excluded.picture, signet_gotrue_identities.picture),
            email_verified = CASE WHEN excluded.email IS NULL
                THEN signet_gotrue_identities.email_verified ELSE excluded.email_verified END,
            email = COALESCE(excluded.email, signet_gotrue_identities.email)
        """
    private static let signIn: SQLStatement = """
        INSERT INTO signet_gotrue_users (user_id, metadata, updated_at, signed_in_at)
        VALUES ($1, $2, {now}, {now}) ON CONFLICT (user_id) DO UPDATE SET signed_in_at = {now}
        """
    private static let touchStatement: SQLStatement = """
        INSERT INTO signet_gotrue_users (user_id, metadata, updated_at, signed_in_at)
        VALUES ($1, '{}', {now}, {now}) ON CONFLICT (user_id) DO UPDATE SET updated_at = {now}
        RETURNING metadata
        """
    private static let setMetadata: SQLStatement =
        "UPDATE signet_gotrue_users SET metadata = $2 WHERE user_id = $1"
    private static let addBeginning: SQLStatement = """
        INSERT INTO signet_gotrue_sessions (session_id, method, at, factor_id, factor_at)
        VALUES ($1, $2, {now},
            (SELECT factor_id FROM signet_gotrue_sessions WHERE session_id = $3),
            (SELECT factor_at FROM signet_gotrue_sessions WHERE session_id = $3))
        RETURNING method, at, factor_id, factor_at,
            (SELECT kind FROM signet_second_factors WHERE id = factor_id)
        """
    private static let beginning: SQLStatement = """
        SELECT method, at, factor_id, factor_at,
            (SELECT kind FROM signet_second_factors WHERE id = factor_id)
        FROM signet_gotrue_sessions WHERE session_id = $1
        """
    private static let addFactor: SQLStatement = """
        INSERT INTO signet_gotrue_sessions (session_id, method, at, factor_id, factor_at)
        VALUES ($1, $2, $3, $4, {now})
        ON CONFLICT (session_id) DO UPDATE SET factor_id = $4, factor_at = {now}
        RETURNING method, at, factor_id, factor_at,
            (SELECT kind FROM signet_second_factors WHERE id = factor_id)
        """
    private static let factorOfSession: SQLStatement = """
        SELECT factor_at FROM signet_gotrue_sessions
        WHERE session_id = $1 AND factor_id IS NOT NULL
        """
}
