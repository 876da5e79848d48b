// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SQLiteBridge
internal import SystemBridge

/// A connection to the vault's database with the statements that were prepared on it. For one thread at a time.
final class VaultConnection {
    let raw: SQLiteConnection
    let path: String
    /// The log and its index, once SQLite has made them. It keeps them as long as there is a connection.
    private var companions: [(path: String, identity: VaultPlace.Identity)] = []
    private var prepared = [SQLiteStatement?](repeating: nil, count: VaultQuery.allCases.count)

    /// Whether it reads the file alone, without its log.
    let isFileAlone: Bool

    init(_ raw: SQLiteConnection, path: String, isFileAlone: Bool = false) {
        self.isFileAlone = isFileAlone
        self.raw = raw
        self.path = path
    }

    /// Lends a statement, prepared once and kept, and puts it back whatever happens: a statement that is left in the middle of
    /// its rows would hold a snapshot of the database.
    func with<R>(
        _ query: VaultQuery, _ body: (VaultStatement) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let statement = try statement(query)
        // Fails only on a closed connection.
        defer { try? statement.reset() }
        return try body(VaultStatement(statement, path: path))
    }

    /// Runs a statement without parameters and rows.
    func run(_ query: VaultQuery) throws(StoreError) {
        try with(query) { (statement) throws(StoreError) -> Void in try statement.run() }
    }

    /// Whether a transaction is open. SQLite undoes one by itself after some errors.
    var isInTransaction: Bool { raw.isInTransaction }

    /// Runs `body` in a transaction, which is undone when it throws.
    func transaction<R>(_ begin: VaultQuery, _ body: () throws(StoreError) -> R) throws(StoreError)
        -> R
    {
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

    /// Ends it; the locks go with it.
    func close() {
        prepared = []
        raw.close()
    }

    /// Writes the log back into the database; whether all of it was.
    func checkpoint(_ kind: SQLiteConnection.Checkpoint) throws(StoreError) -> Bool {
        do throws(SQLiteFailure) { return try raw.checkpoint(kind) } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether SQLite itself may write the log back, and remove it, when the last connection of all
    /// closes.
    func setFoldsOnClose(_ folds: Bool) throws(StoreError) {
        do throws(SQLiteFailure) { try raw.setFoldsOnClose(folds) } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Bytes that the log must have room for to take what was written since it was last asked to
    /// begin anew: a page and its header each, and the header of the log.
    func writtenByteCount(beginningAnew: Bool) -> Int64 {
        let pages = raw.writtenPageCount(beginningAnew: beginningAnew)
        return Int64(pages) * Int64(VaultFormat.pageByteCount + 24) + 32
    }

    /// Builds the database anew without its free pages.
    func vacuum() throws(StoreError) {
        do throws(SQLiteFailure) { try raw.vacuum() } catch { throw StoreError(error, path: path) }
    }

    /// Copies one moment of the database over an empty one.
    func copy(to target: VaultConnection) throws(StoreError) {
        do throws(SQLiteFailure) { try raw.copy(to: target.raw) } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Notes which files beside the database this connection writes to. Behind its first transaction.
    func noteCompanions() {
        companions = ["-wal", "-shm"].compactMap { suffix in
            VaultPlace.identity(ofFileAt: path + suffix).map { (path + suffix, $0) }
        }
    }

    /// Refuses to go on when the database or its log has lost its name: what is written would be lost with the process, and
    /// others would write without seeing it.
    func requireSame(_ file: VaultFile) throws(StoreError) {
        try file.requireSame()
        for companion in companions
        where VaultPlace.identity(ofFileAt: companion.path) != companion.identity {
            throw StoreError(
                .unavailable,
                "\(SystemFailure.quoted(companion.path)) was moved, removed or put back while the vault was open. Close the vault and open it again."
            )
        }
    }

    /// What a connection is for.
    enum Work { case reading, writing, folding }

    /// Room for the pages of a batch of a thousand items, for whom writes. Who reads has less: in a
    /// large vault a page comes faster from the kernel than from a cache that the processor's own
    /// does not hold. SQLite never writes the log back by itself: ``VaultFold`` does, once the log
    /// is known to be the file's.
    func tune(for work: Work) throws(StoreError) {
        try execute(work == .writing ? "PRAGMA cache_size=-16384" : "PRAGMA cache_size=-4096")
        try execute("PRAGMA wal_autocheckpoint=0")
        try execute("PRAGMA journal_size_limit=16777216")
    }

    /// Runs constant SQL of ours.
    func execute(_ sql: String) throws(StoreError) {
        do throws(SQLiteFailure) { try raw.execute(sql) } catch {
            throw StoreError(error, path: path)
        }
    }

    func integer(ofPragma name: String) throws(StoreError) -> Int64 {
        do throws(SQLiteFailure) { return try raw.integer(ofPragma: name) } catch {
            throw StoreError(error, path: path)
        }
    }

    func text(ofPragma name: String) throws(StoreError) -> String {
        do throws(SQLiteFailure) { return try raw.text(ofPragma: name) } catch {
            throw StoreError(error, path: path)
        }
    }

    private func statement(_ query: VaultQuery) throws(StoreError) -> SQLiteStatement {
        // Empty once it is closed: then SQLite's refusal is the answer.
        if prepared.indices.contains(query.rawValue), let statement = prepared[query.rawValue] {
            return statement
        }
        do throws(SQLiteFailure) {
            let statement = try raw.prepare(query.sql)
            if prepared.indices.contains(query.rawValue) { prepared[query.rawValue] = statement }
            return statement
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
