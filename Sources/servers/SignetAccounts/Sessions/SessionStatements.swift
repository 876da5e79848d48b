// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The statements on sessions. The row of the session comes first in each transaction, so that two
/// transactions wait for each other in the same order.
///
/// `{now}` is the database's clock in milliseconds. A session is alive while `{now}` is before
/// `refreshed_at` + idle and `begun_at` + absolute, and no ban of its user ends after its beginning
/// or after `{now}`. A ban deletes the user's sessions; the condition is for those that servers of
/// the version before begin, which know no ban: they stay ended when the ban is over. With `{now}`
/// in it PostgreSQL looks the user up by the key, and joins no tables.
enum SessionStatements {
    static let steps = [
        SchemaStep(
            "sessions.1",
            statements: [
                """
                CREATE TABLE signet_sessions (
                    id TEXT NOT NULL PRIMARY KEY,
                    user_id TEXT NOT NULL REFERENCES signet_users (id) ON DELETE CASCADE,
                    device TEXT,
                    family_hash {bytes} NOT NULL UNIQUE,
                    current_hash {bytes} NOT NULL,
                    begun_at {integer} NOT NULL,
                    refreshed_at {integer} NOT NULL) {strict}
                """,
                "CREATE INDEX signet_sessions_user ON signet_sessions (user_id)",
                // Parents of current tokens, and tokens within their grace. The use of any other
                // earlier token shows by its family.
                """
                CREATE TABLE signet_used_refresh_tokens (
                    session_id TEXT NOT NULL REFERENCES signet_sessions (id) ON DELETE CASCADE,
                    hash {bytes} NOT NULL,
                    used_at {integer} NOT NULL,
                    sealed_successor {bytes} NOT NULL,
                    PRIMARY KEY (session_id, hash)) {strict}
                """,
                """
                CREATE INDEX signet_used_refresh_tokens_at
                ON signet_used_refresh_tokens (used_at)
                """,
            ]),
        SchemaStep(
            "sessions.2",
            statements: [
                // The token that a late retry of the parent got, beside the current token: the
                // first of the two to be used wins.
                "ALTER TABLE signet_sessions ADD COLUMN second_hash {bytes}",
                // A parent stays as long as its session, so nothing is swept by its time.
                "DROP INDEX signet_used_refresh_tokens_at",
            ]),
        SchemaStep(
            "sessions.3",
            // The client that alone refreshes and revokes the session; null for any.
            statements: ["ALTER TABLE signet_sessions ADD COLUMN client_id TEXT"]),
    ]

