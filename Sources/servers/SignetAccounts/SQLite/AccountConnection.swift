// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// A connection to the file, with the statements that were prepared on it. A
/// ``QueuedSQLiteConnection`` owns it, and calls it on one thread at a time:
///
///     try connection.begin(.writing)
///     let rows = try connection.run("SELECT name FROM t WHERE id = ?1", values: [.integer(7)])
///     try connection.commit(.writing)  // or rollBack()
final class AccountConnection {
    private static let maximumPreparedCount = 500

    private let raw: SQLiteConnection
    private let path: String
    /// The files that this connection writes to, as they were when it was opened. None in memory.
    private let files: SQLiteFiles
    /// The prepared statements, by their texts.
    private var statements: [String: SQLiteStatement] = [:]

    init(_ raw: SQLiteConnection, path: String) throws(AccountError) {
        self.raw = raw
        self.path = path
        // Reads once, so that SQLite has made the log and its index.
        try AccountError.translatingErrors(at: path) { () throws(SQLiteFailure) in
            _ = try raw.integer(ofPragma: "schema_version")
        }
        files = SQLiteFiles(ofDatabaseAt: path)
    }

    /// The purpose of a transaction.
    enum TransactionKind { case reading, writing }

    /// Begins a transaction. Only one transaction at a time is for writing.
    func begin(_ kind: TransactionKind) throws(AccountError) {
        guard raw.isOpen else {
            throw AccountError(.unavailable, "The database was closed.")
        }
        // A transaction is open only if it could not be undone before.
        if raw.isInTransaction { try execute("ROLLBACK") }
        try execute(kind == .writing ? "BEGIN IMMEDIATE" : "BEGIN")
        // Data written to a file without its name is lost.
        if let lost = files.firstLost {
            rollBack()
            throw AccountError(
                .unavailable,
                "\(file: lost) was moved, removed or put back while it was "
                    + "open. Start the program again.")
        }
    }

    /// Commits the transaction: all that it wrote is on the disk. A transaction for reading is
    /// undone instead, in case its `work` has written all the same.
    func commit(_ kind: TransactionKind) throws(AccountError) {
        guard kind == .writing else { return rollBack() }
        do throws(SQLiteFailure) {
            try prepared("COMMIT").run()
        } catch {
            rollBack()
            guard !error.leavesCommitUnknown else {
                throw AccountError(
                    .outcomeUnknown,
                    "The disk of \(file: path) did not confirm a write.")
            }
            throw AccountError(error, path: path)
        }
    }

    /// Undoes the transaction. SQLite does it by itself after some errors.
    func rollBack() {
        // If this fails, the transaction stays open, and `begin` undoes it.
        if raw.isInTransaction { try? execute("ROLLBACK") }
    }

    /// Runs a statement to its end.
    ///
    /// - Returns: all its rows.
    func run(_ text: String, values: [SQLValue]) throws(AccountError) -> [SQLRow] {
        let statement = try translatingErrors { () throws(SQLiteFailure) in try prepared(text) }
        // An error of `reset` is the error of the last `step` again.
        defer { try? statement.reset() }
        guard statement.parameterCount == values.count else {
            throw AccountError(
                .invalidParameter,
                "A statement takes \(statement.parameterCount) values, not \(values.count).")
        }
        try translatingErrors { () throws(SQLiteFailure) in
            // SQLite counts the values of a statement from 1.
            for (value, index) in zip(values, Int32(1)...) { try statement.bind(value, at: index) }
        }
        var rows: [SQLRow] = []
        // `step` is true for each row, and false at the end.
        while try translatingErrors({ () throws(SQLiteFailure) in try statement.step() }) {
            guard let row = statement.row else {
                throw AccountError(.corrupt, "The database holds a value of no type of ours.")
            }
            rows.append(row)
        }
        return rows
    }

    /// Runs a statement that gives no rows.
    private func execute(_ text: String) throws(AccountError) {
        try translatingErrors { () throws(SQLiteFailure) in try prepared(text).run() }
    }

    /// Closes the connection, which gives up its locks.
    func close() {
        statements = [:]
        raw.close()
    }

    /// The statement with this text, which is prepared at its first use.
    private func prepared(_ text: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let statement = statements[text] { return statement }
        let statement = try raw.prepare(text)
        // Statements are constants of programs: there are some dozens.
        if statements.count >= Self.maximumPreparedCount { statements = [:] }
        statements[text] = statement
        return statement
    }

    private func translatingErrors<Value>(
        _ body: () throws(SQLiteFailure) -> Value
    ) throws(AccountError) -> Value {
        try AccountError.translatingErrors(at: path, body)
    }
}

extension SQLiteStatement {
    fileprivate func bind(_ value: SQLValue, at index: Int32) throws(SQLiteFailure) {
        switch value {
        case .integer(let value): try bind(value, at: index)
        case .text(let value): try bind(value, at: index)
        case .bytes(let value): try bind(value, at: index)
        case .null: try bindNull(at: index)
        }
    }

    /// The current row; nil if a column is of a type that ``SQLValue`` does not have.
    fileprivate var row: SQLRow? {
        var values: [SQLValue] = []
        for column in 0..<columnCount {
            if let value = integer(column) {
                values.append(.integer(value))
            } else if let value = text(column) {
                values.append(.text(value))
            } else if let value = blob(column) {
                values.append(.bytes(value))
            } else if isNull(column) {
                values.append(.null)
            } else {
                return nil
            }
        }
        return SQLRow(values)
    }
}
