// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetBase

/// Where the file is, and how it is opened or made.
struct AccountFile: Sendable {
    let path: String
    let busyTimeoutMilliseconds: Int
    let dialect: SQLDialect

    /// "SgAc", which tells the file from other databases.
    private static let applicationID: Int64 = 0x5367_4163

    /// A writing and a reading connection to the file, which is created if absent.
    func open() async throws(AccountError) -> (
        writer: QueuedSQLiteConnection, reader: QueuedSQLiteConnection
    ) {
        // Waits for the disk and other processes, so not on a global queue of Dispatch, whose
        // threads are those of Swift's pool.
        try await TransactionQueue(label: "signet.accounts.open").run { () throws(AccountError) in
            let writer = try self.connectOrMake()
            let reader = try self.connectOrMake()
            return (
                writer: QueuedSQLiteConnection(writer, dialect: self.dialect),
                reader: QueuedSQLiteConnection(reader, dialect: self.dialect)
            )
        }
    }

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
    private func connectOrMake() throws(AccountError) -> sending AccountConnection {
        let place = try inspect()
        guard !place.hasFile else { return try connect(to: place) }
        try makeFile(at: place)
        return try connect(to: try inspect())
    }

    private func connect(
        to place: SQLitePlace
    ) throws(AccountError) -> sending AccountConnection {
        let raw = try AccountError.translatingErrors(at: place.path) { () throws(SQLiteFailure) in
            let raw = try SQLiteConnection(
                path: place.path, access: .readWrite,
                busyTimeoutMilliseconds: busyTimeoutMilliseconds)
            try raw.enforceForeignKeys()
            // When the log begins anew, it is cut back to 16 MiB.
            try raw.execute("PRAGMA journal_size_limit=16777216")
            return raw
        }
        let found = try AccountError.translatingErrors(at: place.path) { () throws(SQLiteFailure) in
            (
                id: try raw.integer(ofPragma: "application_id"),
                journal: try raw.text(ofPragma: "journal_mode")
            )
        }
        guard found.id == Self.applicationID, found.journal == "wal" else {
            throw AccountError(
                .corrupt,
                "\(file: place.path) is another program's database.")
        }
        let connection = try AccountConnection(raw, path: place.path)
        // The inspected file and the file that SQLite opened must be the same.
        guard place.hasSameFile else {
            throw AccountError(
                .unavailable, "\(file: place.path) was replaced. Open it again.")
        }
        return connection
    }

    /// Makes an empty database under a temporary name first: a killed process leaves a whole file,
    /// or no file of this name.
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

    private func inspect() throws(AccountError) -> SQLitePlace {
        try translatingErrors { () throws(SQLitePlaceFailure) in try SQLitePlace(inspecting: path) }
    }

    private func translatingErrors<Value>(
        _ body: () throws(SQLitePlaceFailure) -> Value
    ) throws(AccountError) -> Value {
        do { return try body() } catch { throw AccountError(error) }
    }
}
