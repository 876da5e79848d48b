// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The rows of one table that have ended, and how they are deleted: all tables in one way.
package struct EndedRows: Sendable {
    /// How many rows one transaction deletes at most. The statements have the number.
    private static let portion = 500

    private let database: any AccountDatabase
    private let statement: SQLStatement
    private let values: [SQLValue]

    /// - Parameter statement: deletes 500 rows at most, and gives back a row for each. It finds
    ///   them with `{free}`, so that it waits for no one, and looks at their times twice: not
    ///   every engine keeps the rows that it found from others.
    package init(
        _ database: any AccountDatabase, statement: SQLStatement, values: [SQLValue] = []
    ) {
        (self.database, self.statement, self.values) = (database, statement, values)
    }

    /// Deletes those of one table after the other, also after one that failed.
    ///
    /// - Throws: the first error, at the end.
    package static func delete(_ tables: [EndedRows]) async throws(AccountError) {
        var first: AccountError?
        for table in tables {
            do throws(AccountError) { try await table.delete() } catch { first = first ?? error }
        }
        if let first { throw first }
    }

    /// In portions, each in a transaction of its own, until one was not full: after a flood a
    /// single statement would hold its rows for long, and never end within its time.
    private func delete() async throws(AccountError) {
        let (statement, values) = (statement, values)
        var count = Self.portion
        while count >= Self.portion {
            count = try await database.transaction { (transaction) throws(AccountError) in
                try await transaction.run(statement, values: values).count
            }
        }
    }
}
