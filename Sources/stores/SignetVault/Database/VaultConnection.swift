// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SignetPlatform

/// A connection to the vault's SQLite database, which runs the statements of ``VaultQuery`` and
/// throws each error of SQLite as a `StoreError`. For example, the sealed value of an item, by the
/// number of its row:
///
///     let value = try connection.withRows(of: .value, binding: row.valueNumber) { rows in
///         try rows.step() ? rows.blob(.only) : nil
///     }
///
/// SQLite appends the pages of each write to the *log*, a file beside the database with the suffix
/// `-wal`, whose index has the suffix `-shm`. A *checkpoint* copies the pages from the log into the
/// database. ``VaultFile`` makes connections. Only a single thread may use one at a time:
/// ``LockedVaultConnection`` sees to that.
final class VaultConnection {
    let raw: SQLiteConnection
    let path: String
    /// The log and its index with their files' identities, once SQLite has created them. They exist
    /// as long as a connection does.
    private var companions: [(path: String, identity: PrivatePlace.Identity)] = []
    /// The compiled statements, by the raw value of their query; nil before the first use.
    private var prepared = [SQLiteStatement?](repeating: nil, count: VaultQuery.allCases.count)

    /// Whether the connection reads only the file, without its log.
    let isFileAlone: Bool

    init(_ raw: SQLiteConnection, path: String, isFileAlone: Bool = false) {
        self.isFileAlone = isFileAlone
        self.raw = raw
        self.path = path
    }

    // MARK: Statements and transactions

    /// Runs `body` with a prepared statement and its parameters, and always resets the statement: a
    /// statement left in the middle of its rows would hold a snapshot of the database.
    ///
    /// The parameters may be of several types, such as `binding: group, Int64(256)` for `?1` and
    /// `?2` in the SQL: each has a type `Parameter` of its own.
    func withRows<each Parameter: VaultParameter, R>(
        of query: VaultQuery, binding parameters: repeat each Parameter,
        reading body: (VaultStatement) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let statement = VaultStatement(try statement(query), path: path)
        defer { statement.reset() }
        // SQLite counts parameters from 1.
        var index: Int32 = 1
        for parameter in repeat each parameters {
            try statement.bind(parameter, at: index)
            index += 1
        }
        return try body(statement)
    }

    /// Runs a statement that gives no rows.
    func run<each Parameter: VaultParameter>(
        _ query: VaultQuery, binding parameters: repeat each Parameter
    ) throws(StoreError) {
        try withRows(of: query, binding: repeat each parameters) { (statement) throws(StoreError) in
            while try statement.step() {}
        }
    }

    /// Whether a transaction is open. SQLite rolls a transaction back by itself after some errors.
    var isInTransaction: Bool { raw.isInTransaction }

    /// Runs `body` in a transaction, and rolls it back if it throws.
    ///
    /// - Parameter begin: `begin` for a transaction that reads; `beginImmediate` for one that
    ///   writes, which takes the write lock at once.
    func transaction<R>(_ begin: VaultQuery, _ body: () throws(StoreError) -> R) throws(StoreError)
        -> R
    {
        // A transaction is open here only if its rollback failed before. Until a rollback succeeds,
        // every transaction of this connection throws.
        if raw.isInTransaction { try run(.rollback) }
        try run(begin)
        do {
            let result = try body()
            try run(.commit)
            return result
        } catch {
            // After some errors SQLite has already rolled back. If this rollback fails, the next
            // transaction repeats it.
            if raw.isInTransaction { try? run(.rollback) }
            throw error
        }
    }

    /// Closes the connection and releases its locks.
    func close() {
        prepared = []
        raw.close()
    }

    // MARK: The log

    /// Copies the log's pages into the database.
    ///
    /// - Parameters:
    ///   - kind: whether to wait for other connections, and what becomes of the log's file.
    ///   - limit: how long to wait for other connections, in milliseconds; nil for this
    ///     connection's own limit.
    /// - Returns: whether the whole log was copied.
    func checkpoint(
        _ kind: SQLiteConnection.Checkpoint, within limit: Int? = nil
    ) throws(StoreError) -> Bool {
        try translatingErrors { () throws(SQLiteFailure) in try raw.checkpoint(kind, within: limit)
        }
    }

    /// A number that changes when another connection has written. Call it inside a transaction.
    func dataVersion() throws(StoreError) -> Int64? {
        try withRows(of: .dataVersion) { (row) throws(StoreError) -> Int64? in
            try row.step() ? row.integer(.only) : nil
        }
    }

    /// Sets whether SQLite itself may checkpoint and remove the log when the last connection
    /// closes.
    func setCheckpointsOnClose(_ checkpoints: Bool) throws(StoreError) {
        try translatingErrors { () throws(SQLiteFailure) in
            try raw.setCheckpointsOnClose(checkpoints)
        }
    }

