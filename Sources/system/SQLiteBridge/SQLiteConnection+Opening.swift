// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import SignetPlatform

extension SQLiteConnection {
    private static let opening = "open the database"

    /// The handle of an open file. Nothing is configured or read yet.
    static func openFile(_ path: String, access: Access, vfs: String?) throws(SQLiteFailure)
        -> OpaquePointer
    {
        guard access != .memory else { return unsafe try openMemory() }
        // An absolute path is never a URI or ":memory:", however SQLite was configured.
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0),
            vfs?.utf8.contains(0) != true
        else {
            throw SQLiteFailure(extendedCode: SQLITE_CANTOPEN, operation: opening)
        }
        let flags =
            SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
            | SQLITE_OPEN_FULLMUTEX
        var handle: OpaquePointer?
        let code =
            if access == .fileAlone {
                unsafe sqlite3_open_v2(
                    immutableName(of: path), &handle,
                    flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, vfs)
            } else {
                unsafe sqlite3_open_v2(path.cPath, &handle, flags | SQLITE_OPEN_READWRITE, vfs)
            }
        guard code == SQLITE_OK, let opened = unsafe handle else {
            let systemErrno = unsafe handle == nil ? 0 : sqlite3_system_errno(handle)
            _ = unsafe sqlite3_close_v2(handle)
            throw SQLiteFailure(extendedCode: code, systemErrno: systemErrno, operation: opening)
        }
        return unsafe opened
    }

    /// The handle of a new database in memory.
    private static func openMemory() throws(SQLiteFailure) -> OpaquePointer {
        var handle: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            ":memory:", &handle,
            SQLITE_OPEN_MEMORY | SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE
                | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_FULLMUTEX, nil)
        guard code == SQLITE_OK, let opened = unsafe handle else {
            _ = unsafe sqlite3_close_v2(handle)
            throw SQLiteFailure(extendedCode: code, operation: opening)
        }
        return unsafe opened
    }

    /// A path as the URI of a file that SQLite treats as immutable. Every octet except ASCII
    /// letters, digits, `/` and `.` is written as `%` and two digits.
    private static func immutableName(of path: String) -> String {
        var name = "file:"
        for octet in PathText.bytes(of: path) {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."):
                name.unicodeScalars.append(Unicode.Scalar(octet))
            default:
                name += octet < 16 ? "%0" : "%"
                name += String(octet, radix: 16)
            }
        }
        return name + "?immutable=1"
    }

    /// All the safety settings of the connection, before anything of the file's schema is read.
    func setUp(_ access: Access) throws(SQLiteFailure) {
        let database = unsafe try openHandle(for: Self.opening)
        unsafe setBusyHandler(database)
        for (option, value) in Self.configuration {
            unsafe try configure(database, option: option, value: value)
        }
        // Until the file is known to be readable: closing must not write the log into it.
        try setCheckpointsOnClose(false)
        for (limit, value) in Self.limits { _ = unsafe sqlite3_limit(database, limit, value) }
        // SQLite silently opens an unwritable file for reading.
        guard unsafe access == .fileAlone || sqlite3_db_readonly(database, "main") == 0 else {
            throw SQLiteFailure(extendedCode: SQLITE_READONLY, operation: Self.opening)
        }
        // A database in memory is not mapped, and does not report `mmap_size`.
        for (name, setting, value) in Self.pragmas
        where access != .memory || name != "mmap_size" {
            try execute("PRAGMA \(name)=\(setting)")
            // A library built without a pragma ignores it.
            guard try integer(ofPragma: name) == value else {
                throw SQLiteFailure(extendedCode: SQLITE_NOLFS, operation: "set \(name)")
            }
        }
        // Reads the first page, so a file that is not a database is rejected here. An empty file
        // would be an empty database: only `create` takes it, and takes nothing else.
        switch (access, try integer(ofPragma: "page_count")) {
        case (.readWrite, 1...), (.fileAlone, 1...), (.create, 0), (.memory, _):
            try setCheckpointsOnClose(true)
        case (.readWrite, _), (.fileAlone, _):
            throw SQLiteFailure(extendedCode: SQLITE_NOTADB, operation: Self.opening)
        case (.create, _):
            throw SQLiteFailure(
                extendedCode: SQLITE_CANTOPEN, operation: "make a database in a file that is empty")
        }
    }

    /// Enforces the schema's foreign keys from now on, including cascading deletions.
    public func enforceForeignKeys() throws(SQLiteFailure) {
        let database = unsafe try openHandle(for: Self.opening)
        unsafe try configure(database, option: SQLITE_DBCONFIG_ENABLE_FKEY, value: 1)
        // Foreign key actions count as triggers: each table that refers to another adds a level.
        _ = unsafe sqlite3_limit(database, SQLITE_LIMIT_TRIGGER_DEPTH, 8)
    }

    @unsafe
    private func setBusyHandler(_ database: OpaquePointer) {
        // Unretained: the connection owns `waiting`, and is closed before `waiting` goes.
        let context = unsafe Unmanaged.passUnretained(waiting).toOpaque()
        _ = unsafe sqlite3_busy_handler(
            database,
            { context, count in
                guard let context = unsafe context else { return 0 }
                let waiting = unsafe Unmanaged<BusyWaiting>.fromOpaque(context)
                    .takeUnretainedValue()
                return waiting.shouldTryAgain(afterTries: count) ? 1 : 0
            }, context)
    }

    /// Sets an option, and throws unless it is in force then.
    @unsafe
    func configure(_ database: OpaquePointer, option: Int32, value: Int32) throws(SQLiteFailure) {
        var inForce: Int32 = -1
        let code = unsafe csqlite_configure(database, option, value, &inForce)
        guard code == SQLITE_OK, inForce == value else {
            throw SQLiteFailure(extendedCode: SQLITE_NOLFS, operation: "configure the connection")
        }
    }

    private static let configuration: [(option: Int32, value: Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1),
        (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
        (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        (SQLITE_DBCONFIG_ENABLE_FKEY, 0),
        // "name" in double quotes is a name or an error, never a text.
        (SQLITE_DBCONFIG_DQS_DML, 0),
        (SQLITE_DBCONFIG_DQS_DDL, 0),
    ]

    /// Limits on what a hostile schema or row may demand of SQLite.
    private static let limits: [(limit: Int32, value: Int32)] = [
        // Twice the longest value of a vault.
        (SQLITE_LIMIT_LENGTH, 32 * 1024 * 1024),
        (SQLITE_LIMIT_SQL_LENGTH, 16 * 1024),
        (SQLITE_LIMIT_COLUMN, 32),
        (SQLITE_LIMIT_EXPR_DEPTH, 32),
        (SQLITE_LIMIT_COMPOUND_SELECT, 4),
        (SQLITE_LIMIT_FUNCTION_ARG, 8),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 32),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 1),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// The pragmas of Documentation/VAULT-FORMAT.md, "The database", each with its value once it is
    /// set.
    private static let pragmas: [(name: String, setting: String, value: Int64)] = [
        ("trusted_schema", "OFF", 0),
        ("cell_size_check", "ON", 1),
        ("mmap_size", "0", 0),
        ("temp_store", "MEMORY", 2),
        ("synchronous", "FULL", 2),
        ("secure_delete", "ON", 1),
    ]
}
