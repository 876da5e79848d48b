// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

// Parameters are numbered from 1. A running statement must be reset first (`misuse`); an unknown
// number is also `misuse`; a value over the connection's limit is `tooBig`.
extension SQLiteStatement {
    /// Binds a copy of the bytes as a blob, even if empty.
    public func bind(_ blob: [UInt8], at index: Int32) throws(SQLiteFailure) {
        let statement = unsafe try changeablePointer(for: Self.binding)
        let code = unsafe blob.withUnsafeBufferPointer { bytes in
            unsafe csqlite_bind_blob(statement, index, bytes.baseAddress, UInt64(bytes.count))
        }
        guard code == SQLITE_OK else { throw connection.failure(code, operation: Self.binding) }
    }

    /// Binds an integer.
    public func bind(_ integer: Int64, at index: Int32) throws(SQLiteFailure) {
        let code = unsafe sqlite3_bind_int64(
            try changeablePointer(for: Self.binding), index, integer)
        guard code == SQLITE_OK else { throw connection.failure(code, operation: Self.binding) }
    }

    /// Binds a copy of a text. A zero byte in it is `misuse`: SQLite would accept the text, and
    /// then treat it as shorter.
    public func bind(_ text: String, at index: Int32) throws(SQLiteFailure) {
        let statement = unsafe try changeablePointer(for: Self.binding)
        guard !text.utf8.contains(0) else { throw .misuse(Self.binding) }
        var text = text
        let code = text.withUTF8 { octets in
            unsafe octets.withMemoryRebound(to: CChar.self) { octets in
                unsafe csqlite_bind_text(
                    statement, index, octets.baseAddress, UInt64(octets.count))
            }
        }
        guard code == SQLITE_OK else { throw connection.failure(code, operation: Self.binding) }
    }

    /// Binds NULL.
    public func bindNull(at index: Int32) throws(SQLiteFailure) {
        let code = unsafe sqlite3_bind_null(try changeablePointer(for: Self.binding), index)
        guard code == SQLITE_OK else { throw connection.failure(code, operation: Self.binding) }
    }

    private static let binding = "bind a value"
}
