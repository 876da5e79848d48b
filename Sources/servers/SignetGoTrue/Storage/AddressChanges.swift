// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

/// Changes of an e-mail address that wait for two codes: the code of the new address, and the code
/// of the present end. A user has at most one; the next change replaces it, with nothing confirmed.
///
/// A change ends with the session that asked for it, with a new password, with the next change of
/// an address or number, and after an hour.
enum AddressChanges {
    /// A change of which an end was just confirmed.
    struct Confirmed: Sendable {
        let address: String
        /// Whether the new and the present end are confirmed.
        let isComplete: Bool
        /// The session that asked for the change.
        let sessionID: String
    }

    /// An end of a change, with the value that ties a confirmation to this change.
    enum End: Sendable {
        case new(address: String)
        case present(code: CodeChallenge)
    }

    /// Stores a change, which replaces the user's earlier change.
    ///
    /// - Parameter challenge: the challenge of the code for the present end; nil if that end is
    ///   confirmed.
    /// - Throws: `sessionEnded`; the database's errors.
    static func put(
        _ address: String, of session: VerifiedSession, challenge: CodeChallenge?,
        in transaction: any AccountTransaction
    ) async throws(AccountError) {
        do {
            try await transaction.run(
                insertOrReplace,
                values: [
                    .text(session.subject), .text(session.sessionID), .text(address),
                    .text(challenge?.text),
                ])
        } catch {
            // The session ended in between. The user cannot be gone, because this transaction locks
            // the user's row.
            throw error.code == .conflict
                ? AccountError(.sessionEnded, "The session has ended.") : error
        }
    }

    /// Records that an end is confirmed; nil if no change with this address or code waits.
    static func confirm(
        _ end: End, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Confirmed? {
        let rows =
            switch end {
            case .new(let address):
                try await transaction.run(confirmNew, values: [.text(userID), .text(address)])
            case .present(let code):
                try await transaction.run(
                    confirmPresent, values: [.text(userID), .text(code.text)])
            }
        return try rows.first.map { (row) throws(AccountError) in
            let isNewConfirmed = try row.integer(1) == 1
            let isPresentConfirmed = try row.integer(2) == 1
            return Confirmed(
                address: try row.text(0), isComplete: isNewConfirmed && isPresentConfirmed,
                sessionID: try row.text(3))
        }
    }

    /// Ends the waiting change of a user.
    static func end(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(deleteOfUser, values: [.text(userID)])
    }

    // A change waits for an hour, 3,600,000 ms.
    private static let insertOrReplace: SQLStatement = """
        INSERT INTO signet_gotrue_address_changes
            (user_id, session_id, address, challenge, is_new_confirmed, is_present_confirmed,
             ends_at)
        VALUES ($1, $2, $3, $4, 0, CASE WHEN CAST($4 AS TEXT) IS NULL THEN 1 ELSE 0 END,
            {now} + 3600000)
        ON CONFLICT (user_id) DO UPDATE SET
            session_id = excluded.session_id, address = excluded.address,
            challenge = excluded.challenge, is_new_confirmed = 0,
            is_present_confirmed = excluded.is_present_confirmed, ends_at = excluded.ends_at
        """
    // If a clock is set back, no change lives more than a minute longer: its end is at most
    // 3,660,000 ms away.
    private static let confirmNew: SQLStatement = """
        UPDATE signet_gotrue_address_changes SET is_new_confirmed = 1
        WHERE user_id = $1 AND address = $2 AND ends_at > {now} AND ends_at <= {now} + 3660000
        RETURNING address, is_new_confirmed, is_present_confirmed, session_id
        """
    private static let confirmPresent: SQLStatement = """
        UPDATE signet_gotrue_address_changes SET is_present_confirmed = 1
        WHERE user_id = $1 AND challenge = $2 AND ends_at > {now} AND ends_at <= {now} + 3660000
        RETURNING address, is_new_confirmed, is_present_confirmed, session_id
        """
    private static let deleteOfUser: SQLStatement =
        "DELETE FROM signet_gotrue_address_changes WHERE user_id = $1"
    static let ended: SQLStatement = """
        WITH ended AS (
            SELECT user_id FROM signet_gotrue_address_changes WHERE ends_at <= (SELECT {now})
            ORDER BY ends_at LIMIT 500 {free})
        DELETE FROM signet_gotrue_address_changes
        WHERE user_id IN (SELECT user_id FROM ended) AND ends_at <= {now}
        RETURNING 1
        """

    static let step = SchemaStep(
        "gotrue/addresses.1",
        statements: [
            """
            CREATE TABLE signet_gotrue_address_changes (
                user_id TEXT NOT NULL PRIMARY KEY
                    REFERENCES signet_users (id) ON DELETE CASCADE,
                session_id TEXT NOT NULL REFERENCES signet_sessions (id) ON DELETE CASCADE,
                address TEXT NOT NULL, challenge TEXT, is_new_confirmed {integer} NOT NULL,
                is_present_confirmed {integer} NOT NULL, ends_at {integer} NOT NULL) {strict}
            """,
            """
            CREATE INDEX signet_gotrue_address_changes_by_end
                ON signet_gotrue_address_changes (ends_at)
            """,
            """
            CREATE INDEX signet_gotrue_address_changes_by_session
                ON signet_gotrue_address_changes (session_id)
            """,
        ])
}
