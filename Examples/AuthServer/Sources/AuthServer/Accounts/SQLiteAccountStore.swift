// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import SignetJOSE

/// People, sessions and visits in one SQLite file, through GRDB.
package final class SQLiteAccountStore: AccountStore {
    private let database: DatabasePool

    /// Opens the file, or makes it, and brings its tables up to date.
    package init(path: String) throws(AccountStoreError) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // A deleted account stays deleted when the power goes right after the 204.
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
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
        let newID = RandomText.identifier()
        return try await write { db in
            // One statement finds or adds: two sign-ins of one person at a time cannot make two of him.
            let row = try Row.fetchOne(
                db,
                sql: """
                    INSERT INTO users (id, issuer, subject, email, name, picture, created, updated)
                    VALUES (:id, :issuer, :subject, :email, :name, :picture, :now, :now)
                    ON CONFLICT (issuer, subject) DO UPDATE SET
                        email = excluded.email, name = excluded.name, picture = excluded.picture,
                        updated = excluded.updated
                    RETURNING id, issuer, subject, email, name, picture
                    """,
                arguments: [
                    "id": newID, "issuer": person.issuer, "subject": person.subject, "email": person.email,
                    "name": person.name, "picture": person.picture, "now": session.created,
                ])
            guard let row else { throw AccountStoreError(code: "noRow") }
            let account = Account(row)
            if account.id == newID, let givenName = person.givenName {
                try db.execute(
                    sql: "INSERT INTO profiles (user, first_name) VALUES (?, ?)",
                    arguments: [newID, givenName])
            }
            try db.execute(sql: "DELETE FROM sessions WHERE expires <= ?", arguments: [session.created])
            try db.execute(
                sql: "INSERT INTO sessions (id, user, created, expires) VALUES (?, ?, ?, ?)",
                arguments: [session.id, account.id, session.created, session.expires])
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

    package func add(_ visit: NewVisit, to account: String) async throws(AccountStoreError) -> Visit {
        try await write { db in
            try db.execute(
                sql: "INSERT INTO visits (user, place, at) VALUES (?, ?, ?)",
                arguments: [account, visit.place, visit.at])
            return Visit(id: db.lastInsertedRowID, place: visit.place, at: visit.at)
        }
    }

    package func check() async throws(AccountStoreError) {
        _ = try await read { db in try Int.fetchOne(db, sql: "SELECT 1") }
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
        case let error as DatabaseError: self.init(code: "sqlite.\(error.extendedResultCode.rawValue)")
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
