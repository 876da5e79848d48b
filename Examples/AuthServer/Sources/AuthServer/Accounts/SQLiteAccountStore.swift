// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GRDB
internal import SignetJOSE

/// People, sessions and visits in one SQLite file, through GRDB.
package final class SQLiteAccountStore: AccountStore {
    private let database: DatabasePool

    /// One person's share of the file: an ID token begins as many sessions as it is presented times, and a session adds as many visits
    /// as it likes.
    private static let maximumSessionCount = 100
    private static let maximumVisitCount = 1_000

    /// Opens the file, or makes it, and brings its tables up to date.
    package init(path: String) throws(AccountStoreError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // A deleted account stays deleted when the power goes right after the 204.
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        Self.makePrivateFile(path)
        do {
            database = try DatabasePool(path: path, configuration: configuration)
            try AccountSchema.migrator.migrate(database)
        } catch {
            throw AccountStoreError(error)
        }
    }

    package func signIn(
        _ person: SignedInPerson, session: SessionRecord
    ) async throws(AccountStoreError) -> Account {
        try Self.checkKeepable([
            person.issuer, person.subject, person.email, person.name, person.picture,
            person.givenName,
        ])
        let newID = RandomText.identifier()
        return try await write { db in
            // One statement finds or adds: two sign-ins of one person at a time cannot make two of him.
            // What a token does not say is no news: another client of the same person may ask for less.
            let row = try Row.fetchOne(
                db,
                sql: """
                    INSERT INTO users (id, issuer, subject, email, name, picture, created, updated)
                    VALUES (:id, :issuer, :subject, :email, :name, :picture, :now, :now)
                    ON CONFLICT (issuer, subject) DO UPDATE SET
                        email = coalesce(excluded.email, email), name = coalesce(excluded.name, name),
                        picture = coalesce(excluded.picture, picture), updated = excluded.updated
                    RETURNING id, issuer, subject, email, name, picture
                    """,
                arguments: [
                    "id": newID, "issuer": person.issuer, "subject": person.subject,
                    "email": person.email,
                    "name": person.name, "picture": person.picture, "now": session.created,
                ])
            guard let row else { throw AccountStoreError(code: "noRow") }
            let account = Account(row)
            if account.id == newID, let givenName = person.givenName {
                try db.execute(
                    sql: "INSERT INTO profiles (user, first_name) VALUES (?, ?)",
                    arguments: [newID, givenName])
            }
            try db.execute(
                sql: "DELETE FROM sessions WHERE expires <= ?", arguments: [session.created])
            try db.execute(
                sql: "INSERT INTO sessions (id, user, created, expires) VALUES (?, ?, ?, ?)",
                arguments: [session.id, account.id, session.created, session.expires])
            // By rowid, the order of insertion: a clock that went back does not end the session that has just begun.
            try db.execute(
                sql: """
                    DELETE FROM sessions WHERE rowid IN (
                        SELECT rowid FROM sessions WHERE user = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)
                    """, arguments: [account.id, Self.maximumSessionCount])
            return account
        }
    }

    package func account(
        id: String, session: String, now: Int64
    ) async throws(AccountStoreError) -> Account? {
        try await read { db in
            try db.cachedStatement(
                sql: """
                    SELECT users.id, issuer, subject, email, name, picture
                    FROM sessions JOIN users ON users.id = sessions.user
                    WHERE sessions.id = ? AND sessions.user = ? AND sessions.expires > ?
                    """
            ).row([session, id, now]).map(Account.init)
        }
    }

    package func profile(of account: String) async throws(AccountStoreError) -> Profile? {
        try await read { db in
            let row = try db.cachedStatement(
                sql: "SELECT first_name, favorite_teams FROM profiles WHERE user = ?"
            ).row([account])
            guard let row else { return nil }
            let teams: String = row["favorite_teams"]
            return Profile(
                firstName: row["first_name"],
                favoriteTeams: try StrictJSON.decode([String].self, from: teams.utf8))
        }
    }

    package func delete(account: String) async throws(AccountStoreError) {
        try await write { db in
            try db.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [account])
        }
    }

    package func visits(of account: String, limit: Int) async throws(AccountStoreError) -> [Visit] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT id, place, at FROM visits WHERE user = ? ORDER BY id DESC LIMIT ?",
                arguments: [account, limit]
            ).map { Visit(id: $0["id"], place: $0["place"], at: $0["at"]) }
        }
    }

    package func add(_ visit: NewVisit, to account: String) async throws(AccountStoreError)
        -> Visit?
    {
        try Self.checkKeepable([visit.place])
        return try await write { db in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM visits WHERE user = ?", arguments: [account])
            guard count ?? 0 < Self.maximumVisitCount else { throw AccountStoreError.visitsFull }
            try db.execute(
                sql: "INSERT INTO visits (user, place, at) SELECT id, ?, ? FROM users WHERE id = ?",
                arguments: [visit.place, visit.at, account])
            guard db.changesCount == 1 else { return nil }
            return Visit(id: db.lastInsertedRowID, place: visit.place, at: visit.at)
        }
    }

    package func check() async throws(AccountStoreError) {
        _ = try await read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    }

    /// GRDB hands texts to SQLite as C has them: a NUL would end them, and one subject would become another.
    private static func checkKeepable(_ texts: [String?]) throws(AccountStoreError) {
        guard !texts.contains(where: { $0?.utf8.contains(0) == true }) else {
            throw AccountStoreError(code: "nul")
        }
    }

    /// Makes an empty file for its owner alone, unless there is one. What SQLite puts beside a database gets the mode of the database.
    private static func makePrivateFile(_ path: String) {
        // A folder that is not there is told by whoever opens the file.
        guard
            (try? Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)) != nil
        else {
            return
        }
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    // MARK: How GRDB is called

    private func read<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws(AccountStoreError) -> R {
        do { return try await database.read(body) } catch { throw AccountStoreError(error) }
    }

    /// In one transaction, which an error undoes.
    private func write<R: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> R
    ) async throws(AccountStoreError) -> R {
        do { return try await database.write(body) } catch { throw AccountStoreError(error) }
    }
}

extension AccountStoreError {
    /// Keeps SQLite's result code, and leaves out the text, which may hold statements and values.
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as AccountStoreError: self = error
        case let error as DatabaseError:
            self.init(code: "sqlite.\(error.extendedResultCode.rawValue)")
        case is CancellationError: self.init(code: "cancelled")
        default: self.init(code: "\(type(of: error))")
        }
    }
}

extension Account {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], issuer: row["issuer"], subject: row["subject"], email: row["email"],
            name: row["name"], picture: row["picture"])
    }
}

extension Statement {
    fileprivate func row(_ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(self, arguments: arguments)
    }
}
