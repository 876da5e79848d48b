// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetAccounts
internal import SystemSQLite

/// Accounts in an SQLite file: an engine in one file, over the driver in C. What a transaction
/// promises comes from `OpenTransaction`, the order from `TransactionSemaphore`, and the thread
/// that may wait for the disk from `TransactionQueue`.
///
/// `SQLiteAccounts` does more for a file: it checks who may read or replace it, and reads while
/// another transaction writes.
public final class Engine: AccountDatabase {
    /// SQLite's.
    public let dialect = SQLDialect.sqlite
    private let queue = TransactionQueue(label: "engine")
    private let semaphore = TransactionSemaphore()
    private let driver: Driver

    /// Opens or makes the file, and its tables.
    public static func open(at path: String) async throws(AccountError) -> Engine {
        let engine = Engine(try Driver(path: path))
        try await AccountSchema.migrate(engine)
        return engine
    }

    private init(_ driver: Driver) { self.driver = driver }

    /// As the protocol says.
    @discardableResult
    public func transaction<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        _ = try await semaphore.take()
        defer { semaphore.give() }
        return try await inOrder(work)
    }

    // Concurrent: else a caller's actor would stay on the queue afterwards.
    @concurrent
    private func inOrder<Value: Sendable>(
        _ work: @escaping @Sendable (any AccountTransaction) async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        try await withTaskExecutorPreference(queue) { () async throws(AccountError) in
            // Takes the lock for writing at once: nothing that was read changes before the commit.
            try await run("BEGIN IMMEDIATE")
            let transaction = OpenTransaction(dialect) {
                [queue, driver] (text, values, check) async throws(AccountError) in
                try await queue.run { () throws(AccountError) in
                    try check()
                    return try driver.run(text, values)
                }
            }
            do throws(AccountError) {
                let value = try await work(transaction)
                try transaction.end()
                try await run("COMMIT")
                return value
            } catch {
                try? transaction.end()
                try? await run("ROLLBACK")
                throw error
            }
        }
    }

    private func run(_ text: String) async throws(AccountError) {
        try await queue.run { [driver] () throws(AccountError) in _ = try driver.run(text, []) }
    }
}

/// A connection. It is opened before anyone else has it, and then used on the queue alone.
@safe private final class Driver: @unchecked Sendable {
    private var database: OpaquePointer?
    private var prepared: [String: OpaquePointer] = unsafe [:]

    init(path: String) throws(AccountError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        try unsafe succeed(sqlite3_open_v2(path, &database, flags, nil))
        unsafe sqlite3_extended_result_codes(database, 1)
        unsafe sqlite3_busy_timeout(database, 30_000)
        for text in ["PRAGMA journal_mode = WAL", "PRAGMA foreign_keys = ON"] {
            _ = try run(text, [])
        }
    }

    deinit {
        while unsafe database != nil, let statement = unsafe sqlite3_next_stmt(database, nil) {
            unsafe sqlite3_finalize(statement)
        }
        unsafe sqlite3_close_v2(database)
    }

    func run(_ text: String, _ values: [SQLValue]) throws(AccountError) -> [SQLRow] {
        let statement = unsafe try statement(text)
        defer { unsafe sqlite3_reset(statement) }
        guard unsafe sqlite3_bind_parameter_count(statement) == values.count else {
            throw AccountError(.invalidParameter, "A statement has another number of values.")
        }
        for (value, place) in zip(values, Int32(1)...) {
            try unsafe succeed(bind(value, place, statement))
        }
        var rows: [SQLRow] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(try unsafe row(statement))
            case SQLITE_DONE: return rows
            case let code: throw Self.error(code, isCommit: text.utf8.elementsEqual("COMMIT".utf8))
            }
        }
    }

    private func statement(_ text: String) throws(AccountError) -> OpaquePointer? {
        if let statement = unsafe prepared[text] { return unsafe statement }
        var statement: OpaquePointer?
        try unsafe succeed(sqlite3_prepare_v2(database, text, -1, &statement, nil))
        unsafe prepared[text] = statement
        return unsafe statement
    }

    private func bind(
        _ value: SQLValue, _ place: Int32, _ statement: OpaquePointer?
    ) throws(AccountError) -> Int32 {
        // SQLITE_TRANSIENT: SQLite copies the bytes.
        let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .integer(let value): return unsafe sqlite3_bind_int64(statement, place, value)
        case .null: return unsafe sqlite3_bind_null(statement, place)
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
            return unsafe sqlite3_bind_blob64(
                statement, place, bytes, UInt64(bytes.count), copied)
        case .text(let text):
            guard !text.utf8.contains(0) else {
                throw AccountError(.invalidParameter, "A text has a zero byte.")
            }
            return unsafe sqlite3_bind_text(statement, place, text, -1, copied)
        }
    }

    private func row(_ statement: OpaquePointer?) throws(AccountError) -> SQLRow {
        var values: [SQLValue] = []
        for column in 0..<(unsafe sqlite3_column_count(statement)) {
            switch unsafe sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER:
                values.append(.integer(unsafe sqlite3_column_int64(statement, column)))
            case SQLITE_TEXT:
                let bytes = unsafe bytes(column, statement)
                values.append(.text(String(decoding: bytes, as: UTF8.self)))
            case SQLITE_BLOB: values.append(.bytes(unsafe bytes(column, statement)))
            case SQLITE_NULL: values.append(.null)
            default: throw AccountError(.corrupt, "A column has a type that Signet never writes.")
            }
        }
        return SQLRow(values)
    }

    private func bytes(_ column: Int32, _ statement: OpaquePointer?) -> [UInt8] {
        let start = unsafe sqlite3_column_blob(statement, column)
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func succeed(_ code: Int32) throws(AccountError) {
        guard code == SQLITE_OK else { throw Self.error(code, isCommit: false) }
    }

    private static func error(_ code: Int32, isCommit: Bool) -> AccountError {
        switch (code, code & 0xff) {
        // SQLITE_CONSTRAINT_ FOREIGNKEY, PRIMARYKEY and UNIQUE.
        case (787, _), (1555, _), (2067, _): AccountError(.conflict, "A row is in the way.")
        case (_, SQLITE_IOERR) where isCommit:
            AccountError(.outcomeUnknown, "The disk did not confirm a commit.")
        case (_, SQLITE_BUSY), (_, SQLITE_FULL), (_, SQLITE_IOERR), (_, SQLITE_READONLY),
            (_, SQLITE_CANTOPEN), (_, SQLITE_NOMEM):
            AccountError(.unavailable, "SQLite failed with \(code). Try again.")
        default: AccountError(.corrupt, "SQLite refuses a statement with \(code).")
        }
    }
}
