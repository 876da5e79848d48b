// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

/// What a pending code will do when it is verified. Stored beside the code, and rewritten with the
/// next one.
///
/// Two people who ask for one destination within an hour cannot be told apart. If they want
/// different passwords, or the destination for different accounts, neither request is granted: the
/// code still signs in the person who enters it, but sets no password. This also holds if the
/// second request came too soon to be sent a code, because its sender may enter the first one's.
///
/// A change that a session asked for ends with the session, so signing out everywhere or setting a
/// new password also ends what a stolen session began. Its row stays, because it may be contested:
/// otherwise a stranger could hide a conflict by ending their own session or account.
struct PendingSignUps: Sendable {
    struct Row: Sendable {
        var creates = true
        var userID: String?
        /// The session that asked for it.
        var sessionID: String?
        var hash: String?
        var metadata: String?

        /// Of a sign-in or sign-up.
        init(creates: Bool = true, metadata: String? = nil) {
            (self.creates, self.metadata) = (creates, metadata)
        }

        /// Of a change that a session asks for.
        init(_ session: VerifiedSession) {
            (userID, sessionID) = (session.subject, session.sessionID)
        }
    }

    private let secret: AccountSecret

    init(_ secret: AccountSecret) { self.secret = secret }

    /// Writes it, in the transaction that makes the code.
    ///
    /// - Returns: whether it may make a user. Also true if only an earlier request that is still
    ///   pending may: a later one must not stop it.
    @discardableResult
    func put(
        _ row: Row, _ destination: CodeDestination, _ purpose: CodePurpose,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let values: [SQLValue] = [
            try key(destination, purpose), .integer(row.creates ? 1 : 0), .text(row.userID),
            .text(row.hash), .text(row.metadata), .text(row.sessionID),
        ]
        do throws(AccountError) {
            return try await transaction.run(Self.put, values).first?.integer(0) == 1
        } catch {
            // The session ended since the statement has found it; the user is held.
            throw error.code == .conflict
                ? AccountError(.sessionEnded, "The session has ended.") : error
        }
    }

    /// Records a request that was sent no code: a pending code must not grant it to another person.
    func contest(
        _ row: Row, _ destination: CodeDestination, _ purpose: CodePurpose,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(
            Self.contest,
            [try key(destination, purpose), .text(row.userID), .text(row.hash)])
    }

    /// Keeps what is pending for the next code. A session's request keeps its time, and so does a
    /// contested one: otherwise a stranger could hold it open by repeated requests.
    ///
    /// - Returns: whether there was something that may make, or change, a user.
    func prolong(
        _ destination: CodeDestination, _ purpose: CodePurpose,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let rows = try await transaction.run(
            Self.prolong, [try key(destination, purpose), .integer(Self.needsSession(purpose))])
        return try rows.first?.integer(0) == 1
    }

    /// Ends what the sessions of a user asked for. Asking again is no conflict.
    static func end(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(end, [.text(userID)])
    }

    /// The password that waits for its code.
    func hash(
        _ destination: CodeDestination, in transaction: any AccountTransaction
    ) async throws(AccountError) -> String? {
        let rows = try await transaction.run(Self.hash, [try key(destination, .signIn)])
        guard let row = rows.first, !row.isNull(0) else { return nil }
        return try row.text(0)
    }

    /// Takes it, once.
    func take(
        _ destination: CodeDestination, _ purpose: CodePurpose,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Row? {
        let rows = try await transaction.run(
            Self.take, [try key(destination, purpose), .integer(Self.needsSession(purpose))])
        guard let row = rows.first else { return nil }
        var found = Row(creates: try row.integer(0) == 1)
        guard try row.integer(4) == 0 else { return found }
        found.userID = row.isNull(1) ? nil : try row.text(1)
        found.hash = row.isNull(2) ? nil : try row.text(2)
        found.metadata = row.isNull(3) ? nil : try row.text(3)
        return found
    }

    private func key(
        _ destination: CodeDestination, _ purpose: CodePurpose
    ) throws(AccountError) -> SQLValue {
        let kind = UserIdentity(destination).issuer
        return .bytes(
            try secret.code(
                "gotrue pending",
                [Array(purpose.name.utf8), Array(kind.utf8), Array(destination.exposedText.utf8)]))
    }

    /// 1 for what a session has asked for, and ends with it.
    private static func needsSession(_ purpose: CodePurpose) -> Int64 {
        purpose == .newDestination ? 1 : 0
    }

    // If a clock is set back, none lives more than a minute longer.
    private static let put: SQLStatement = """
        INSERT INTO signet_gotrue_pending
            (key, creates, user_id, hash, metadata, session_id, contested, ends_at)
        VALUES ($1, $2, $3, $4, $5, (SELECT id FROM signet_sessions WHERE id = $6), 0,
            {now} + 3600000)
        ON CONFLICT (key) DO UPDATE SET
            contested = CASE WHEN signet_gotrue_pending.ends_at > {now} AND (
                    signet_gotrue_pending.contested = 1
                    OR COALESCE(signet_gotrue_pending.user_id, '') <> COALESCE($3, '')
                    OR COALESCE(signet_gotrue_pending.hash, '') <> COALESCE($4, ''))
                THEN 1 ELSE 0 END,
            creates = CASE WHEN signet_gotrue_pending.ends_at > {now}
                AND signet_gotrue_pending.creates = 1 THEN 1 ELSE $2 END,
            user_id = $3, hash = $4, metadata = $5, session_id = excluded.session_id,
            ends_at = {now} + 3600000
        RETURNING creates
        """
    private static let contest: SQLStatement = """
        UPDATE signet_gotrue_pending SET contested = 1
        WHERE key = $1 AND ends_at > {now} AND contested = 0
            AND (COALESCE(user_id, '') <> COALESCE($2, '') OR COALESCE(hash, '') <> COALESCE($3, ''))
        """
    // Not `IS NOT NULL`: in `RETURNING` on a strict table SQLite 3.40.1 answers 1 for a null.
    private static let prolong: SQLStatement = """
        UPDATE signet_gotrue_pending SET ends_at = CASE
            WHEN contested = 1 OR CAST($2 AS {integer}) = 1 THEN ends_at ELSE {now} + 3600000 END
        WHERE key = $1 AND ends_at > {now}
        RETURNING CASE WHEN CAST($2 AS {integer}) = 0 OR COALESCE(session_id, '') <> ''
            THEN creates ELSE 0 END
        """
    private static let end: SQLStatement =
        "UPDATE signet_gotrue_pending SET session_id = NULL WHERE user_id = $1"
    private static let hash: SQLStatement =
        "SELECT hash FROM signet_gotrue_pending WHERE key = $1 AND ends_at > {now}"
    private static let take: SQLStatement = """
        DELETE FROM signet_gotrue_pending
        WHERE key = $1 AND ends_at > {now} AND ends_at <= {now} + 3660000
            AND (CAST($2 AS {integer}) = 0 OR session_id IS NOT NULL)
        RETURNING creates, user_id, hash, metadata, contested
        """
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT key FROM signet_gotrue_pending WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_gotrue_pending
        WHERE key IN (SELECT key FROM ended) AND ends_at <= {now}
        RETURNING 1
        """
}

extension SQLValue {
    /// A text, or nothing.
    static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}
