// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// The SQLite file that ``SQLiteAccounts`` keeps a server's accounts in. Opens the file, in these
/// steps:
///
/// 1. It inspects the path: only this user may reach the file.
/// 2. If there is no file, it makes an empty database under a temporary name, renames the database
///    to the path, and inspects the path again.
/// 3. It connects, and requires the marks that step 2 writes, so no other program's database is
///    used.
/// 4. It requires the inspected file at the path, which may have been replaced in the meantime.
///
/// The tables are made later, by `AccountSchema`.
struct AccountFile: Sendable {
    struct Connections: Sendable {
        let writer: QueuedSQLiteConnection
        let reader: QueuedSQLiteConnection
    }

    let path: String
    let busyTimeoutMilliseconds: Int
    let dialect: SQLDialect

    /// "SgAc", which tells the file from other databases.
    private static let applicationID: Int64 = 0x5367_4163
    /// SQLite cuts its write-ahead log back to 16 MiB each time that the log begins again.
    private static let keptLogByteCount = 16_777_216

    /// Connects twice to the file: one connection writes, the other only reads.
    func open() async throws(AccountError) -> Connections {
        // This waits for the disk and other processes. A global queue of Dispatch would block a
        // thread of Swift's pool.
        try await TransactionQueue(label: "signet.accounts.open").run { () throws(AccountError) in
            let writer = try self.connectOrMake()
            let reader = try self.connectOrMake()
            return Connections(
                writer: QueuedSQLiteConnection(writer, dialect: self.dialect),
                reader: QueuedSQLiteConnection(reader, dialect: self.dialect)
            )
        }
    }

    /// A connection to a new database in memory, which goes with the connection.
    static func inMemory() throws(AccountError) -> sending AccountConnection {
        let path = ":memory:"
        let raw = try AccountError.translatingErrors(at: path) { () throws(SQLiteFailure) in
            let raw = try SQLiteConnection(path: path, access: .memory, busyTimeoutMilliseconds: 0)
            try raw.enforceForeignKeys()
            return raw
        }
        return try AccountConnection(raw, path: path)
    }

    /// Connects to the file, and makes the file first if it is absent.
    private func connectOrMake() throws(AccountError) -> sending AccountConnection {
        let place = try inspect()
        guard !place.hasFile else { return try connect(to: place) }
        try makeFile(at: place)
        return try connect(to: try inspect())
    }

    /// Connects to an inspected file that exists: steps 3 and 4.
    private func connect(
        to place: SQLitePlace
    ) throws(AccountError) -> sending AccountConnection {
        let raw = try AccountError.translatingErrors(at: place.path) { () throws(SQLiteFailure) in
            let raw = try SQLiteConnection(
                path: place.path, access: .readWrite,
                busyTimeoutMilliseconds: busyTimeoutMilliseconds)
            try raw.enforceForeignKeys()
            try raw.execute("PRAGMA journal_size_limit=\(Self.keptLogByteCount)")
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
        guard place.hasSameFile else {
            throw AccountError(
                .unavailable, "\(file: place.path) was replaced. Open it again.")
        }
        return connection
    }

    /// Makes an empty database under a temporary name and renames it: step 2. A process that is
    /// killed leaves a complete database at the path, or no file.
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
        // If another process made the file first, that file stays and serves as well.
        try translatingErrors(unfinished.publish)
    }

    /// Checks that only this user may reach the file: step 1.
    private func inspect() throws(AccountError) -> SQLitePlace {
        try translatingErrors { () throws(SQLitePlaceFailure) in try SQLitePlace(inspecting: path) }
    }

    private func translatingErrors<Value>(
        _ body: () throws(SQLitePlaceFailure) -> Value
    ) throws(AccountError) -> Value {
        do { return try body() } catch { throw AccountError(error) }
    }
}
