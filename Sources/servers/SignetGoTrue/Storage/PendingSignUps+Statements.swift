// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

// `{now}` is the database's clock in milliseconds, and a request waits for an hour (3,600,000 ms).
// A row that ends later than in an hour and a minute (3,660,000 ms) was written before the clock
// was set back, and grants nothing. `{free}` leaves out rows that another transaction has locked.
extension PendingSignUps {
    static let pending: SQLStatement = """
        SELECT COALESCE(MAX(creates), 0) FROM signet_gotrue_pending
        WHERE key = $1 AND ends_at > {now}
            AND (CAST($2 AS {integer}) = 0 OR session_id IS NOT NULL)
        """
    static let putStatement: SQLStatement = """
        INSERT INTO signet_gotrue_pending (request, client, key, creates, user_id, hash, metadata,
            session_id, contested, ends_at)
        VALUES ($1, $1, $2, $3, $4, $5, $6, (SELECT id FROM signet_sessions WHERE id = $7), 0,
            {now} + 3600000)
        """
    /// Corrects all requests of the client that sent the request `$2`; none if `$2` is null.
    static let correctStatement: SQLStatement = """
        UPDATE signet_gotrue_pending SET
            creates = CASE WHEN creates = 1 THEN 1 ELSE CAST($3 AS {integer}) END,
            hash = CASE WHEN CAST($6 AS {integer}) = 1 THEN NULL ELSE COALESCE($4, hash) END,
            metadata = COALESCE($5, metadata), ends_at = {now} + 3600000
        WHERE key = $1 AND ends_at > {now} AND client = (
            SELECT client FROM signet_gotrue_pending
            WHERE request = $2 AND key = $1 AND ends_at > {now})
        """
    /// Adds a further code of the same request.
    static let follow: SQLStatement = """
        INSERT INTO signet_gotrue_pending (request, client, key, creates, user_id, hash, metadata,
            session_id, contested, ends_at)
        SELECT CAST($1 AS {bytes}), client, key, creates, user_id, hash, metadata, session_id, 0,
            ends_at
        FROM signet_gotrue_pending WHERE request = $2 AND key = $3 AND ends_at > {now}
        RETURNING creates
        """
    /// Keeps a single row, whose `contested` is 2, for all requests that are refused under a key,
    /// with what they agree on. If `$7` is 0, only where a request waits under that key; never for
    /// a client whose own request waits.
    static let recordRefusalStatement: SQLStatement = """
        INSERT INTO signet_gotrue_pending (request, client, key, creates, user_id, hash, metadata,
            contested, ends_at)
        SELECT CAST($1 AS {bytes}), CAST($1 AS {bytes}), CAST($2 AS {bytes}), 0,
            (SELECT id FROM signet_users WHERE id = $4), CAST($5 AS TEXT), CAST($6 AS TEXT), 2,
            {now} + 3600000
        WHERE (CAST($7 AS {integer}) = 1 OR EXISTS (
                SELECT 1 FROM signet_gotrue_pending WHERE key = $2 AND ends_at > {now}))
            AND NOT EXISTS (
                SELECT 1 FROM signet_gotrue_pending
                WHERE request = $3 AND key = $2 AND ends_at > {now})
        ON CONFLICT (request) DO UPDATE SET
            user_id = CASE WHEN signet_gotrue_pending.ends_at <= {now}
                OR signet_gotrue_pending.user_id = excluded.user_id THEN excluded.user_id END,
            hash = CASE WHEN signet_gotrue_pending.ends_at <= {now}
                OR signet_gotrue_pending.hash = excluded.hash THEN excluded.hash END,
            metadata = CASE WHEN signet_gotrue_pending.ends_at <= {now}
                OR signet_gotrue_pending.metadata = excluded.metadata THEN excluded.metadata END,
            ends_at = {now} + 3600000
        """
    /// Reads a client's refusals beyond the refusals recorded by destination. The row stays.
    static let clientRefusals: SQLStatement = """
        SELECT request, creates, user_id, hash, metadata, session_id, contested, 1
        FROM signet_gotrue_pending
        WHERE key = $1 AND ends_at > {now} AND ends_at <= {now} + 3660000
        """
    static let prolong: SQLStatement = """
        UPDATE signet_gotrue_pending SET ends_at = {now} + 3600000
        WHERE key = $1 AND ends_at > {now} AND (
            client = (
                SELECT client FROM signet_gotrue_pending
                WHERE request = $2 AND key = $1 AND ends_at > {now})
            OR (SELECT COUNT(DISTINCT client) FROM signet_gotrue_pending
                WHERE key = $1 AND ends_at > {now}) = 1)
        """
    static let endStatement: SQLStatement =
        "UPDATE signet_gotrue_pending SET session_id = NULL WHERE user_id = $1"
    static let hashStatement: SQLStatement = """
        SELECT DISTINCT hash FROM signet_gotrue_pending
        WHERE key = $1 AND ends_at > {now} AND hash IS NOT NULL LIMIT 2
        """
    static let takeStatement: SQLStatement = """
        DELETE FROM signet_gotrue_pending WHERE key = $1 AND ends_at > {now}
        RETURNING request, creates, user_id, hash, metadata, session_id, contested,
            CASE WHEN ends_at <= {now} + 3660000 THEN 1 ELSE 0 END
        """
    /// Also deletes the rows of a clock that was set back since. They grant nothing, but would
    /// block every request that disagrees for as long as the clock was wrong by.
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT request FROM signet_gotrue_pending
            WHERE ends_at <= (SELECT {now}) OR ends_at > (SELECT {now} + 3660000)
            LIMIT 500 {free})
        DELETE FROM signet_gotrue_pending
        WHERE request IN (SELECT request FROM ended)
            AND (ends_at <= {now} OR ends_at > {now} + 3660000)
        RETURNING 1
        """
}
