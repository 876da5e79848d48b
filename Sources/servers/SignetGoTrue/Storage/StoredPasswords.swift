// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// Password hashes, one per user.
enum StoredPasswords {
    static func hash(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> String? {
        let rows = try await transaction.run(hash, [.text(userID)])
        return try rows.first.map { (row) throws(AccountError) in try row.text(0) }
    }

    static func set(
        _ text: String, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(set, [.text(userID), .text(text)])
    }

    /// Whether the password has been the user's for a day: a thief of a session, who can set one,
    /// must not confirm anything with it before its owner has read of it.
    static func isSettled(
        _ text: String, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        try await !transaction.run(settled, [.text(userID), .text(text)]).isEmpty
    }

    /// Whether the hash is still the checked one. A better one, if given, replaces it.
    static func confirm(
        _ text: String, better: String?, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let values: [SQLValue] = [.text(userID), .text(text), .text(better ?? text)]
        return try await !transaction.run(confirm, values).isEmpty
    }

    private static let hash: SQLStatement =
        "SELECT hash FROM signet_gotrue_passwords WHERE user_id = $1"
    private static let set: SQLStatement = """
        INSERT INTO signet_gotrue_passwords (user_id, hash, set_at) VALUES ($1, $2, {now})
        ON CONFLICT (user_id) DO UPDATE SET hash = $2, set_at = {now}
        """
    private static let settled: SQLStatement = """
        SELECT user_id FROM signet_gotrue_passwords
        WHERE user_id = $1 AND hash = $2 AND set_at <= {now} - 86400000
        """
    private static let confirm: SQLStatement = """
        UPDATE signet_gotrue_passwords SET hash = $3 WHERE user_id = $1 AND hash = $2
        RETURNING user_id
        """

    /// When a password was chosen; 0 for one of an earlier version.
    static let step = SchemaStep(
        "gotrue/passwords.2",
        [
            """
            ALTER TABLE signet_gotrue_passwords ADD COLUMN set_at {integer} NOT NULL DEFAULT 0
            """
        ])
}
