// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// The file of ``SQLiteAccounts``, which opens it once, when it starts.
///
/// Each of the two connections is made in these steps:
///
/// 1. ``inspect()`` checks the path: who owns the file and its folder, and who may change them.
/// 2. ``makeFile(at:)`` makes the file if it is absent.
/// 3. ``connect(to:)`` opens the file with SQLite, and checks that it is a database of accounts,
///    and the file that was inspected.
struct AccountFile: Sendable {
    /// An absolute path.
    let path: String
    /// How long SQLite waits for other processes before a statement fails.
    let busyTimeoutMilliseconds: Int
    let dialect: SQLDialect

    /// The two connections of a process: a read does not wait for a write.
    struct Connections: Sendable {
        let writer: QueuedSQLiteConnection
        let reader: QueuedSQLiteConnection
    }

    /// "SgAc", by which the file differs from databases of other programs.
    private static let applicationID: Int64 = 0x5367_4163

    /// Opens the file, which is made if it is absent.
    func open() async throws(AccountError) -> Connections {
        // Waits for the disk and other processes, so not on a global queue of Dispatch, whose
        // threads are those of Swift's pool.
        try await TransactionQueue(label: "signet.accounts.open").run { () throws(AccountError) in
            let writer = try self.makeConnection()
            let reader = try self.makeConnection()
            return Connections(
                writer: QueuedSQLiteConnection(writer, dialect: self.dialect),
                reader: QueuedSQLiteConnection(reader, dialect: self.dialect))
        }
    }

    /// A database in memory, for tests. It has no file, and ends with the connection.
    static func inMemory() throws(AccountError) -> sending AccountConnection {
        let path = ":memory:"
        let raw = try AccountError.translatingErrors(at: path) { () throws(SQLiteFailure) in
            let raw = try SQLiteConnection(path: path, access: .memory, busyTimeoutMilliseconds: 0)
            try raw.enforceForeignKeys()
            return raw
        }
        return try AccountConnection(raw, path: path)
    }

    /// Connects to the file, which is made first if it is absent.
    private func makeConnection() throws(AccountError) -> sending AccountConnection {
        let place = try inspect()
        guard !place.hasFile else { return try connect(to: place) }
        try makeFile(at: place)
        return try connect(to: try inspect())
    }

    /// Connects to the file at an inspected place.
    private func connect(to place: SQLitePlace) throws(AccountError) -> sending AccountConnection {
        let raw = try AccountError.translatingErrors(at: place.path) { () throws(SQLiteFailure) in
            let raw = try SQLiteConnection(
                path: place.path, access: .readWrite,
                busyTimeoutMilliseconds: busyTimeoutMilliseconds)
            try raw.enforceForeignKeys()
            // When the log begins anew, it is cut back to 16 MiB.
            try raw.execute("PRAGMA journal_size_limit=16777216")
            return raw
        }
        let isOurs = try AccountError.translatingErrors(at: place.path) {
            () throws(SQLiteFailure) in
            let applicationID = try raw.integer(ofPragma: "application_id")
            let journalMode = try raw.text(ofPragma: "journal_mode")
            return applicationID == Self.applicationID && journalMode == "wal"
        }
        guard isOurs else {
            throw AccountError(
                .corrupt,
                "\(file: place.path) is another program's database.")
        }
        let connection = try AccountConnection(raw, path: place.path)
        // A file that took the inspected file's name before SQLite opened it was not inspected.
        guard place.hasSameFile else {
            throw AccountError(
                .unavailable, "\(file: place.path) was replaced. Open it again.")
        }
        return connection
    }

    /// Makes an empty database under a temporary name, and then gives it the file's name: a process
    /// that is killed in between leaves no file of that name.
    private func makeFile(at place: SQLitePlace) throws(AccountError) {
        let unfinished = try translatingErrors(place.begin)
        defer { unfinished.remove() }
        try AccountError.translatingErrors(at: place.path) { () throws(SQLiteFailure) in
            try unfinished.fill { () throws(SQLiteFailure) in
                let raw = try SQLiteConnection(
                    path: unfinished.path, access: .create,
                    busyTimeoutMilliseconds: busyTimeoutMilliseconds)
                defer { raw.close() }
                try raw.execute("PRAGMA encoding='UTF-8'")
                try raw.execute("PRAGMA journal_mode=WAL")
                try raw.execute("PRAGMA application_id=\(Self.applicationID)")
                _ = try raw.checkpoint(.truncating)
            }
        }
        // If another process was faster, its file is as good.
        try translatingErrors(unfinished.publish)
    }

    /// Checks the path, the folder, and the file if there is one.
    private func inspect() throws(AccountError) -> SQLitePlace {
        try translatingErrors { () throws(SQLitePlaceFailure) in try SQLitePlace(inspecting: path) }
    }

    /// Runs `body` and turns a failure of the place, such as a folder that other users may write
    /// to, into an error of accounts.
    private func translatingErrors<Value>(
        _ body: () throws(SQLitePlaceFailure) -> Value
    ) throws(AccountError) -> Value {
        do { return try body() } catch { throw AccountError(error) }
    }
}
