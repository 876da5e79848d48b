// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The users that sessions belong to: only an identifier each.
///
/// Everything that is stored about a user refers to this row, and is deleted with it in the same
/// transaction.
public enum AccountUsers {
    /// The longest identifier, in bytes.
    public static let maximumIdentifierByteCount = 255

    /// Adds a user, unless a user with this identifier exists.
    ///
    /// - Parameters:
    ///   - id: the application's name for the user, the `sub` of access tokens: 1 to 255 bytes
    ///     without a zero byte, and never given to another user.
    ///   - transaction: the transaction that the row belongs to.
    /// - Throws: `invalidParameter` for an identifier outside these bounds; the database's errors.
    public static func add(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try check(id)
        try await transaction.run(insert, values: [.text(id)])
    }

    /// Deletes a user with all rows that refer to it, above all the sessions. A rotation under way
    /// has ended before, or finds no session. Access tokens are valid until they expire, without a
    /// ``SessionCutOff``.
    ///
    /// - Returns: whether the user existed.
    /// - Throws: the database's errors.
    @discardableResult
    public static func delete(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard (try? check(id)) != nil else { return false }
        return try await !transaction.run(deleteStatement, values: [.text(id)]).isEmpty
    }

    /// Makes other transactions that hold or delete this user wait until this transaction is over.
    /// Call it before you read what you then decide by, such as the user's identities or password:
    /// nothing else keeps these data as they were read (PostgreSQL is READ COMMITTED).
    ///
    /// Two transactions that hold the same two users in opposite orders can wait for each other:
    /// the engine ends one transaction, and runs its work again.
    ///
    /// - Returns: whether the user exists.
    /// - Throws: the database's errors.
    public static func hold(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard (try? check(id)) != nil else { return false }
        return try await !transaction.run(lockStatement, values: [.text(id)]).isEmpty
    }

    /// Whether a user is banned now (``AccountSupport/ban(_:until:by:reason:)``), by the database's
    /// clock; false for an unknown user.
    ///
    /// ``RefreshTokens`` asks this itself. Ask it where a person gets in by other means, such as an
    /// API key of yours, and only once they have shown these: a stranger must not learn of a ban.
    /// Hold the user before (``hold(_:in:)``), or a ban may come in between.
    ///
    /// - Throws: the database's errors.
    public static func isBanned(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard (try? check(id)) != nil else { return false }
        return try await !transaction.run(bannedStatement, values: [.text(id)]).isEmpty
    }

    static func check(_ id: String) throws(AccountError) {
        guard (1...maximumIdentifierByteCount).contains(id.utf8.count) else {
            throw AccountError(
                .invalidParameter,
                "A user's identifier has 1 to \(maximumIdentifierByteCount) bytes, not "
                    + "\(id.utf8.count).")
        }
        guard !id.utf8.contains(0) else {
            throw AccountError(.invalidParameter, "A user's identifier has a zero byte.")
        }
    }

    private static let insert: SQLStatement = """
        INSERT INTO signet_users (id, added_at) VALUES ($1, {now}) ON CONFLICT (id) DO NOTHING
        """
    private static let lockStatement: SQLStatement =
        "SELECT id FROM signet_users WHERE id = $1 {lock}"
    private static let deleteStatement: SQLStatement =
        "DELETE FROM signet_users WHERE id = $1 RETURNING id"
    // A ban that ends now has ended.
    private static let bannedStatement: SQLStatement =
        "SELECT id FROM signet_users WHERE id = $1 AND banned_until > {now}"

    static let steps = [
        SchemaStep(
            "users.1",
            statements: [
                """
                CREATE TABLE signet_users (
                    id TEXT NOT NULL PRIMARY KEY, added_at {integer} NOT NULL) {strict}
                """
            ]),
        // Until when a user is banned; null for a user who is not. Servers of the version before
        // leave it out of what they insert, and go on. They do not know of bans: sessions that they
        // begin for a banned user end at the first server of this version that sees them.
        SchemaStep(
            "users.2",
            statements: ["ALTER TABLE signet_users ADD COLUMN banned_until {integer}"]),
    ]
}