    /// The log space that the writes of this connection need, since a call with `beginningAnew`:
    /// each page with its header, and the log's header.
    func writtenByteCount(beginningAnew: Bool) -> Int64 {
        let pages = raw.writtenPageCount(beginningAnew: beginningAnew)
        return Int64(pages) * VaultFormat.frameByteCount + PrivatePlace.logHeaderByteCount
    }

    // MARK: Free pages, and copies of the database

    /// Sets whether pages that become free are written over with zeros; the bytes freed within a
    /// page always are.
    func setZeroing(_ zeroes: Bool) throws(StoreError) {
        // FAST writes zeros only where that costs no further write.
        try execute(zeroes ? "PRAGMA secure_delete=ON" : "PRAGMA secure_delete=FAST")
    }

    /// Rebuilds the database without its free pages.
    ///
    /// - Parameter inMemory: keeps the second copy in memory, not in a temporary file.
    func vacuum(inMemory: Bool) throws(StoreError) {
        try translatingErrors { () throws(SQLiteFailure) in try raw.vacuum(inMemory: inMemory) }
    }

    /// The log space that rebuilding needs: all pages that are in use.
    func vacuumByteCount() throws(StoreError) -> Int64 {
        let pages = try integer(ofPragma: "page_count") - integer(ofPragma: "freelist_count")
        return pages * VaultFormat.frameByteCount + PrivatePlace.logHeaderByteCount
    }

    /// Copies one moment of the database over an empty database.
    func copy(to target: VaultConnection) throws(StoreError) {
        try translatingErrors { () throws(SQLiteFailure) in try raw.copy(to: target.raw) }
    }

    // MARK: The files beside the database

    /// Notes which files are the log and its index. Called after the first transaction, because
    /// SQLite creates them in it.
    func noteCompanions() {
        companions = ["-wal", "-shm"].compactMap { suffix in
            PrivatePlace.identity(ofFileAt: path + suffix).map { (path + suffix, $0) }
        }
    }

    /// Throws if another file has the name of the log or its index, or none.
    func requireSameCompanions() throws(StoreError) {
        for companion in companions
        where PrivatePlace.identity(ofFileAt: companion.path) != companion.identity {
            throw StoreError(
                .unavailable,
                "\(path: companion.path) was moved, removed or put back while the vault was open. Close the vault and open it again."
            )
        }
    }

    // MARK: Settings

    /// The purpose of a connection, which decides the size of its page cache.
    enum Work { case reading, writing, checkpointing }

    /// Sets the page cache and the log's limits.
    ///
    /// The writer's cache holds the pages of a write of a thousand items. A reader's is smaller: in
    /// a large vault the kernel delivers a page faster than a cache that is larger than the
    /// processor's own. SQLite never checkpoints by itself. ``VaultCheckpointer`` does that, once
    /// the log is known to be this file's.
    func tune(for work: Work) throws(StoreError) {
        // A negative size is in KiB.
        try execute(work == .writing ? "PRAGMA cache_size=-16384" : "PRAGMA cache_size=-4096")
        try execute("PRAGMA wal_autocheckpoint=0")
        // A longer log is cut to 16 MiB when it begins anew.
        try execute("PRAGMA journal_size_limit=16777216")
    }

    /// Runs constant SQL.
    func execute(_ sql: String) throws(StoreError) {
        try translatingErrors { () throws(SQLiteFailure) in try raw.execute(sql) }
    }

    func integer(ofPragma name: String) throws(StoreError) -> Int64 {
        try translatingErrors { () throws(SQLiteFailure) in try raw.integer(ofPragma: name) }
    }

    func text(ofPragma name: String) throws(StoreError) -> String {
        try translatingErrors { () throws(SQLiteFailure) in try raw.text(ofPragma: name) }
    }

    /// The compiled statement of a query, which is compiled at its first use.
    private func statement(_ query: VaultQuery) throws(StoreError) -> SQLiteStatement {
        // `prepared` is empty after closing: then `prepare` throws that the connection is closed.
        if prepared.indices.contains(query.rawValue), let statement = prepared[query.rawValue] {
            return statement
        }
        let statement = try translatingErrors { () throws(SQLiteFailure) in
            try raw.prepare(query.sql)
        }
        if prepared.indices.contains(query.rawValue) { prepared[query.rawValue] = statement }
        return statement
    }

    private func translatingErrors<R>(_ body: () throws(SQLiteFailure) -> R) throws(StoreError) -> R
    {
        do { return try body() } catch { throw StoreError(error, path: path) }
    }
}
