// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The statements of ``AccountSupport``. `{now}` is the database's clock in milliseconds. A ban that
/// ends now has ended.
enum SupportStatements {
    static let steps = [
        SchemaStep(
            "support.1",
            statements: [
                // It refers to no user: what was done stays on record when the user is deleted.
                """
                CREATE TABLE signet_support_events (
                    id TEXT NOT NULL PRIMARY KEY, at {integer} NOT NULL, user_id TEXT,
                    act TEXT NOT NULL, actor TEXT NOT NULL, reason TEXT NOT NULL) {strict}
                """,
                "CREATE INDEX signet_support_events_by_time ON signet_support_events (at, id)",
                """
                CREATE INDEX signet_support_events_by_user
                ON signet_support_events (user_id, at, id)
                """,
            ])
    ]

    static let find: SQLStatement = """
        SELECT added_at, CASE WHEN banned_until > {now} THEN banned_until END,
            (SELECT count(*) FROM signet_gotrue_passwords WHERE user_id = signet_users.id),
            (SELECT count(*) FROM signet_recovery_codes WHERE user_id = signet_users.id)
        FROM signet_users WHERE id = $1
        """
    static let list: SQLStatement = """
        SELECT u.id, u.added_at, CASE WHEN u.banned_until > {now} THEN u.banned_until END,
            p.email, p.email_verified, p.phone
        FROM signet_users u LEFT JOIN signet_profiles p ON p.user_id = u.id
        WHERE u.id > $1 ORDER BY u.id LIMIT $2
        """
    /// No row if the ban would have ended already.
    static let ban: SQLStatement = """
        UPDATE signet_users SET banned_until = $2 WHERE id = $1 AND $2 > {now} RETURNING id
        """
    static let liftBan: SQLStatement =
        "UPDATE signet_users SET banned_until = NULL WHERE id = $1"
    static let addEvent: SQLStatement = """
        INSERT INTO signet_support_events (id, at, user_id, act, actor, reason)
        VALUES ($1, {now}, $2, $3, $4, $5)
        """
    static let events: SQLStatement = """
        SELECT id, at, user_id, act, actor, reason FROM signet_support_events
        WHERE at < $1 OR (at = $1 AND id < $2) ORDER BY at DESC, id DESC LIMIT $3
        """
    static let eventsOfUser: SQLStatement = """
        SELECT id, at, user_id, act, actor, reason FROM signet_support_events
        WHERE user_id = $4 AND (at < $1 OR (at = $1 AND id < $2))
        ORDER BY at DESC, id DESC LIMIT $3
        """
    /// Events of more than 400 days, 34,560,000,000 ms, ago: a year, and the time to look at it.
    /// `{free}` leaves out rows that another transaction has locked.
    static let sweepEvents: SQLStatement = """
        WITH ended AS (
            SELECT id FROM signet_support_events WHERE at <= (SELECT {now} - 34560000000)
            ORDER BY at LIMIT 500 {free})
        DELETE FROM signet_support_events
        WHERE id IN (SELECT id FROM ended) AND at <= {now} - 34560000000
        RETURNING 1
        """
}
