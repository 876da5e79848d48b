// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import SignetPlatform

/// The owner of a connection to a database file, configured to trust the file as little as SQLite
/// can.
///
/// Only a single thread may use it at a time: hold a lock around each use of the connection and its
/// statements. A statement may be deallocated on any thread; for that, SQLite's own mutex is also
/// on (`SQLITE_OPEN_FULLMUTEX`). A child of `fork` must not use it: SQLite's locks are the
/// parent's.
///
/// The file's content is not trusted: every column is read by its type, and the caller must
/// authenticate what a blob means.
@safe
public final class SQLiteConnection: @unchecked Sendable {
    /// The required state of the file.
    public enum Access: Sendable {
        /// An existing database. It is never created.
        case readWrite
        /// An existing file without any bytes yet (`PrivatePlace.createTemporary`).
        case create
        /// A database file alone, without its log. Takes no lock and writes nothing, not even
        /// beside it: if another connection writes in the meantime, the results are wrong.
        case fileAlone
        /// A new database in memory, which goes with the connection. The path is ignored.
        case memory
    }

    // Nil once closed. Changed only under `ending`.
    private var handle: OpaquePointer?
    private let process = ProcessIdentity.current
    let waiting: BusyWaiting
    /// Held while the connection, or a statement of it, ends, which may happen on any thread.
    private let ending = Lock()
    /// How many closures use a row's bytes now. The statement that owns the bytes must stay until
    /// the closures return, so `close()` only notes that it was called.
    private var accessCount = 0
    private var closesAfterAccess = false

    /// Opens a database file and configures the connection: the pragmas of
    /// Documentation/VAULT-FORMAT.md, defensive mode, no extensions, triggers, views, attached
    /// databases or URI names, and small limits.
    ///
    /// The file's permissions and owner are **not** checked here: `PrivatePlace` does that first. The
    /// journal mode is the file's: the caller reads it (`text(ofPragma: "journal_mode")`).
    ///
    /// - Parameters:
    ///   - path: Absolute, and without a symbolic link in any part of it.
    ///   - vfs: The name of a registered sqlite3_vfs, for tests that let the disk fail.
    ///   - busyTimeoutMilliseconds: How long a call waits for other connections, 0 to 600,000.
    /// - Throws: `cannotOpen` if there is no such file, `notADatabase`, `readOnly` if it can only
    ///   be read, `busy`, and other errors of reading the first page.
    public init(
        path: String, access: Access, vfs: String? = nil, busyTimeoutMilliseconds: Int
    ) throws(SQLiteFailure) {
        waiting = BusyWaiting(milliseconds: busyTimeoutMilliseconds)
        try SQLiteLibrary.check()
        unsafe handle = try Self.openFile(path, access: access, vfs: vfs)
        // From here on `deinit` closes the file, even after an error.
        try setUp(access)
    }

    deinit {
        // Each statement keeps its connection alive, so no ``SQLiteStatement`` is left.
        unsafe closeHandle()
    }

    /// Runs SQL that returns no rows: one or more statements, in constant text.
    public func execute(_ sql: String) throws(SQLiteFailure) {
        let database = unsafe try openHandle(for: "run SQL")
        guard !sql.utf8.contains(0) else { throw .misuse("run SQL") }
        let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw failure(code, operation: "run SQL") }
    }

    /// Compiles a reusable statement from constant text, which must hold exactly one statement.
    public func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        let pointer = unsafe try preparePointer(sql)
        return unsafe SQLiteStatement(connection: self, pointer: pointer)
    }

    /// Whether a transaction is open. SQLite ends a transaction by itself after some errors, such
    /// as a full disk.
    public var isInTransaction: Bool {
        guard let handle = unsafe handle else { return false }
        return unsafe sqlite3_get_autocommit(handle) == 0
    }

    /// How a log is written back.
    public enum Checkpoint: Sendable {
        /// Whatever no reader blocks, while writers continue.
        case passive
        /// The whole log, and the next writer starts it again, in its existing space; writers wait
        /// during that.
        case restarting
        /// The whole log, which is emptied; writers wait during that.
        case truncating
    }

    /// Copies the content of the `-wal` file into the database.
    ///
    /// - Parameter limit: how long to wait for other connections, in milliseconds; nil for this
    ///   connection's own limit.
    /// - Returns: `false` if readers or writers were in the way for the whole waiting time: parts
    ///   of the log may be left.
    public func checkpoint(
        _ kind: Checkpoint, within limit: Int? = nil
    ) throws(SQLiteFailure) -> Bool {
        let operation = "write the log back"
        let database = unsafe try openHandle(for: operation)
        let mode =
            switch kind {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restarting: SQLITE_CHECKPOINT_RESTART
            case .truncating: SQLITE_CHECKPOINT_TRUNCATE
            }
        let code = waiting.withLimit(milliseconds: limit) {
            unsafe sqlite3_wal_checkpoint_v2(database, nil, mode, nil, nil)
        }
        if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return false }
        guard code == SQLITE_OK else { throw failure(code, operation: operation) }
        return true
    }

    /// How many pages this connection has written, or was about to write when the disk was full,
    /// since the last restart of the count.
    package func writtenPageCount(beginningAnew: Bool) -> Int {
        guard let handle = unsafe handle else { return 0 }
        var count: Int32 = 0
        var highest: Int32 = 0
        let code = unsafe sqlite3_db_status(
            handle, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, beginningAnew ? 1 : 0)
        return code == SQLITE_OK ? Int(count) : 0
    }

    /// Rebuilds the database without its free pages, in one transaction.
    ///
    /// - Parameter inMemory: whether intermediate data go to memory, not to an unnamed temporary
    ///   file.
    package func vacuum(inMemory: Bool = false) throws(SQLiteFailure) {
        let database = unsafe try openHandle(for: "compact the database")
        // VACUUM attaches the file that it builds.
        let limit = unsafe sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 1)
        defer { _ = unsafe sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, limit) }
        try execute(inMemory ? "PRAGMA temp_store=MEMORY" : "PRAGMA temp_store=FILE")
        try execute("VACUUM")
    }

    /// Sets whether SQLite writes back and removes the log when the last connection closes.
    package func setCheckpointsOnClose(_ checkpoints: Bool) throws(SQLiteFailure) {
        let database = unsafe try openHandle(for: "configure the connection")
        unsafe try configure(
            database, option: SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, value: checkpoints ? 0 : 1)
    }

    /// Copies one moment of this database, including its log, over an empty database, while other
    /// connections keep writing.
    package func copy(to target: SQLiteConnection) throws(SQLiteFailure) {
        let operation = "copy the database"
        let from = unsafe try openHandle(for: operation)
        let to = unsafe try target.openHandle(for: operation)
        guard let backup = unsafe sqlite3_backup_init(to, "main", from, "main") else {
            throw target.failure(unsafe sqlite3_errcode(to), operation: operation)
        }
        let code = unsafe sqlite3_backup_step(backup, -1)
        let end = unsafe sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw target.failure(code == SQLITE_DONE ? end : code, operation: operation)
        }
    }

    /// Closes the file and releases its locks. Remaining statements throw `misuse` from now on.
    /// Closing twice does nothing. Inside `withBlob` the file is closed when the closure returns.
    public func close() {
        if accessCount > 0 {
            closesAfterAccess = true
        } else {
            unsafe closeHandle()
        }
    }

    /// Whether `close()` has not been called yet.
    public var isOpen: Bool { unsafe handle != nil }
}

