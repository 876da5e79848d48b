// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

/// Challenges of second factors: what a client asks for before it sends a code, and names with the
/// code. A challenge is of one factor and one session.
///
/// For a code of a device it holds nothing but its end. A kind of factor that signs a challenge
/// would find it here.
enum FactorChallenges {
    struct New: Sendable {
        let id: String
        /// Seconds since 1970, rounded down.
        let endsAt: Int64
    }

    enum State: Sendable {
        case alive, ended, unknown
    }

    /// Adds a challenge, and removes the session's ended ones.
    ///
    /// - Throws: `sessionEnded` if the session ends in between; the database's errors.
    static func make(
        for factorID: String, of session: VerifiedSession, in transaction: any AccountTransaction
    ) async throws(AccountError) -> New {
        let id = try Identifiers.uuid()
        try await transaction.run(deleteEnded, values: [.text(session.sessionID)])
        let rows: [SQLRow]
        do {
            rows = try await transaction.run(
                insert, values: [.text(id), .text(factorID), .text(session.sessionID)])
        } catch {
            throw error.code == .conflict
                ? AccountError(.sessionEnded, "The session has ended.") : error
        }
        guard let row = rows.first else {
            throw AccountError(.corrupt, "The database did not give back a new challenge.")
        }
        return New(id: id, endsAt: try row.integer(0) / 1000)
    }

    static func state(
        of id: String, factor factorID: String, session: VerifiedSession,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> State {
        let rows = try await transaction.run(
            find, values: [.text(id), .text(factorID), .text(session.sessionID)])
        guard let row = rows.first else { return .unknown }
        return try row.integer(0) == 1 ? .alive : .ended
    }

    // `{now}` is the database's clock in milliseconds. A challenge lives for five minutes, 300,000
    // ms, as GoTrue's. One that ends later than in six minutes was made before the clock was set
    // back, and has ended.
    private static let insert: SQLStatement = """
        INSERT INTO signet_gotrue_challenges (id, factor_id, session_id, ends_at)
        VALUES ($1, $2, $3, {now} + 300000)
        RETURNING ends_at
        """
    private static let find: SQLStatement = """
        SELECT CASE WHEN ends_at > {now} AND ends_at <= {now} + 360000 THEN 1 ELSE 0 END
        FROM signet_gotrue_challenges WHERE id = $1 AND factor_id = $2 AND session_id = $3
        """
    private static let deleteEnded: SQLStatement =
        "DELETE FROM signet_gotrue_challenges WHERE session_id = $1 AND ends_at <= {now} - 300000"
    // For a sweep. `{free}` leaves out rows that another transaction has locked.
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT id FROM signet_gotrue_challenges WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_gotrue_challenges
        WHERE id IN (SELECT id FROM ended) AND ends_at <= {now}
        RETURNING 1
        """

    /// A session is at level 2 while it has a factor: removing the factor, by whichever call, takes
    /// it back to level 1.
    static let step = SchemaStep(
        "gotrue/factors.1",
        statements: [
            """
            ALTER TABLE signet_gotrue_sessions ADD COLUMN
                factor_id TEXT REFERENCES signet_second_factors (id) ON DELETE SET NULL
            """,
            "ALTER TABLE signet_gotrue_sessions ADD COLUMN factor_at {integer}",
            """
            CREATE INDEX signet_gotrue_sessions_by_factor ON signet_gotrue_sessions (factor_id)
            """,
            """
            CREATE TABLE signet_gotrue_challenges (
                id TEXT NOT NULL PRIMARY KEY,
                factor_id TEXT NOT NULL REFERENCES signet_second_factors (id) ON DELETE CASCADE,
                session_id TEXT NOT NULL REFERENCES signet_sessions (id) ON DELETE CASCADE,
                ends_at {integer} NOT NULL) {strict}
            """,
            "CREATE INDEX signet_gotrue_challenges_by_end ON signet_gotrue_challenges (ends_at)",
            """
            CREATE INDEX signet_gotrue_challenges_by_factor
                ON signet_gotrue_challenges (factor_id)
            """,
            """
            CREATE INDEX signet_gotrue_challenges_by_session
                ON signet_gotrue_challenges (session_id)
            """,
        ])
}
