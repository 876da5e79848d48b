// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge

/// A connection to the vault's database with the statements that were prepared on it. For one thread at a time.
final class VaultConnection {
    let raw: SQLiteConnection
    let path: String
    private var prepared = [SQLiteStatement?](repeating: nil, count: VaultQuery.allCases.count)

    init(_ raw: SQLiteConnection, path: String) {
        self.raw = raw
        self.path = path
    }

    /// Lends a statement, prepared once and kept, and puts it back whatever happens: a statement that is left in the middle of
    /// its rows would hold a snapshot of the database.
    func with<R>(
        _ query: VaultQuery, _ body: (VaultStatement) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let statement = try statement(query)
        defer { statement.reset() }
        return try body(VaultStatement(raw: statement, path: path))
    }

    /// Runs a statement without parameters and rows.
    func run(_ query: VaultQuery) throws(StoreError) {
        try with(query) { (statement) throws(StoreError) -> Void in try statement.run() }
    }

    /// Runs `body` in a transaction, which is undone when it throws.
    func transaction<R>(_ begin: VaultQuery, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
        // One is open only if it could not be undone before; the connection is of no use until it is.
        if raw.isInTransaction { try run(.rollback) }
        try run(begin)
        do throws(StoreError) {
            let result = try body()
            try run(.commit)
            return result
        } catch {
            // SQLite undoes it by itself after some errors, and says so by being in none.
            if raw.isInTransaction { try? run(.rollback) }
            throw error
        }
    }

    /// Whether the write-ahead log was copied into the database and cut off; not while somebody reads from it.
    func checkpoint() throws(StoreError) -> Bool {
        do throws(SQLiteFailure) {
            return try raw.checkpointTruncating()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func statement(_ query: VaultQuery) throws(StoreError) -> SQLiteStatement {
        if let statement = prepared[query.rawValue] { return statement }
        do throws(SQLiteFailure) {
            let statement = try raw.prepare(query.sql)
            prepared[query.rawValue] = statement
            return statement
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
