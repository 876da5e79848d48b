// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The password hashes of users, at most one for each, deleted with their user.
///
/// It reads and writes rows and computes nothing: ``PasswordHasher`` makes and checks the hashes,
/// outside of a transaction, because a derivation takes a fraction of a second.
///
/// ```swift
/// // Only now the password. Without a user pass nil, which takes just as long.
/// let (user, known) = try await accounts.read {
///     (transaction) throws(AccountError) -> (String?, PasswordHash?) in
///     let user = try await people.owner(of: UserIdentity(mailbox), in: transaction)
///     return (user, try await StoredPasswords.hash(of: user ?? "", in: transaction))
/// }
/// ```
///
/// **Not** done here: limits (``RateLimits``, before the derivation), the notice of a change
/// (``AccountNotices``, before ``set(_:of:in:)`` in its transaction), and ending the sessions of a
/// thief who knew the old password (`endAll(of:except:)` of ``RefreshTokens``).
public enum StoredPasswords {
    /// A user's hash; nil for a user without a password, and for an unknown user. Give the hasher
    /// this nil too: it takes as long.
    ///
    /// - Throws: `invalidPasswordHash` for a text in the table that Signet did not write; the
    ///   database's errors.
    public static func hash(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> PasswordHash? {
        let rows = try await transaction.run(hashStatement, values: [.text(userID)])
        return try rows.first.map { (row) throws(AccountError) in
            try PasswordHash(try row.text(0))
        }
    }

    /// Stores a user's hash in the place of an earlier hash.
    ///
    /// - Throws: `conflict` for a user who does not exist; the database's errors.
    public static func set(
        _ hash: PasswordHash, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try await transaction.run(setStatement, values: [.text(userID), .text(hash.exposedText)])
    }

    /// Whether a hash is still the user's, and stays so until the transaction ends. Call it in the
    /// transaction that begins the session, with the hash that the password was compared with: a
    /// password that was changed or removed meanwhile then signs no one in. **Not** checked: the
    /// password, which ``PasswordHasher/verify(_:against:)`` has checked before.
    ///
    /// - Parameters:
    ///   - hash: the hash that ``hash(of:in:)`` gave.
    ///   - better: a stronger hash of the same password, which replaces it (`needsUpgrade`).
    ///   - userID: the user.
    ///   - transaction: the transaction that goes on only if this is true.
    /// - Throws: the database's errors.
    public static func confirm(
        _ hash: PasswordHash, better: PasswordHash? = nil, of userID: String,
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        let values: [SQLValue] = [
            .text(userID), .text(hash.exposedText), .text((better ?? hash).exposedText),
        ]
        return try await !transaction.run(confirmStatement, values: values).isEmpty
    }

    /// How many passwords no server with a FIPS provider can check: those that are not PBKDF2.
    ///
    /// Hashers with `.pbkdf2()` replace such a hash when its owner signs in. Change to a FIPS
    /// provider when the number no longer falls: whoever is left then signs in with a one-time code
    /// and sets a password.
    ///
    /// - Throws: the database's errors.
    public static func countWithoutPBKDF2(
        in transaction: any AccountTransaction
    ) async throws(AccountError) -> Int {
        let rows = try await transaction.run(countStatement, values: [.text("$pbkdf2-sha256$")])
        guard let row = rows.first else { return 0 }
        return Int(try row.integer(0))
    }

    /// Removes a user's hash: no password signs the user in any more.
    ///
    /// **Not** checked: whether the user still has a way to sign in (`identities(of:in:)` of
    /// ``People``).
    ///
    /// - Returns: whether there was a hash.
    /// - Throws: the database's errors.
    @discardableResult
    public static func remove(
        of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        try await !transaction.run(removeStatement, values: [.text(userID)]).isEmpty
    }

    /// Whether the password has been the user's for a day: a thief of a session, who can set a
    /// password, must not confirm anything with it before the owner has read of it.
    package static func isSettled(
        _ hash: PasswordHash, of userID: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        try await !transaction.run(settled, values: [.text(userID), .text(hash.exposedText)])
            .isEmpty
    }

    private static let hashStatement: SQLStatement =
        "SELECT hash FROM signet_gotrue_passwords WHERE user_id = $1"
    // `{now}` is the database's clock in milliseconds.
    private static let setStatement: SQLStatement = """
        INSERT INTO signet_gotrue_passwords (user_id, hash, set_at) VALUES ($1, $2, {now})
        ON CONFLICT (user_id) DO UPDATE SET hash = $2, set_at = {now}
        """
    private static let countStatement: SQLStatement =
        "SELECT COUNT(*) FROM signet_gotrue_passwords WHERE substr(hash, 1, 15) <> $1"
    // A day is 86,400,000 ms.
    private static let settled: SQLStatement = """
        SELECT user_id FROM signet_gotrue_passwords
        WHERE user_id = $1 AND hash = $2 AND set_at <= {now} - 86400000
        """
    private static let confirmStatement: SQLStatement = """
        UPDATE signet_gotrue_passwords SET hash = $3 WHERE user_id = $1 AND hash = $2
        RETURNING user_id
        """
    private static let removeStatement: SQLStatement =
        "DELETE FROM signet_gotrue_passwords WHERE user_id = $1 RETURNING user_id"

    /// The table was SignetGoTrue's, and keeps its name, so that a database with that table stays
    /// as it is.
    static let steps = [
        SchemaStep(
            "passwords.1", before: "gotrue/users.1",
            statements: [
                """
                CREATE TABLE signet_gotrue_passwords (
                    user_id TEXT NOT NULL PRIMARY KEY
                        REFERENCES signet_users (id) ON DELETE CASCADE,
                    hash TEXT NOT NULL) {strict}
                """
            ]),
        // When a password was chosen; 0 for a password of an earlier version.
        SchemaStep(
            "passwords.2", before: "gotrue/passwords.2",
            statements: [
                """
                ALTER TABLE signet_gotrue_passwords ADD COLUMN set_at {integer} NOT NULL DEFAULT 0
                """
            ]),
    ]
}
