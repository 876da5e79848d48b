// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The statements on second factors and recovery codes.
///
/// `{now}` is the database's clock in milliseconds; `{lock}` holds the row until the transaction's
/// end. An unconfirmed factor lives for ten minutes, 600,000 ms. One that was added more than a
/// minute from now was added by a clock that has been set back since, and has ended.
enum FactorStatements {
    static let add: SQLStatement = """
        INSERT INTO signet_second_factors
            (id, user_id, name, kind, sealed, confirmed, last_step, added_at, changed_at)
        VALUES ($1, $2, $3, $4, $5, 0, -1, {now}, {now})
        RETURNING id, name, kind, confirmed, added_at, changed_at
        """
    static let list: SQLStatement = """
        SELECT id, name, kind, confirmed, added_at, changed_at FROM signet_second_factors
        WHERE user_id = $1 AND (confirmed = 1
            OR (added_at > {now} - 600000 AND added_at <= {now} + 60000))
        ORDER BY added_at, id
        """
    /// The factors of a user to compare a code with: all of the kind of codes that are confirmed
    /// or, with 0, that are not.
    static let find: SQLStatement = """
        SELECT id, name, kind, confirmed, added_at, changed_at, sealed, last_step, {now}
        FROM signet_second_factors
        WHERE user_id = $1 AND kind = 'code' AND confirmed = $2 AND (confirmed = 1
            OR (added_at > {now} - 600000 AND added_at <= {now} + 60000))
        ORDER BY id {lock}
        """
    static let confirmed: SQLStatement =
        "SELECT id FROM signet_second_factors WHERE user_id = $1 AND confirmed = 1"
    /// Uses up a step, and confirms the factor if it was not.
    static let useStep: SQLStatement = """
        UPDATE signet_second_factors SET last_step = $1, confirmed = 1,
            changed_at = CASE WHEN confirmed = 1 THEN changed_at ELSE {now} END
        WHERE id = $2 AND last_step < $1
        RETURNING id, name, kind, confirmed, added_at, changed_at
        """
    static let removeUnconfirmed: SQLStatement =
        "DELETE FROM signet_second_factors WHERE user_id = $1 AND confirmed = 0"
    static let removeEnded: SQLStatement = """
        DELETE FROM signet_second_factors
        WHERE user_id = $1 AND confirmed = 0
            AND (added_at <= {now} - 600000 OR added_at > {now} + 60000)
        """
    static let remove: SQLStatement = """
        DELETE FROM signet_second_factors WHERE id = $1 AND user_id = $2
        RETURNING id, name, kind, confirmed, added_at, changed_at
        """
    static let removeAll: SQLStatement = "DELETE FROM signet_second_factors WHERE user_id = $1"
    static let addCode: SQLStatement =
        "INSERT INTO signet_recovery_codes (user_id, hash) VALUES ($1, $2)"
    static let useCode: SQLStatement =
        "DELETE FROM signet_recovery_codes WHERE user_id = $1 AND hash = $2 RETURNING user_id"
    static let countCodes: SQLStatement =
        "SELECT count(*) FROM signet_recovery_codes WHERE user_id = $1"
    static let removeCodes: SQLStatement =
        "DELETE FROM signet_recovery_codes WHERE user_id = $1"
}
