// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

extension AccountError {
    /// Runs `body` and turns a failure of SQLite into an error of accounts.
    static func translatingErrors<Value>(
        at path: String, _ body: () throws(SQLiteFailure) -> Value
    ) throws(AccountError) -> Value {
        do { return try body() } catch { throw AccountError(error, path: path) }
    }

    /// A failure of SQLite, as a sentence that says what to do about it. Nothing of the file's
    /// content is in the sentence.
    init(_ failure: SQLiteFailure, path: String) {
        switch failure.kind {
        case .constraint where failure.isConflict:
            self.init(.conflict, "The row already exists, or a row that it refers to does not.")
        case .constraint, .tooBig:
            self.init(.corrupt, "A value does not fit its column, or is too long.")
        case .corrupt:
            self.init(.corrupt, "\(file: path) is damaged. Restore a backup.")
        case .notADatabase:
            self.init(.corrupt, "\(file: path) is not an SQLite database.")
        case .busy:
            self.init(
                .unavailable,
                "Another process writes to \(file: path) for longer than was waited. Try again.")
        case .full:
            self.init(
                .unavailable, "The disk of \(file: path) is full; nothing was written. Make room.")
        case .readOnly:
            self.init(.unavailable, "\(file: path), its folder or its file system is read-only.")
        case .cannotOpen, .permission:
            self.init(
                .unavailable,
                "\(file: path) cannot be opened. Check the path, and the permissions of its folder."
            )
        case .io:
            self.init(
                .unavailable,
                "Reading or writing \(file: path) failed (\(shown: failure.operation), code "
                    + "\(failure.extendedCode), errno \(failure.systemErrno)). Check the disk.")
        case .outOfMemory:
            self.init(.unavailable, "There is not enough memory to work on \(file: path).")
        case .unsupported:
            self.init(
                .unavailable,
                "The SQLite library is too old, or was built without what is needed here.")
        case .misuse:
            self.init(.invalidParameter, "A statement or a value of it is wrong.")
        case .other:
            // Mostly a statement that does not fit the tables.
            self.init(
                .corrupt,
                "SQLite refuses a statement on \(file: path) (\(shown: failure.operation), code "
                    + "\(failure.extendedCode)): its tables are not those of this version.")
        }
    }

    /// The fault of a database's place, in the failure's own words.
    init(_ failure: SQLitePlaceFailure) {
        self.init(failure.isInvalidPath ? .invalidParameter : .unavailable, failure.message)
    }
}

extension ErrorMessage.StringInterpolation {
    /// A path in quotes, without what a terminal would obey.
    mutating func appendInterpolation(file path: String) {
        appendInterpolation(SQLitePlace.shown(path))
    }
}
