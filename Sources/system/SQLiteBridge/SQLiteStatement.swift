// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// The owner of a compiled statement. It keeps its connection alive; once the connection is closed,
/// every call that can throw throws `misuse`, and every column is nil.
///
/// Bind, `step()` until it returns `false`, `reset()`. Use it under the connection's lock.
@safe
public final class SQLiteStatement: @unchecked Sendable {
    let connection: SQLiteConnection
    // Gone once the connection is closed, which each use checks first.
    private let pointer: OpaquePointer
    private var isDone = false
    private var hasRow = false
    private var isAccessed = false

    init(connection: SQLiteConnection, pointer: OpaquePointer) {
        self.connection = connection
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe connection.finalize(pointer) }

    /// Advances to the next row; runs a statement without rows.
    ///
    /// After the last row it returns `false` until `reset()`, while SQLite itself would start
    /// again. After an error the statement is reset, so it holds no lock; bindings stay.
    public func step() throws(SQLiteFailure) -> Bool {
        let operation = "run a statement"
        let statement = unsafe try changeablePointer(for: operation)
        if isDone { return false }
        let code = unsafe sqlite3_step(statement)
        hasRow = code == SQLITE_ROW
        if hasRow { return true }
        guard code == SQLITE_DONE else {
            let failure = connection.failure(code, operation: operation)
            _ = unsafe sqlite3_reset(statement)
            throw failure
        }
        isDone = true
        return false
    }

    /// Runs a statement to its end, ignoring rows, and resets it.
    public func run() throws(SQLiteFailure) {
        while try step() {}
        try reset()
    }

    /// Resets it and clears its bindings.
    public func reset() throws(SQLiteFailure) {
        let statement = unsafe try changeablePointer(for: "reset a statement")
        // The code repeats the last step's error, which was thrown there.
        _ = unsafe sqlite3_reset(statement)
        _ = unsafe sqlite3_clear_bindings(statement)
        isDone = false
        hasRow = false
    }

    /// The highest number of a parameter, which is 0 once the connection is closed.
    public var parameterCount: Int {
        unsafe connection.isOpen ? Int(sqlite3_bind_parameter_count(pointer)) : 0
    }

    /// The number of columns in its rows.
    public var columnCount: Int32 {
        unsafe connection.isOpen ? sqlite3_column_count(pointer) : 0
    }

    /// Whether a column of the current row is NULL.
    public func isNull(_ column: Int32) -> Bool { holds(SQLITE_NULL, inColumn: column) }

    /// An integer of the current row; nil if the column has another type. Nothing is converted.
    public func integer(_ column: Int32) -> Int64? {
        guard holds(SQLITE_INTEGER, inColumn: column) else { return nil }
        return unsafe sqlite3_column_int64(pointer, column)
    }

    /// A copy of a blob of the current row; nil if the column has another type.
    public func blob(_ column: Int32) -> [UInt8]? {
        withBlob(column) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
    }

    /// Passes a blob of the current row to `body` without copying it. If the column has another
    /// type, returns nil without running `body`.
    ///
    /// Inside `body`, `step()` and `reset()` of this statement throw `misuse`.
    package func withBlob<R, E: Error>(
        _ column: Int32, _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R? {
        guard holds(SQLITE_BLOB, inColumn: column) else { return nil }
        // The pointer first, then the length: the other order may convert in between.
        let base = unsafe sqlite3_column_blob(pointer, column)
        let count = max(0, Int(unsafe sqlite3_column_bytes(pointer, column)))
        // An empty blob has no address. A blob with a length but no address means no memory.
        guard unsafe base != nil || count == 0 else { return nil }
        let wasAccessed = isAccessed
        isAccessed = true
        connection.beginAccess()
        defer {
            isAccessed = wasAccessed
            connection.endAccess()
        }
        let bytes = unsafe UnsafeBufferPointer(
            start: base?.assumingMemoryBound(to: UInt8.self), count: count)
        return try body(unsafe bytes.span)
    }

    /// A text of the current row; nil if the column has another type or invalid UTF-8.
    public func text(_ column: Int32) -> String? {
        guard holds(SQLITE_TEXT, inColumn: column),
            let base = unsafe sqlite3_column_text(pointer, column)
        else {
            return nil
        }
        let count = max(0, Int(unsafe sqlite3_column_bytes(pointer, column)))
        return unsafe String(
            validating: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Whether a value in the current row has this type, whatever its column's declaration; the
    /// first column is number 0.
    private func holds(_ type: Int32, inColumn column: Int32) -> Bool {
        unsafe hasRow && connection.isOpen && sqlite3_column_type(pointer, column) == type
    }

    /// The pointer of a statement that may be changed: its connection is open and no row is in use.
    func changeablePointer(for operation: @autoclosure () -> String) throws(SQLiteFailure)
        -> OpaquePointer
    {
        guard connection.isOpen, !isAccessed else { throw .misuse(operation()) }
        return unsafe pointer
    }
}
