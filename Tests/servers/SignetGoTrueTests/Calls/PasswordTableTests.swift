// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import SignetAccounts
import SignetGoTrue
import TestSupport
import Testing

/// The table of passwords was a part of SignetGoTrue's before it belonged to SignetAccounts.
@Suite("Databases of earlier versions keep their passwords", .serialized)
struct PasswordTableTests {
    /// The table as those versions made it, in two steps of SignetGoTrue's.
    private static let table: [SQLStatement] = [
        "ALTER TABLE signet_gotrue_passwords RENAME TO passwords_now",
        """
        CREATE TABLE signet_gotrue_passwords (
            user_id TEXT NOT NULL PRIMARY KEY
                REFERENCES signet_users (id) ON DELETE CASCADE,
            hash TEXT NOT NULL) {strict}
        """,
        "INSERT INTO signet_gotrue_passwords (user_id, hash) SELECT user_id, hash FROM passwords_now",
        "DROP TABLE passwords_now",
        "DELETE FROM signet_schema_steps WHERE name IN ('passwords.1', 'passwords.2')",
    ]
    private static let setAt: SQLStatement =
        "ALTER TABLE signet_gotrue_passwords ADD COLUMN set_at {integer} NOT NULL DEFAULT 0"
    private static let noTable: [SQLStatement] = [
        "DROP TABLE signet_gotrue_passwords",
        "DELETE FROM signet_schema_steps WHERE name IN ('passwords.1', 'passwords.2')",
    ]
    private static let undoSetAt: SQLStatement =
        "DELETE FROM signet_schema_steps WHERE name = 'gotrue/passwords.2'"

    @Test(
        "One in which both steps were done is opened as it is, and no step is done again",
        .timeLimit(.minutes(20)), arguments: Engine.allCases)
    func bothSteps(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let database = try await place.open()
        try await Scene(database).signUp()
        try await Self.run(Self.table + [Self.setAt], on: database)
        try await Self.run(["UPDATE signet_gotrue_passwords SET set_at = 77"], on: database)
        let steps = try await Self.steps(of: database)
        #expect(!steps.contains("passwords.1") && steps.contains("gotrue/passwords.2"))

        let scene = try await Scene(try await place.open())
        #expect(try await Self.steps(of: database) == steps)
        #expect(try await scene.count("SELECT set_at FROM signet_gotrue_passwords") == 77)
        #expect(try await scene.password("correct horse").status == 200)
        #expect(try await scene.password("wrong horse").code == "invalid_credentials")
    }

    @Test(
        "One in which the first step alone was done gets the second once",
        .timeLimit(.minutes(20)), arguments: Engine.allCases)
    func firstStep(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let database = try await place.open()
        try await Scene(database).signUp()
        try await Self.run(Self.table + [Self.undoSetAt], on: database)

        for _ in 0..<2 {
            let scene = try await Scene(try await place.open())
            #expect(try await scene.count("SELECT set_at FROM signet_gotrue_passwords") == 0)
            #expect(try await scene.password("correct horse").status == 200)
        }
        let steps = try await Self.steps(of: database)
        #expect(!steps.contains("passwords.1") && steps.contains("passwords.2"))
        #expect(steps.contains("gotrue/passwords.2"))
    }

    @Test(
        "One that an earlier version of SignetAccounts made gets the table, and is not spoiled",
        .timeLimit(.minutes(20)), arguments: Engine.allCases)
    func noStep(_ engine: Engine) async throws {
        let folder = try PrivateFolder()
        guard let place = try engine.place(in: folder) else { return }
        let database = try await place.open()
        try await Self.run(Self.noTable, on: database)

        // As with an engine whose author leaves AccountSchema to an earlier start.
        let scene = try await Scene(database)
        try await scene.signUp()
        #expect(try await scene.password("correct horse").status == 200)
        let later = try await Scene(try await place.open())
        #expect(try await later.password("correct horse").status == 200)
        #expect(try await later.password("wrong horse").code == "invalid_credentials")
    }

    private static func run(
        _ statements: [SQLStatement], on database: any AccountDatabase
    ) async throws {
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            for statement in statements { try await transaction.run(statement, values: []) }
        }
    }

    private static func steps(of database: any AccountDatabase) async throws -> Set<String> {
        let rows = try await database.transaction { (transaction) throws(AccountError) in
            try await transaction.run("SELECT name FROM signet_schema_steps", values: [])
        }
        return try Set(rows.map { (row) throws(AccountError) in try row.text(0) })
    }
}
