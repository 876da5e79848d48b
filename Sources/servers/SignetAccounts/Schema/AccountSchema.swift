// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Brings a database to this version, under a lock. If several processes start at once, one of them
/// does it while the others wait.
///
///     try await AccountSchema.migrate(accounts)
///
/// A step is a change of the tables with a name, such as `sessions.1` (``SchemaStep``). Its name is
/// stored in the transaction that makes the change, so each step is done once in each database.
public enum AccountSchema {
    /// All steps, in their order. A step that refers to a table of another part comes after that
    /// part's steps.
    public static let steps: [SchemaStep] =
        AccountUsers.steps + SessionStatements.steps + RateLimits.steps + KnownClients.steps
        + OneTimeCodes.steps + Outbox.steps + SecondFactors.steps + KeyRingPlace.steps
        + People.steps + LogoutReplayTable.steps + StoredPasswords.steps + SupportStatements.steps

    /// Does the steps that were not done yet, each in its own transaction: a killed process leaves
    /// whole steps, and the next process goes on.
    ///
    /// On PostgreSQL a statement may take an hour, and so may each wait for another process that
    /// migrates; for a table in use it waits as long as a request. SQLite waits for other processes
    /// as long as for any transaction.
    ///
    /// - Throws: `corrupt` for a database with a step that is not known here, because it is of a
    ///   newer version; the database's errors.
    public static func migrate(_ database: any AccountDatabase) async throws(AccountError) {
        try await carryOut(steps, in: database)
    }

    /// Does the missing steps of a product or an application, whose tables may refer to Signet's.
    /// Pass all its steps so far, in their order. Their names begin with the product's name and a
    /// slash: `app/tables.1`.
    ///
    /// - Throws: `invalidParameter` for names of several owners, or of none; the errors of
    ///   ``migrate(_:)``.
    public static func migrate(
        _ database: any AccountDatabase, steps: [SchemaStep]
    ) async throws(AccountError) {
        guard let owner = steps.first.map({ SchemaStep.owner(of: $0.name) }), owner.count > 1,
            steps.allSatisfy({ SchemaStep.owner(of: $0.name).elementsEqual(owner) })
        else {
            throw AccountError(
                .invalidParameter,
                "The name of a step begins with one owner's name and a slash, such as app/tables.1."
            )
        }
        try await carryOut(steps, in: database)
    }

    /// Does the steps that are missing, one in each transaction, and looks again under the lock
    /// before each.
    package static func carryOut(
        _ steps: [SchemaStep], in database: any AccountDatabase
    ) async throws(AccountError) {
        // Nil in SQLite, where only one transaction at a time writes.
        let lock = database.dialect.schemaLock
        var missing = try await database.migration { (transaction) throws(AccountError) in
            if let lock { try await transaction.run(lock, values: []) }
            try await transaction.run(createTable, values: [])
            return try await findMissing(of: steps, in: transaction)
        }
        while let step = missing.first {
            missing = try await database.migration { (transaction) throws(AccountError) in
                if let lock { try await transaction.run(lock, values: []) }
                // Another process may have done the step since.
                let stillMissing = try await findMissing(of: steps, in: transaction)
                guard let next = stillMissing.first, next.name.utf8.elementsEqual(step.name.utf8)
                else { return stillMissing }
                for statement in step.statements {
                    try await transaction.run(statement, values: [])
                }
                try await transaction.run(storeName, values: [.text(step.name)])
                return Array(stillMissing.dropFirst())
            }
        }
    }

    /// The steps that the database does not have.
    ///
    /// - Throws: `corrupt` for a step of this owner that is not among these.
    private static func findMissing(
        of steps: [SchemaStep], in transaction: any AccountTransaction
    ) async throws(AccountError) -> [SchemaStep] {
        let rows = try await transaction.run(readNames, values: [])
        let done = try rows.map { (row) throws(AccountError) in try row.text(0) }
        guard let first = steps.first else { return [] }
        // The product that a step's name begins with; empty for Signet's accounts.
        let owner = SchemaStep.owner(of: first.name)
        for name in done where SchemaStep.owner(of: name).elementsEqual(owner) {
            guard steps.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw AccountError(
                    .corrupt,
                    "The database has a step that this version does not know, \(shown: name): it is "
                        + "of a newer version than this program. Use the newer program.")
            }
        }
        return steps.filter { step in !done.contains { step.isDone(as: $0) } }
    }

    private static let createTable: SQLStatement = """
        CREATE TABLE IF NOT EXISTS signet_schema_steps (
            name TEXT NOT NULL PRIMARY KEY, done_at {integer} NOT NULL) {strict}
        """
    private static let readNames: SQLStatement = "SELECT name FROM signet_schema_steps"
    private static let storeName: SQLStatement =
        "INSERT INTO signet_schema_steps (name, done_at) VALUES ($1, {now})"
}
