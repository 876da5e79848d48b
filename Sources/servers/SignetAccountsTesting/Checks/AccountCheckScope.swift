// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

/// The finding of a check.
struct AccountFinding: Error {
    let message: String
}

/// The database under check, a table to write to, and names that only this check uses.
///
///     AccountCheck("a row is there after its commit") { scope in
///         try await scope.add("a", number: 7)
///         try scope.expect(try await scope.number(in: "a", on: 1), is: 7, named: "the number")
///     }
struct AccountCheckScope: Sendable {
    let database: any AccountDatabase
    /// A second object for the same database, such as another server would have.
    let other: any AccountDatabase
    let name = "check-" + String(UInt64.random(in: .min ... .max), radix: 36)

    /// The first object for even indices, the second for odd indices: a check that numbers its
    /// tasks spreads them over both.
    func database(_ index: Int) -> any AccountDatabase {
        index.isMultiple(of: 2) ? database : other
    }

    /// Ends the check with the message as its finding, unless the condition holds.
    func expect(_ isTrue: Bool, _ message: @autoclosure () -> String) throws {
        guard isTrue else { throw AccountFinding(message: message()) }
    }

    func expect<Value: Equatable>(_ value: Value, is expected: Value, named what: String) throws {
        guard value == expected else {
            throw AccountFinding(message: "\(what) is \(value), not \(expected)")
        }
    }

    /// Expects an error with this code.
    func expect<Value>(
        _ code: AccountError.Code, by what: String, _ body: () async throws -> Value
    ) async throws {
        do {
            _ = try await body()
        } catch let error as AccountError where error.code == code {
            return
        } catch {
            throw AccountFinding(message: "\(what) threw \(error) instead of \(code.rawValue)")
        }
        throw AccountFinding(message: "\(what) did not throw \(code.rawValue)")
    }

    /// Runs a statement in its own transaction.
    @discardableResult
    func run(
        _ statement: SQLStatement, values: [SQLValue] = [], on index: Int = 0
    ) async throws(AccountError) -> [SQLRow] {
        try await database(index).transaction { (transaction) throws(AccountError) in
            try await transaction.run(statement, values: values)
        }
    }

    /// Adds a row that belongs to this check.
    func add(_ row: String, number: Int64 = 0) async throws(AccountError) {
        try await run(Self.insert, values: [.text(name), .text(row), .integer(number)])
    }

    /// The number in a row of this check; nil if the row is missing.
    func number(in row: String, on index: Int = 0) async throws(AccountError) -> Int64? {
        let rows = try await run(Self.select, values: [.text(name), .text(row)], on: index)
        return try rows.first.map { (row) throws(AccountError) in try row.integer(0) }
    }

    /// Makes the table of rows, which all checks share.
    func makeTable() async throws(AccountError) {
        // Nil in SQLite, where only one transaction at a time writes.
        let lock = database.dialect.schemaLock
        try await database.transaction { (transaction) throws(AccountError) in
            if let lock { try await transaction.run(lock, values: []) }
            try await transaction.run(Self.createTable, values: [])
        }
    }

    func removeEverything() async throws(AccountError) {
        let name = name
        try await run(Self.removeRows, values: [.text(name)])
        try await database.transaction { (transaction) throws(AccountError) in
            for user in Self.users {
                try await AccountUsers.delete(name + user, in: transaction)
            }
        }
    }

    /// The suffixes that make the names of users from the check's name.
    static let users = ["", "-2"]

    static let insert: SQLStatement = """
        INSERT INTO signet_check_rows (scope, name, number) VALUES ($1, $2, $3)
        """
    static let select: SQLStatement = """
        SELECT number FROM signet_check_rows WHERE scope = $1 AND name = $2
        """
    private static let removeRows: SQLStatement = "DELETE FROM signet_check_rows WHERE scope = $1"
    private static let createTable: SQLStatement = """
        CREATE TABLE IF NOT EXISTS signet_check_rows (
            scope TEXT NOT NULL, name TEXT NOT NULL, number {integer}, words TEXT, data {bytes},
            PRIMARY KEY (scope, name)) {strict}
        """
}
