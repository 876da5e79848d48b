// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The users that sessions belong to: only an identifier each.
///
/// Everything that is stored about a user refers to this row, and is deleted with it in the same
/// transaction.
public enum AccountUsers {
    /// The longest identifier, in bytes.
    public static let maximumIdentifierByteCount = 255

    /// Adds a user; one that is there stays.
    ///
    /// - Parameters:
    ///   - id: the application's name for the user, the `sub` of access tokens: 1 to 255 bytes
    ///     without a zero byte, and never given to another user.
    ///   - transaction: the transaction that the row belongs to.
    /// - Throws: `invalidParameter` for another identifier; as the database.
    public static func add(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) {
        try check(id)
        try await transaction.run(insert, values: [.text(id)])
    }

    /// Deletes a user with all that refers to them: sessions first of all. A rotation under way has
    /// ended before, or finds no session; access tokens last as long as they last, without a
    /// ``SessionCutOff``.
    ///
    /// - Returns: whether there was such a user.
    /// - Throws: as the database.
    @discardableResult
    public static func delete(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard (try? check(id)) != nil else { return false }
        return try await !transaction.run(delete, values: [.text(id)]).isEmpty
    }

    /// Makes other transactions that hold or delete this user wait until this one is over. Call it
    /// before you read what you then decide by, such as the user's identities or password: nothing
    /// else keeps it as it was read (PostgreSQL is READ COMMITTED).
    ///
    /// A transaction that holds two users can wait for another that holds them in the other order:
    /// the engine ends one of them, and runs its work again.
    ///
    /// - Returns: whether there is such a user.
    /// - Throws: as the database.
    public static func hold(
        _ id: String, in transaction: any AccountTransaction
    ) async throws(AccountError) -> Bool {
        guard (try? check(id)) != nil else { return false }
        return try await !transaction.run(hold, values: [.text(id)]).isEmpty
    }

    static func check(_ id: String) throws(AccountError) {
        guard (1...maximumIdentifierByteCount).contains(id.utf8.count), !id.utf8.contains(0) else {
            throw AccountError(
                .invalidParameter,
                "A user's identifier has 1 to \(maximumIdentifierByteCount) bytes, none of them 0.")
        }
    }

    private static let insert: SQLStatement = """
        INSERT INTO signet_users (id, added_at) VALUES ($1, {now}) ON CONFLICT (id) DO NOTHING
        """
    private static let hold: SQLStatement = "SELECT id FROM signet_users WHERE id = $1 {lock}"
    private static let delete: SQLStatement = "DELETE FROM signet_users WHERE id = $1 RETURNING id"

    static let steps = [
        SchemaStep(
            "users.1",
            statements: [
                """
                CREATE TABLE signet_users (
                    id TEXT NOT NULL PRIMARY KEY, added_at {integer} NOT NULL) {strict}
                """
            ])
    ]
}