    /// Holds the user: a ban waits for the new session, and ends it, or is seen here. No row for a
    /// banned user, and for an unknown one.
    static let begin: SQLStatement = """
        INSERT INTO signet_sessions
            (id, user_id, device, family_hash, current_hash, client_id, begun_at, refreshed_at)
        SELECT CAST($1 AS TEXT), id, CAST($3 AS TEXT), CAST($4 AS {bytes}), CAST($5 AS {bytes}),
            CAST($6 AS TEXT), {now}, {now}
        FROM signet_users
        WHERE id = $2 AND (banned_until IS NULL OR banned_until <= {now}) {lock}
        RETURNING id, user_id, device, begun_at, refreshed_at, client_id
        """
    static let rotate: SQLStatement = """
        UPDATE signet_sessions SET current_hash = $1, second_hash = NULL, refreshed_at = {now}
        WHERE family_hash = $2 AND (current_hash = $3 OR second_hash = $3)
            AND {now} < refreshed_at + $4 AND {now} < begun_at + $5
            AND NOT EXISTS (SELECT 1 FROM signet_users
                WHERE signet_users.id = signet_sessions.user_id
                    AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
        RETURNING id, user_id, device, begun_at, refreshed_at, client_id
        """
    static let keepSuccessor: SQLStatement = """
        INSERT INTO signet_used_refresh_tokens (session_id, hash, used_at, sealed_successor)
        VALUES ($1, $2, {now}, $3)
        """
    /// Runs before the parent of the new token is kept: every token here that is out of its grace
    /// has a successor that was used.
    static let dropSuccessors: SQLStatement = """
        DELETE FROM signet_used_refresh_tokens
        WHERE session_id = $1 AND ({now} >= used_at + $2 OR used_at >= {now} + $2)
        """
    /// Locks the session, whether it is alive or not: no other call can rotate, end or prolong it
    /// from here on. It ends with 1 for a user who is banned now.
    static let ofFamily: SQLStatement = """
        SELECT id, user_id, device, begun_at, refreshed_at, client_id, current_hash,
            CASE WHEN {now} < refreshed_at + $2 AND {now} < begun_at + $3
                AND NOT EXISTS (SELECT 1 FROM signet_users
                    WHERE signet_users.id = signet_sessions.user_id
                        AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
                THEN 1 ELSE 0 END,
            second_hash,
            CASE WHEN EXISTS (SELECT 1 FROM signet_users
                WHERE signet_users.id = signet_sessions.user_id AND banned_until > {now})
                THEN 1 ELSE 0 END
        FROM signet_sessions WHERE family_hash = $1 {lock}
        """
    /// Returns 1 within the grace, counted in either direction: otherwise a clock that was set back
    /// since would prolong a grace for as long as it was wrong by, and hide a thief.
    static let successor: SQLStatement = """
        SELECT sealed_successor,
            CASE WHEN {now} < used_at + $3 AND used_at < {now} + $3 THEN 1 ELSE 0 END
        FROM signet_used_refresh_tokens WHERE session_id = $1 AND hash = $2
        """
    /// A late retry is a use of the session, though no rotation: a client that loses each answer
    /// does not fall idle.
    static let addSecond: SQLStatement = """
        UPDATE signet_sessions SET second_hash = $2, refreshed_at = {now} WHERE id = $1
        RETURNING id, user_id, device, begun_at, refreshed_at, client_id
        """
    static let keepSecond: SQLStatement = """
        UPDATE signet_used_refresh_tokens SET sealed_successor = $3, used_at = {now}
        WHERE session_id = $1 AND hash = $2
        """
    /// Gives a live session a new family: no earlier refresh token is of it any more.
    static let renew: SQLStatement = """
        UPDATE signet_sessions
        SET family_hash = $3, current_hash = $4, second_hash = NULL, refreshed_at = {now}
        WHERE id = $1 AND user_id = $2 AND {now} < refreshed_at + $5 AND {now} < begun_at + $6
            AND NOT EXISTS (SELECT 1 FROM signet_users
                WHERE signet_users.id = signet_sessions.user_id
                    AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
        RETURNING id, user_id, device, begun_at, refreshed_at, client_id
        """
    static let dropUsedTokens: SQLStatement =
        "DELETE FROM signet_used_refresh_tokens WHERE session_id = $1"
    static let endFamily: SQLStatement = """
        DELETE FROM signet_sessions WHERE family_hash = $1
        RETURNING id, user_id, device, begun_at, refreshed_at, client_id
        """
    static let end: SQLStatement = """
        DELETE FROM signet_sessions WHERE id = $1 AND user_id = $2
        RETURNING id, user_id, device, begun_at, refreshed_at, client_id
        """
    static let endAllBut: SQLStatement = """
        DELETE FROM signet_sessions WHERE user_id = $1 AND id <> $2 RETURNING id
        """
    /// Ends the sessions that servers of the version before have begun beside a ban.
    static let endBesideBan: SQLStatement = """
        DELETE FROM signet_sessions
        WHERE user_id = $1 AND EXISTS (SELECT 1 FROM signet_users
            WHERE signet_users.id = signet_sessions.user_id
                AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
        """
    static let alive: SQLStatement = """
        SELECT id FROM signet_sessions
        WHERE id = $1 AND user_id = $2
            AND {now} < refreshed_at + $3 AND {now} < begun_at + $4
            AND NOT EXISTS (SELECT 1 FROM signet_users
                WHERE signet_users.id = signet_sessions.user_id
                    AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
        """
    /// 1 for a session that began within `$5`. A session that began in the future began by a clock
    /// that has been set back since: it would stay recent for as long as that clock was wrong by.
    static let isRecent: SQLStatement = """
        SELECT CASE WHEN begun_at > {now} - $5 AND begun_at <= {now} + 60000 THEN 1 ELSE 0 END
        FROM signet_sessions
        WHERE id = $1 AND user_id = $2
            AND {now} < refreshed_at + $3 AND {now} < begun_at + $4
            AND NOT EXISTS (SELECT 1 FROM signet_users
                WHERE signet_users.id = signet_sessions.user_id
                    AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
        """
    static let list: SQLStatement = """
        SELECT id, user_id, device, begun_at, refreshed_at, client_id FROM signet_sessions
        WHERE user_id = $1 AND {now} < refreshed_at + $2 AND {now} < begun_at + $3
            AND NOT EXISTS (SELECT 1 FROM signet_users
                WHERE signet_users.id = signet_sessions.user_id
                    AND (banned_until > signet_sessions.begun_at OR banned_until > {now}))
        ORDER BY refreshed_at DESC, id LIMIT 1000
        """
    /// `{free}` leaves out rows that another transaction has locked.
    static let sweepSessions: SQLStatement = """
        WITH ended AS (
            SELECT id FROM signet_sessions
            WHERE refreshed_at <= (SELECT {now} - $1) OR begun_at <= (SELECT {now} - $2)
            LIMIT 500 {free})
        DELETE FROM signet_sessions
        WHERE id IN (SELECT id FROM ended)
            AND (refreshed_at <= {now} - $1 OR begun_at <= {now} - $2)
        RETURNING 1
        """
}
