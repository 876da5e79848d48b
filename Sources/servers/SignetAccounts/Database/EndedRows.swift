// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The ended rows of a table, and how they are deleted: in the same way for all tables.
package struct EndedRows: Sendable {
    /// How many rows a transaction deletes at most. The statements repeat the number.
    private static let portion = 500

    private let database: any AccountDatabase
    private let statement: SQLStatement
    private let values: [SQLValue]

    /// - Parameter statement: deletes at most 500 rows, and returns a row for each. It finds them
    ///   with `{free}`, so that it waits for no transaction, and checks their times twice, because
    ///   not every engine locks the rows that it found.
    package init(
        _ database: any AccountDatabase, statement: SQLStatement, values: [SQLValue] = []
    ) {
        self.database = database
        self.statement = statement
        self.values = values
    }

    /// Deletes the ended rows, table by table, and goes on after a table that failed.
    ///
    /// - Throws: the first error, at the end.
    package static func delete(_ tables: [EndedRows]) async throws(AccountError) {
        var firstError: AccountError?
        for table in tables {
            do throws(AccountError) { try await table.delete() } catch {
                firstError = firstError ?? error
            }
        }
        if let firstError { throw firstError }
    }

    /// Deletes in portions, each in its own transaction, until a portion is not full. After a flood
    /// a single statement would hold its rows for long, and never end within its time.
    private func delete() async throws(AccountError) {
        var count: Int
        repeat {
            count = try await database.transaction { (transaction) throws(AccountError) in
                try await transaction.run(statement, values: values).count
            }
        } while count >= Self.portion
    }
}
