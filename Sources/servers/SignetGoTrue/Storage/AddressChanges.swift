// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetIdentity

/// Changes of an e-mail address that wait for two codes: one that went to the new address, and one
/// that went to the present address or the phone. A user has at most one waiting change. The next
/// change replaces it, and both codes are needed again.
///
/// A change ends with the session that asked for it, with a new password, with the next change of
/// an address or number, and after an hour.
enum AddressChanges {
    /// A waiting change, after one of its codes was right.
    struct Confirmed: Sendable {
        /// The new address.
        let address: String
        /// Whether both codes were right.
        let isComplete: Bool
        /// The session that asked for the change.
        let sessionID: String

        /// Reads the columns that the confirming statements return.
        fileprivate init(_ row: SQLRow) throws(AccountError) {
            address = try row.text(0)
            let isNewConfirmed = try row.integer(1) == 1
            let isPresentConfirmed = try row.integer(2) == 1
            isComplete = isNewConfirmed && isPresentConfirmed
            sessionID = try row.text(3)
        }
    }

    /// The code that was right, with the value that finds the change that it belongs to.
    enum RightCode: Sendable {
        /// The code that went to this new address.
        case ofNewAddress(String)
        /// The code with this challenge, which went to the present address or the phone.
        case ofPresentDestination(CodeChallenge)
    }

    /// Stores a change, which replaces the user's earlier change.
    ///
    /// - Parameter challenge: the challenge of the code that went to the present address or the
    ///   phone; nil if the change needs no such code.
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

    /// Records that a code was right.
    ///
    /// - Returns: the change; nil if no change with this address or code waits.
    static func confirm(
        _ code: RightCode, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Confirmed? {
        let rows =
            switch code {
            case .ofNewAddress(let address):
                try await transaction.run(
                    confirmNewAddress, values: [.text(userID), .text(address)])
            case .ofPresentDestination(let challenge):
                try await transaction.run(
                    confirmPresentDestination, values: [.text(userID), .text(challenge.text)])
            }
        return try rows.first.map(Confirmed.init)
    }

    /// Cancels the waiting change of a user, if there is one.
    static func cancel(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(deleteOfUser, values: [.text(userID)])
    }

    // `{now}` is the database's clock in milliseconds. A change waits for an hour, 3,600,000 ms.
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
    // No row of the present clock ends later than in an hour. A row that ends later than in an hour
    // and a minute (3,660,000 ms) was written before the clock was set back, and counts as ended.
    private static let confirmNewAddress: SQLStatement = """
        UPDATE signet_gotrue_address_changes SET is_new_confirmed = 1
        WHERE user_id = $1 AND address = $2 AND ends_at > {now} AND ends_at <= {now} + 3660000
        RETURNING address, is_new_confirmed, is_present_confirmed, session_id
        """
    private static let confirmPresentDestination: SQLStatement = """
        UPDATE signet_gotrue_address_changes SET is_present_confirmed = 1
        WHERE user_id = $1 AND challenge = $2 AND ends_at > {now} AND ends_at <= {now} + 3660000
        RETURNING address, is_new_confirmed, is_present_confirmed, session_id
        """
    private static let deleteOfUser: SQLStatement =
        "DELETE FROM signet_gotrue_address_changes WHERE user_id = $1"
    // For a sweep. `{free}` leaves out rows that another transaction has locked.
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