// Calls for the statements and for the setting up.
extension SQLiteConnection {
    /// Compiles exactly one statement.
    func preparePointer(_ sql: String) throws(SQLiteFailure) -> OpaquePointer {
        let operation = "prepare a statement"
        let database = unsafe try openHandle(for: operation)
        var statement: OpaquePointer?
        var unreadByteCount = 0
        var code = SQLITE_MISUSE
        var text = sql
        // The length is passed too, so a zero byte does not end the text.
        text.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress, let length = Int32(exactly: text.count) else {
                    return
                }
                var tail: UnsafePointer<CChar>?
                let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
                unsafe code = sqlite3_prepare_v3(database, base, length, flags, &statement, &tail)
                if let tail = unsafe tail { unsafe unreadByteCount = text.count - (tail - base) }
            }
        }
        guard code == SQLITE_OK else { throw failure(code, operation: operation) }
        // A comment or nothing compiles to no statement; a remainder would be a second statement.
        guard let made = unsafe statement, unreadByteCount == 0 else {
            _ = unsafe sqlite3_finalize(statement)
            throw .misuse(operation)
        }
        return unsafe made
    }

    /// The handle of a connection that is open.
    func openHandle(for operation: @autoclosure () -> String) throws(SQLiteFailure) -> OpaquePointer
    {
        guard let handle = unsafe handle else { throw .misuse(operation()) }
        return unsafe handle
    }

    /// The error for a code. The system's error number is asked for only where it belongs to this
    /// code: otherwise it may be an earlier call's.
    func failure(_ code: Int32, operation: String) -> SQLiteFailure {
        let fromSystem = [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY].contains(
            code & 0xff)
        let systemErrno =
            if fromSystem, let handle = unsafe handle { unsafe csqlite_system_errno(handle) } else {
                0 as Int32
            }
        return SQLiteFailure(extendedCode: code, systemErrno: systemErrno, operation: operation)
    }

    /// Ends a statement unless closing the connection has already done so.
    @unsafe
    func finalize(_ statement: OpaquePointer) {
        guard ProcessIdentity.current == process else { return }
        ending.withLock {
            guard unsafe handle != nil else { return }
            _ = unsafe sqlite3_finalize(statement)
        }
    }

    /// Ends every statement, then the connection. Otherwise SQLite would keep the file open, and
    /// locked, until the last statement goes.
    @unsafe
    private func closeHandle() {
        // In a child of `fork` nothing is closed: closing would treat the parent's log as finished,
        // and a thread that does not exist may hold the mutex.
        guard ProcessIdentity.current == process else { return }
        ending.withLock {
            guard let open = unsafe handle else { return }
            unsafe handle = nil
            while let statement = unsafe sqlite3_next_stmt(open, nil) {
                _ = unsafe sqlite3_finalize(statement)
            }
            // Without statements, backups and open blobs this cannot fail.
            _ = unsafe sqlite3_close_v2(open)
        }
    }

    /// Called before a closure uses a row's bytes.
    func beginAccess() { accessCount &+= 1 }

    func endAccess() {
        accessCount &-= 1
        if accessCount == 0, closesAfterAccess { unsafe closeHandle() }
    }
}
