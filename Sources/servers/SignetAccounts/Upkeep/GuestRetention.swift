// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How long a sweep, the regular clean-up (``AccountSweep``), keeps guests that nobody can use any
/// more: they have no identity to sign in with, and no live session.
///
///     let guests = try GuestRetention(.seconds(90 * 86_400)) { id in print("deleted:", id) }
///     let sweep = AccountSweep(sessions, codes: codes, limits: limits, guests: guests)
///
/// Deleting a guest is deleting an account (``AccountUsers/delete(_:in:)``): all rows that refer to
/// the user go too. A guest who gets an identity or a session at the same time stays, or is gone
/// before, and then the identity or session is not made. Users without a profile of ``People`` are
/// never deleted: they sign in by means that only the application knows. A banned guest stays until
/// the ban ends, which would go with the guest.
///
/// A guest to whom rows of the application's own refer without `ON DELETE CASCADE` stays, and each
/// sweep reports `conflict`, after it has deleted the other guests.
///
/// Do **not** use it if your guests sign in without an identity or a session, for example by a
/// password of your own.
public struct GuestRetention: Sendable {
    private let age: Duration
    private let onDeletion: @Sendable (_ userID: String) -> Void

    /// Keeps each guest for a time.
    ///
    /// - Parameters:
    ///   - age: since the guest was added, by the database's clock: 1 hour to 3,660 days. A guest
    ///     with a live session, and a banned one, stay for longer.
    ///   - onDeletion: receives each deleted guest's identifier, outside every transaction, for a
    ///     log or for data that are elsewhere. A process that ends just then does not call it.
    /// - Throws: `invalidParameter` for an age out of this range.
    public init(
        _ age: Duration, onDeletion: @escaping @Sendable (_ userID: String) -> Void = { _ in }
    ) throws(AccountError) {
        if let fault = ParameterRange(
            "age", value: age, in: .seconds(3_600) ... .seconds(3_660 * 86_400)
        )
        .fault {
            throw AccountError(.invalidParameter, fault)
        }
        self.age = age
        self.onDeletion = onDeletion
    }

    /// Deletes the guests, in transactions of at most 500. It reads the users in the order of their
    /// identifiers and without a lock, 500 at a time, so that no transaction waits for it. A guest
    /// whom the application's own rows keep (`conflict`) stays, and the other guests go all the
    /// same.
    ///
    /// - Throws: the first `conflict`, at the end; else the database's error, at once.
    package func deleteGuests(of sessions: RefreshTokens) async throws(AccountError) {
        let limits = [.integer(age.milliseconds)] + sessions.lifetimes
        // The empty text comes before every identifier.
        var lastID = ""
        var firstConflict: AccountError?
        while let portion = try await readUsers(
            after: lastID, limits: limits, from: sessions.database)
        {
            let conflict = try await delete(
                portion.guests, limits: limits, in: sessions.database)
            firstConflict = firstConflict ?? conflict
            lastID = portion.lastID
        }
        if let firstConflict { throw firstConflict }
    }

    /// Up to 500 users, in the order of their identifiers.
    private struct Portion {
        var lastID: String
        /// The identifiers of the guests among them whom nobody can use any more.
        var guests: [SQLValue] = []
    }

    /// The users after an identifier; nil if there are no more.
    private func readUsers(
        after id: String, limits: [SQLValue], from database: any AccountDatabase
    ) async throws(AccountError) -> Portion? {
        let users = try await database.read { (transaction) throws(AccountError) in
            try await transaction.run(Self.readPortion, values: [.text(id)] + limits)
        }
        guard !users.isEmpty else { return nil }
        var portion = Portion(lastID: id)
        for user in users {
            portion.lastID = try user.text(0)
            let isUnusable = try user.integer(1) == 1
            if isUnusable { portion.guests.append(.text(portion.lastID)) }
        }
        return portion
    }

    /// Deletes all guests in one transaction, or each in its own if a guest cannot be deleted.
    ///
    /// - Returns: the `conflict` of a guest whom other rows keep; nil if there was none.
    private func delete(
        _ guests: [SQLValue], limits: [SQLValue], in database: any AccountDatabase
    ) async throws(AccountError) -> AccountError? {
        guard !guests.isEmpty else { return nil }
        let deleted: [String]
        do {
            deleted = try await database.transaction { (transaction) throws(AccountError) in
                try await Self.delete(guests, limits: limits, in: transaction)
            }
        } catch {
            guard error.code == .conflict else { throw error }
            guard guests.count > 1 else { return error }
            // Nothing was deleted: which guest is kept shows if each is deleted by itself.
            for guest in guests { _ = try await delete([guest], limits: limits, in: database) }
            return error
        }
        for id in deleted { onDeletion(id) }
        return nil
    }

    /// - Returns: the identifiers of the deleted guests.
    private static func delete(
        _ guests: [SQLValue], limits: [SQLValue], in transaction: any AccountTransaction
    ) async throws(AccountError) -> [String] {
        var deleted: [String] = []
        for guest in guests {
            // Locks the guest in a statement of its own: only a statement after that sees what
            // another transaction has just given the guest. A guest who is locked by another
            // transaction stays.
            let isLocked = try await !transaction.run(lockIfFree, values: [guest]).isEmpty
            guard isLocked else { continue }
            // No row if the user is no guest any more.
            let rows = try await transaction.run(deleteStatement, values: [guest] + limits)
            if let row = rows.first { deleted.append(try row.text(0)) }
        }
        return deleted
    }

    // `{now}` is the database's clock in milliseconds. `$2` is the age, `$3` and `$4` the lifetimes
    // of sessions.
    //
    // A session counts for a minute (60,000 ms) more than it lives: a refresh in its last moment,
    // which is not committed yet, is not seen here, and deleting the user would wait for it and end
    // its session.
    private static let readPortion: SQLStatement = """
        WITH portion AS (
            SELECT id, added_at, banned_until FROM signet_users
            WHERE id > $1 ORDER BY id LIMIT 500)
        SELECT id, CASE WHEN added_at <= {now} - $2
            AND (banned_until IS NULL OR banned_until <= {now})
            AND EXISTS (SELECT 1 FROM signet_profiles WHERE user_id = portion.id)
            AND NOT EXISTS (SELECT 1 FROM signet_identities WHERE user_id = portion.id)
            AND NOT EXISTS (
                SELECT 1 FROM signet_sessions WHERE user_id = portion.id
                    AND {now} < refreshed_at + $3 + 60000 AND {now} < begun_at + $4 + 60000)
            THEN 1 ELSE 0 END
        FROM portion ORDER BY id
        """
    /// Locks the user. With `{free}` it returns no row, instead of waiting, if another transaction
    /// holds the user. No new row can refer to the user from here on.
    private static let lockIfFree: SQLStatement = "SELECT id FROM signet_users WHERE id = $1 {free}"
    private static let deleteStatement: SQLStatement = """
        DELETE FROM signet_users
        WHERE id = $1 AND added_at <= {now} - $2
            AND (banned_until IS NULL OR banned_until <= {now})
            AND EXISTS (SELECT 1 FROM signet_profiles WHERE user_id = $1)
            AND NOT EXISTS (SELECT 1 FROM signet_identities WHERE user_id = $1)
            AND NOT EXISTS (
                SELECT 1 FROM signet_sessions WHERE user_id = $1
                    AND {now} < refreshed_at + $3 + 60000 AND {now} < begun_at + $4 + 60000)
        RETURNING id
        """
}
